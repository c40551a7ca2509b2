import { expect, test } from 'vitest'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { suggestedActions } from './suggested-action.ts'

type Suggestion = NonNullable<BlockedTask['suggestion']>

function task(kind: Suggestion['kind'], some: Partial<Suggestion> = {}, attempts = 1): BlockedTask {
  return {
    suggestion: { kind, timeoutSeconds: null, reason: 'Why.', ...some },
    history: Array.from({ length: attempts }, () => ({ kind: 'attempt' })),
  } as BlockedTask
}

test.each([
  ['already_done', ['Unblock: its check passes now']],
  ['increase_timeout', ['Unblock', 'View the last attempt']],
  ['tighten_hint', ['Tighten the check', 'View the last attempt']],
  ['skip_subtasks', ['Change it in the contract', 'Message to the agent…', 'View the last attempt']],
  ['fix_gate', ['Unblock: the gate runs again', 'Fix the gate']],
  ['manual_review', ['Message to the agent…', 'View the last attempt']],
] as const)('for %s, offers %j', (suggested, labels) => {
  expect(suggestedActions(task(suggested)).map(({ label }) => label)).toEqual(labels)
})

test('uses the suggested longer timeout, and records the reason', () => {
  expect(suggestedActions(task('increase_timeout', { timeoutSeconds: 1215 }))[0]).toEqual({
    kind: 'unblock',
    label: 'Unblock with 20 min 15 s',
    reason: 'As suggested: Why.',
    timeoutSeconds: 1215,
  })
})

test('does not offer to view an attempt if none is kept', () => {
  const kinds = suggestedActions(task('manual_review', {}, 0)).map(({ kind }) => kind)
  expect(kinds).toEqual(['unblock', 'tell'])
})

test('shortens a reason of any length to one that the host accepts', () => {
  const [action] = suggestedActions(task('already_done', { reason: 'x'.repeat(5000) }))
  expect(action?.kind === 'unblock' && action.reason.length).toBe(2000)
})

test('offers nothing if nothing is suggested', () => {
  expect(suggestedActions({ ...task('fix_gate'), suggestion: null })).toEqual([])
})
