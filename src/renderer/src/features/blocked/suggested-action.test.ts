import { expect, test } from 'vitest'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { suggestedAction } from './suggested-action.ts'

type Suggestion = NonNullable<BlockedTask['suggestion']>

function task(kind: Suggestion['kind'], some: Partial<Suggestion> = {}, attempts = 1): BlockedTask {
  return {
    suggestion: { kind, timeoutSeconds: null, reason: 'Why.', ...some },
    history: Array.from({ length: attempts }, () => ({ kind: 'attempt' })),
  } as BlockedTask
}

test.each([
  ['already_done', 'unblock', 'Unblock: its check holds now'],
  ['skip_subtasks', 'contract', 'Change it in the contract'],
  ['fix_gate', 'unblock', 'Unblock: the gate runs again'],
  ['manual_review', 'look', 'Look at the last attempt'],
] as const)('%s is answered by %s: %s', (suggested, kind, label) => {
  expect(suggestedAction(task(suggested))).toMatchObject({ kind, label })
})

test('a longer timeout is given as suggested, with the reason on record', () => {
  expect(suggestedAction(task('increase_timeout', { timeoutSeconds: 300 }))).toEqual({
    kind: 'unblock',
    label: 'Unblock with 300 s',
    reason: 'As suggested: Why.',
    timeoutSeconds: 300,
  })
})

test('where no attempt is left to look at, it can only be unblocked', () => {
  expect(suggestedAction(task('manual_review', {}, 0))?.kind).toBe('unblock')
})

test('a reason of any length is one that the host takes', () => {
  const action = suggestedAction(task('already_done', { reason: 'x'.repeat(5000) }))
  expect(action?.kind === 'unblock' && action.reason.length).toBe(2000)
})

test('nothing is done where nothing is suggested', () => {
  expect(suggestedAction({ ...task('fix_gate'), suggestion: null })).toBeNull()
})
