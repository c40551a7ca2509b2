import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'

/** What the button beside a suggestion does. */
export type SuggestedAction =
  /** Gives the task its attempts back; `timeoutSeconds` left out: as planned. */
  | {
      readonly kind: 'unblock'
      readonly label: string
      readonly reason: string
      readonly timeoutSeconds?: number
    }
  /** Leads to the contract, where the task can be changed. */
  | { readonly kind: 'contract'; readonly label: string }
  /** Opens the last attempt. */
  | { readonly kind: 'look'; readonly label: string }

/** The one likely thing to do about a blocked task, as a button says it; `null` where nothing is suggested. */
export function suggestedAction({ suggestion, history }: BlockedTask): SuggestedAction | null {
  if (suggestion === null) return null
  const unblock = (label: string) => ({
    kind: 'unblock' as const,
    label,
    reason: recorded(suggestion.reason),
  })
  switch (suggestion.kind) {
    case 'already_done':
      return unblock('Unblock: its check holds now')
    case 'increase_timeout':
      return suggestion.timeoutSeconds === null
        ? unblock('Unblock')
        : {
            ...unblock(`Unblock with ${suggestion.timeoutSeconds} s`),
            timeoutSeconds: suggestion.timeoutSeconds,
          }
    case 'tighten_hint':
    case 'skip_subtasks':
      return { kind: 'contract', label: 'Change it in the contract' }
    case 'fix_gate':
      return unblock('Unblock: the gate runs again')
    case 'manual_review':
      return history.some(({ kind }) => kind === 'attempt')
        ? { kind: 'look', label: 'Look at the last attempt' }
        : unblock('Unblock')
  }
}

/** The most a reason may have. */
const MAX_REASON = 2000

function recorded(why: string): string {
  return `As suggested: ${why}`.slice(0, MAX_REASON)
}
