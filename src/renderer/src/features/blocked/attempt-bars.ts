import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { type ShownVerdict, shownVerdict } from '../../../../core/vocabulary/verdict.ts'

type PastEntry = BlockedTask['history'][number]
export type PastAttempt = Extract<PastEntry, { kind: 'attempt' }>

/** An attempt's bar, as shares of the task's widest one: how long it could have taken, and how long it took. */
interface AttemptBar {
  readonly timeout01: number
  readonly duration01: number
}

/** Returns the bars of a task's attempts by attempt id, on one scale. A run that exceeded its timeout fills its bar. */
export function attemptBars(history: readonly PastEntry[]): ReadonlyMap<string, AttemptBar> {
  const attempts = history.filter((entry) => entry.kind === 'attempt')
  const widestMs = Math.max(1, ...attempts.map(({ timeoutSeconds }) => timeoutSeconds * 1000))
  return new Map(
    attempts.map(({ attemptId, timeoutSeconds, durationMs }) => {
      const timeout01 = (timeoutSeconds * 1000) / widestMs
      return [attemptId, { timeout01, duration01: Math.min(timeout01, Math.max(0, durationMs / widestMs)) }]
    }),
  )
}

/** Returns how a past attempt is shown. */
export function pastKind({ verdict, fault, contradiction = false }: PastAttempt): ShownVerdict {
  return shownVerdict({ verdict, fault, groundTruthContradiction: contradiction })
}
