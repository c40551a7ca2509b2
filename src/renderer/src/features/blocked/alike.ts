import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import type { PastAttempt } from './attempt-bars.ts'

type PastEntry = BlockedTask['history'][number]
type PastUnblock = Extract<PastEntry, { kind: 'unblock' }>

/** A line of a task's history: an unblock, or an attempt with the preceding ones that ended the same way. */
export type HistoryLine =
  | { readonly kind: 'unblock'; readonly entry: PastUnblock }
  | { readonly kind: 'attempt'; readonly entry: PastAttempt; readonly alike: readonly PastAttempt[] }

/** Returns the history with equal attempts folded into the latest of them; the order stays newest first. */
export function foldAlike(history: readonly PastEntry[]): readonly HistoryLine[] {
  const lines: (
    | { kind: 'unblock'; entry: PastUnblock }
    | { kind: 'attempt'; entry: PastAttempt; alike: PastAttempt[] }
  )[] = []
  for (const entry of history) {
    const last = lines.at(-1)
    if (entry.kind === 'unblock') lines.push({ kind: 'unblock', entry })
    else if (last?.kind === 'attempt' && endedAlike(last.entry, entry)) last.alike.push(entry)
    else lines.push({ kind: 'attempt', entry, alike: [] })
  }
  return lines
}

function endedAlike(one: PastAttempt, other: PastAttempt): boolean {
  return (
    one.outcome === other.outcome &&
    one.verdict === other.verdict &&
    one.fault === other.fault &&
    one.reason === other.reason &&
    one.timeoutSeconds === other.timeoutSeconds &&
    one.criteria.met === other.criteria.met
  )
}
