import { expect, test } from 'vitest'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { grouped, inOrder, type Order } from './arrange.ts'

const workspace = (name: string, some: object = {}) =>
  ({
    name,
    shield: 'none',
    unreviewed: 0,
    score: { score: 0 },
    needs: [],
    tags: [],
    agentId: null,
    running: null,
    next: { at: null },
    ...some,
  }) as unknown as Workspace

const calm = workspace('calm', { score: { score: 40 }, shield: 'good', next: { at: '2026-03-02T10:00:00Z' } })
const lying = workspace('lying', { score: { score: -39 }, shield: 'lockdown', running: {} })
const stuck = workspace('stuck', { score: { score: 9 }, needs: [{ kind: 'blocked' }] })
const all = [calm, stuck, lying]

test.each<[Order, readonly string[]]>([
  ['urgency', ['lying', 'stuck', 'calm']],
  ['score', ['lying', 'stuck', 'calm']],
  ['name', ['calm', 'lying', 'stuck']],
  ['next', ['lying', 'calm', 'stuck']],
])('sorted by %s, gives %j', (order, names) => {
  expect(inOrder(all, order).map(({ name }) => name)).toEqual(names)
})

test('lists a workspace under each of its tags, and those without tags last', () => {
  const both = workspace('both', { tags: ['team', 'night'] })
  const one = workspace('one', { tags: ['night'] })
  const groups = grouped([calm, both, one], 'tag')
  expect(groups.map(({ title, workspaces }) => [title, workspaces.map(({ name }) => name)])).toEqual([
    ['team', ['both']],
    ['night', ['both', 'one']],
    [null, ['calm']],
  ])
})

test('makes one group without a heading if not grouped', () => {
  expect(grouped(all, 'none')).toEqual([{ title: null, workspaces: all }])
})
