import { RequestProblem } from '../../api/request-problem.ts'
import { endOfPauseUntilTomorrow } from '../../core/pacing/quiet-hours.ts'
import { momentOf, timestamp } from '../../core/pacing/schedule.ts'
import { type RunReport, raisedIn } from '../../core/read-model/attempt.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { EventHub } from '../host/event-hub.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { scoreOf, workspaceView } from '../host/workspace-views.ts'
import { os, workspaceOf } from './implementer.ts'

export const heartbeat = {
  run: os.heartbeat.run.handler(({ input, context }) => {
    const runtime = workspaceOf(input, context)
    return input.wait ? runAndReport(runtime, input.join) : beginToRun(runtime, context.host.hub)
  }),
  stop: os.heartbeat.stop.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await runtime.loop.stopNow()
    return workspaceView(runtime)
  }),
  pause: os.heartbeat.pause.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const until = endOfPause(runtime, input.until, context.host.clock.nowMs())
    await runtime.ledger.append({ type: 'paused', until })
    return settled(runtime)
  }),
  resume: os.heartbeat.resume.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await runtime.ledger.append({ type: 'resumed' })
    return settled(runtime)
  }),
  liftSuspension: os.heartbeat.liftSuspension.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await liftSuspension(runtime, input.reason)
    return settled(runtime)
  }),
}

/** Returns the workspace once its loop has processed what was recorded. */
export async function settled(runtime: WorkspaceRuntime): Promise<Workspace> {
  await runtime.loop.refresh()
  return workspaceView(runtime)
}

async function runAndReport(runtime: WorkspaceRuntime, join: boolean): Promise<RunReport> {
  const { cycle, attempts } = await runtime.loop.runNow(join)
  return {
    workspace: runtime.id,
    cycle,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      interventions: raisedIn(runtime.ledger.state, attempt),
    })),
    score: scoreOf(runtime),
  }
}

/** Starts a heartbeat. A refusal is returned immediately; later errors are reported to viewers. */
async function beginToRun(runtime: WorkspaceRuntime, hub: EventHub): Promise<null> {
  const failed = runtime.loop.runNow().then(
    () => null,
    (error: unknown) => error,
  )
  const refused = await Promise.race([failed, settledSoon()])
  if (refused instanceof RequestProblem) throw refused
  void failed.then((error) => error !== null && reportFailure(runtime, error, hub))
  return null
}

function reportFailure({ id, name }: WorkspaceRuntime, error: unknown, hub: EventHub): void {
  hub.emit({
    type: 'notification',
    workspace: id,
    about: 'trouble',
    task: null,
    title: `${name}: the heartbeat could not run`,
    body: error instanceof Error ? error.message : String(error),
  })
}

/** Returns the end of a pause in ISO 8601 with offset; `null` if only the operator ends it. */
function endOfPause({ loop, zone }: WorkspaceRuntime, until: string | null, nowMs: number): string | null {
  if (until === 'tomorrow') {
    const activeHours = loop.config?.heartbeat.activeHours ?? null
    return timestamp(endOfPauseUntilTomorrow(nowMs, activeHours, zone()), zone())
  }
  if (until === null) return null
  const endMs = momentOf(until, zone())
  if (endMs !== null && endMs > nowMs) return timestamp(endMs, zone())
  const expected = 'a time to come in ISO 8601, such as 2030-01-31T18:00, or "tomorrow"'
  throw new RequestProblem('bad-request', `until is ${JSON.stringify(until)}; expected ${expected}.`)
}

/** Resolves after the current turn of the event loop and the work it has queued. */
function settledSoon(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => resolve(null)))
}

/** Ends the suspension: records that the operator has reviewed, with their comment. */
export async function liftSuspension({ ledger, name }: WorkspaceRuntime, reason: string): Promise<void> {
  if (ledger.state.suspended === null) {
    throw new RequestProblem('conflict', `${name} is not suspended.`)
  }
  await ledger.append({ type: 'suspension-lifted', reason })
}
