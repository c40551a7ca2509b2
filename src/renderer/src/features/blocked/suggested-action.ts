import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'

/** What a button next to a suggestion does. */
export type SuggestedAction =
  /** Gives the task its attempts back; if `timeoutSeconds` is omitted, with the planned timeout. */
  | {
      readonly kind: 'unblock'
      readonly label: string
      readonly reason: string
      readonly timeoutSeconds?: number
    }
  /** Opens a field for a message to the agent, which is sent when the task is unblocked. */
  | { readonly kind: 'tell'; readonly label: string }
  /** Opens the task in the contract, where it can be changed. */
  | { readonly kind: 'contract'; readonly label: string }
  /** Opens the configuration, which contains its gates. */
  | { readonly kind: 'setup'; readonly label: string }
  /** Opens the last attempt. */
  | { readonly kind: 'look'; readonly label: string }

const TELL = { kind: 'tell', label: 'Message to the agent…' } as const
const LOOK = { kind: 'look', label: 'View the last attempt' } as const

/** Returns the actions for a blocked task, as button labels, the most likely one first; empty if nothing is suggested. */
export function suggestedActions({ suggestion, history }: BlockedTask): readonly SuggestedAction[] {
  if (suggestion === null) return []
  const unblock = (label: string) => ({
    kind: 'unblock' as const,
    label,
    reason: recorded(suggestion.reason),
  })
  const look = history.some(({ kind }) => kind === 'attempt') ? [LOOK] : []
  switch (suggestion.kind) {
    case 'already_done':
      return [unblock('Unblock: its check passes now')]
    case 'increase_timeout':
      return suggestion.timeoutSeconds === null
        ? [unblock('Unblock'), ...look]
        : [
            {
              ...unblock(`Unblock with ${durationWords(suggestion.timeoutSeconds * 1000)}`),
              timeoutSeconds: suggestion.timeoutSeconds,
            },
            ...look,
          ]
    case 'tighten_hint':
      return [{ kind: 'contract', label: 'Tighten the check' }, ...look]
    case 'skip_subtasks':
      return [{ kind: 'contract', label: 'Change it in the contract' }, TELL, ...look]
    case 'fix_gate':
      return [unblock('Unblock: the gate runs again'), { kind: 'setup', label: 'Fix the gate' }]
    case 'manual_review':
      return look.length > 0 ? [TELL, ...look] : [unblock('Unblock'), TELL]
  }
}

/** The longest allowed reason. */
const MAX_REASON = 2000

function recorded(why: string): string {
  return `As suggested: ${why}`.slice(0, MAX_REASON)
}
