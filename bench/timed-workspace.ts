import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { NO_LIMITS } from '../src/core/record/budget.ts'
import { createAgentsAtWork } from '../src/main/custody/agents-at-work.ts'
import { approveConfiguration } from '../src/main/host/approve-configuration.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { openWorkspace, type WorkspaceRuntime } from '../src/main/host/workspace-runtime.ts'
import type { Log } from '../src/main/ports/log.ts'
import type { Tracer } from '../src/main/ports/tracer.ts'
import { createParkingLot } from '../src/main/supervisor/loop/parking-lot.ts'
import { createSpending } from '../src/main/supervisor/run/spending.ts'

export const benchLog: Log = { info: () => {}, warn: console.error, error: console.error }

export interface TimedWorkspace {
  readonly runtime: WorkspaceRuntime
  /** Milliseconds of each span, by name, since it was cleared. */
  readonly spans: Map<string, number>
}

/**
 * Opens a workspace without a host, with its configuration approved and heartbeats only on demand; its data folder is
 * `root`/data.
 */
export async function openTimedWorkspace(
  root: string,
  id: string,
  directory: string,
): Promise<TimedWorkspace> {
  const spans = new Map<string, number>()
  const runtime = await openWorkspace(
    { id, name: id, path: directory, addedAt: new Date().toISOString() },
    {
      dataDirectory: join(root, 'data'),
      clock: systemClock,
      log: benchLog,
      version: '0.0.0',
      tracer: stopwatch(spans),
      notifier: { notify: () => {} },
      operator: { ask: async () => 'unattended', waiting: () => [] },
      reportServer: null,
      sandbox: null,
      emit: () => {},
      parking: createParkingLot(systemClock),
      power: { onBattery: () => false },
      spending: createSpending({ states: () => [], limits: () => NO_LIMITS, prices: () => ({}) }),
      withSlot: (work) => work(),
      scheduled: false,
      agentsAtWork: createAgentsAtWork(),
      leftBehind: async () => null,
    },
  )
  if (runtime.loop.trust.kind === 'unapproved')
    await approveConfiguration(runtime, runtime.loop.trust.currentHash)
  return { runtime, spans }
}

/** Sums the time of spans by name. */
function stopwatch(spans: Map<string, number>): Tracer {
  return {
    span: async (name, _attributes, work) => {
      const start = performance.now()
      try {
        return await work({ set: () => {}, event: () => {} })
      } finally {
        spans.set(name, (spans.get(name) ?? 0) + performance.now() - start)
      }
    },
  }
}
