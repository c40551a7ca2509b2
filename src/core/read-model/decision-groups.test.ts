import { expect, test } from 'vitest'
import type { NeedKind } from '../vocabulary/need.ts'
import { decisionGroups } from './decision-groups.ts'
import type { Need } from './need.ts'
import { mostUrgentFirst } from './urgency.ts'
import type { Workspace } from './workspace.ts'

const workspace = (id: string, needs: readonly (readonly [NeedKind, string, string?])[], some: object = {}) =>
  ({
    id,
    name: id,
    shield: 'none',
    unreviewed: 0,
    score: { score: 0 },
    needs: needs.map(
      ([kind, reason, about = id]): Need => ({ kind, workspace: id, id: about, reason, action: '' }),
    ),
    ...some,
  }) as unknown as Workspace

const said = (...workspaces: Workspace[]) =>
  decisionGroups(workspaces).map(
    ({ kind, by, needs }) => `${kind} ${by} ${needs.map(({ workspace: of, id }) => `${of}/${id}`).join(' ')}`,
  )

test('combines one cause in several workspaces into one decision', () => {
  const missing = ['agent-unavailable', 'claude is missing.'] as const
  expect(
    said(
      workspace('a', [missing]),
      workspace('b', [missing]),
      workspace('c', [['agent-unavailable', 'Not signed in.']]),
    ),
  ).toEqual(['agent-unavailable cause a/a b/b', 'agent-unavailable nothing c/c'])
})

test('suspensions for one reason are one decision, and one for another reason is another', () => {
  const still = ['suspension', 'Suspended: 3 attempts that changed no file.'] as const
  expect(
    said(
      workspace('a', [still]),
      workspace('b', [still]),
      workspace('c', [['suspension', 'Suspended: 2 false claims.']]),
    ),
  ).toEqual(['suspension cause a/a b/b', 'suspension nothing c/c'])
})

test('combines all blocked tasks of a workspace into one decision, and those of two workspaces into two', () => {
  expect(
    said(
      workspace('a', [
        ['blocked', 'x has no attempts left.', 'x'],
        ['blocked', 'y has no attempts left.', 'y'],
      ]),
      workspace('b', [['blocked', 'x has no attempts left.', 'x']]),
    ),
  ).toEqual(['blocked workspace a/x a/y', 'blocked nothing b/x'])
})

test('never groups decisions that are answered one by one', () => {
  expect(
    said(
      workspace('a', [
        ['held', 'same', 'a1'],
        ['held', 'same', 'a2'],
      ]),
      workspace('b', [['held', 'same', 'a1']]),
    ),
  ).toHaveLength(3)
})

test('puts the most urgent kind first, and within a kind the workspace with the worst standing', () => {
  expect(
    said(
      workspace('calm', [['blocked', 'r', 'x']]),
      workspace('lying', [['blocked', 'r', 'x']], { shield: 'lockdown' }),
      workspace('held', [['held', 'r', 'a1']]),
    ),
  ).toEqual(['held nothing held/a1', 'blocked nothing lying/x', 'blocked nothing calm/x'])
})

test('loses and duplicates no decision', () => {
  const all = Array.from({ length: 30 }, (_, index) =>
    workspace(`w${index}`, [
      ['agent-unavailable', index % 2 === 0 ? 'claude is missing.' : 'codex is missing.'],
      ['blocked', 'r', 'x'],
      ['blocked', 'r', 'y'],
    ]),
  )
  const groups = decisionGroups(all)
  expect(groups.flatMap(({ needs }) => needs)).toHaveLength(90)
  expect(groups).toHaveLength(32)
})

test.each<[string, object, object]>([
  ['lockdown before a waiting decision', { shield: 'lockdown' }, { needs: [{ kind: 'blocked' }] }],
  ['unreviewed work before a good standing', { shield: 'outstanding', unreviewed: 1 }, { shield: 'good' }],
  ['suspended before lockdown', { shield: 'suspended' }, { shield: 'lockdown' }],
  ['a decision before no decision', { needs: [{ kind: 'finding' }] }, {}],
])('puts the worst first: %s', (_title, worse, better) => {
  const [first, second] = [workspace('worse', [], worse), workspace('better', [], better)]
  expect([second, first].toSorted(mostUrgentFirst).map(({ id }) => id)).toEqual(['worse', 'better'])
  expect([first, second].toSorted(mostUrgentFirst).map(({ id }) => id)).toEqual(['worse', 'better'])
})
