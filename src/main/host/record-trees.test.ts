import { expect, it } from 'vitest'
import type { AttemptCosts } from '../../core/record/costs.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { recordTrees } from './record-trees.ts'

const TREE = { commit: 'c', tree: 't', isDirty: true }
const NO_CHECK: AttemptCosts = { agentMs: 9, checksMs: 0, cleanRoomMs: 0, pulsewardMs: 1, byCheck: [] }
const A_CHECK: AttemptCosts = {
  ...NO_CHECK,
  byCheck: [{ kind: 'command', name: 'npm test', runs: 1, ms: 5 }],
}

it.each<[string, readonly (AttemptCosts | null)[], boolean]>([
  ['no check ran', [NO_CHECK], false],
  ['a check ran', [A_CHECK], true],
  ['a check ran for one of several tasks', [NO_CHECK, A_CHECK], true],
  ['it is not known what ran', [null], true],
])('says whether a check may have changed files: %s', async (_name, costs, expected) => {
  const asked: boolean[] = []
  const { mark } = recordTrees(async (hasRun) => {
    asked.push(hasRun)
    return TREE
  })
  const events = costs.map((each, at) => finishedAttempt(`1-${at}`, { costs: each }))
  expect(await mark?.(events)).toEqual(
    events.map((event) => ({ ...event, result: { ...event.result, tree: TREE } })),
  )
  expect(asked).toEqual([expected])
})

it('asks for no tree where nothing was judged, or where the tree is known', async () => {
  const { mark } = recordTrees(async () => {
    throw new Error('It was asked for.')
  })
  const events = [finishedAttempt('1', { verdict: null }), finishedAttempt('2', { tree: TREE })]
  expect(await mark?.(events)).toEqual(events)
})
