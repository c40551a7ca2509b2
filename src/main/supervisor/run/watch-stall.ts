import { setTimeout as delay } from 'node:timers/promises'
import type { RaisedIntervention } from '../../../core/intervention/types.ts'
import { INTERVENTION_ROWS } from '../../../core/vocabulary/intervention.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'

export interface StallWatch {
  /** Call this when the agent prints something, or its program reports an event. */
  heard(): void
  /** Stops watching; resolves once everything it raised is recorded. */
  stop(): Promise<void>
}

/**
 * Raises `stalled` for each task of a run once its agent has been silent for `stall_minutes`, while it runs: the operator may want to look.
 * Does not end the run: a healthy agent may think, or wait for a long test, and has its timeout. Uses real time, because the process is
 * real.
 */
export function watchStall(context: CycleContext, attempts: readonly PlannedAttempt[]): StallWatch {
  const { enabled, stallMinutes } = context.config.interventions
  const stopping = new AbortController()
  let heardMs = performance.now()

  const watch = async (): Promise<void> => {
    for (;;) {
      const leftMs = stallMinutes * 60_000 - (performance.now() - heardMs)
      if (stopping.signal.aborted) return
      if (leftMs <= 0) return raise(context, attempts)
      await delay(leftMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const watching = enabled ? watch().catch((error: unknown) => reportFailure(context, error)) : null

  return {
    heard: () => {
      heardMs = performance.now()
    },
    stop: async () => {
      stopping.abort()
      await watching
    },
  }
}

async function raise(
  { ports, config, cycle }: CycleContext,
  attempts: readonly PlannedAttempt[],
): Promise<void> {
  const { stallMinutes } = config.interventions
  await ports.ledger.append(
    ...attempts.map(({ attemptId, task }) => ({
      type: 'intervention-raised' as const,
      cycle,
      taskId: task.id,
      intervention: {
        event_type: 'stalled',
        severity: INTERVENTION_ROWS.stalled.severity,
        details: {
          task_id: task.id,
          attempt_id: attemptId,
          silent_minutes: stallMinutes,
          found: `no event and no output for ${stallMinutes} min; it continues until its timeout`,
        },
      } satisfies RaisedIntervention,
    })),
  )
  ports.emit({ type: 'workspace-updated', workspace: ports.id, view: null })
}

/** A failure to record must not end a run that may be fine. */
function reportFailure({ ports }: CycleContext, error: unknown): void {
  ports.log.error('A silent agent could not be recorded', { error: String(error) })
}
