import { expect, test } from 'vitest'
import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { NEED_ACTIONS, type NeedKind } from '../../../../core/vocabulary/need.ts'
import { byNeed, likelyAction } from './needs.ts'

const need = (kind: NeedKind): Need => ({
  kind,
  workspace: 'a',
  id: 'a',
  reason: `Because of ${kind}.`,
  action: NEED_ACTIONS[kind],
})

function workspace(id: string, kinds: readonly NeedKind[], some: Partial<Workspace> = {}): Workspace {
  return {
    id,
    paused: null,
    running: null,
    shield: 'none',
    unreviewed: 0,
    score: { score: 0 },
    needs: kinds.map(need),
    ...some,
  } as Workspace
}

test.each([
  ['suspension', 'Review', '#/w/a'],
  ['approve', 'Approve', '#/w/a/today/approve'],
  ['blocked', 'Unblock', '#/w/a/blocked'],
  ['contract-unreadable', 'View', '#/w/a/contract'],
  ['finding', 'View', '#/w/a'],
] as const)('%s links to where the operator can act on it', (kind, label, address) => {
  expect(likelyAction(workspace('a', [kind, 'finding']))).toEqual({ kind: 'go', label, address })
})

test.each([
  ['idle', {}, 'Run now'],
  ['running', { running: { cycle: 3, startedAt: '', attempt: null } }, 'View'],
  ['paused', { shield: 'paused', paused: { since: '', until: null } }, 'Resume'],
  ['in lockdown', { shield: 'lockdown' }, 'Run now'],
] as const)(
  'a workspace that is %s needs nothing, and offers the most likely action',
  (_title, some, label) => {
    expect(likelyAction(workspace('a', [], some as Partial<Workspace>)).label).toBe(label)
  },
)

test('puts workspaces that need the operator first, by urgency; the others keep their order', () => {
  const all = [
    workspace('fine', []),
    workspace('stuck', ['blocked']),
    workspace('good', []),
    workspace('held', ['suspension']),
    workspace('also-stuck', ['blocked', 'finding']),
    workspace('last', []),
  ]
  const order = byNeed(all).map(({ id }) => id)
  expect(order).toEqual(['held', 'stuck', 'also-stuck', 'fine', 'good', 'last'])
  expect(byNeed(byNeed(all)).map(({ id }) => id)).toEqual(order)
})
