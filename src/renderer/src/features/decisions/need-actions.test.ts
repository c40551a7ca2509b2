import { expect, test } from 'vitest'
import { NEED_ACTIONS, NEED_KINDS } from '../../../../core/vocabulary/need.ts'
import { actionsFor, addressOfNeed } from './need-actions.ts'

const need = (kind: (typeof NEED_KINDS)[number]) => ({
  kind,
  workspace: 'w',
  id: 'it',
  reason: '',
  action: NEED_ACTIONS[kind],
})

test('offers a view for every need, and answers in the row where one word is enough', () => {
  const labels = Object.fromEntries(
    NEED_KINDS.map((kind) => [kind, actionsFor({ kind }).map(({ label }) => label)]),
  )
  expect(labels).toMatchObject({
    held: ['Accept', 'Refuse', 'View'],
    proposal: ['Accept', 'Revert', 'View'],
    permission: ['Allow once', 'Deny', 'View'],
    blocked: ['Unblock', 'View'],
    suspension: ['Review'],
    approve: ['Approve'],
  })
  for (const kind of NEED_KINDS) expect(actionsFor({ kind }).at(-1)?.does).toEqual({ kind: 'go' })
})

test('gives each action in a row a different letter', () => {
  for (const kind of NEED_KINDS) {
    const keys = actionsFor({ kind }).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

test('shows held work at its attempt, a proposal with the contract, everything else on its own screen', () => {
  expect(addressOfNeed(need('held'))).toBe('#/w/w/attempt/it')
  expect(addressOfNeed(need('proposal'))).toBe('#/w/w/contract')
  expect(addressOfNeed(need('blocked'))).toBe('#/w/w/blocked')
  expect(addressOfNeed(need('approve'))).toBe('#/w/w/today/approve')
})
