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

test('every need can be looked at, and what one word answers is answered in its row', () => {
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

test('no letter does two things in one row', () => {
  for (const kind of NEED_KINDS) {
    const keys = actionsFor({ kind }).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

test('held work is looked at where its attempt is, a proposal beside the contract, the rest on its screen', () => {
  expect(addressOfNeed(need('held'))).toBe('#/w/w/attempt/it')
  expect(addressOfNeed(need('proposal'))).toBe('#/w/w/contract')
  expect(addressOfNeed(need('blocked'))).toBe('#/w/w/blocked')
  expect(addressOfNeed(need('approve'))).toBe('#/w/w/today/approve')
})
