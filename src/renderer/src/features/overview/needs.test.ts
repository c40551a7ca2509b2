import { expect, test } from 'vitest'
import type { Notice, Workspace } from '../../../../api/schemas/workspace.ts'
import { byNeed, needOf } from './needs.ts'

function workspace(id: string, some: Partial<Workspace> = {}): Workspace {
  return {
    id,
    name: id,
    trust: 'approved',
    suspended: null,
    paused: null,
    running: null,
    shield: 'none',
    score: { failed: 2 },
    counts: { open: 0, verified: 0, failed: 0, skipped: 0, blocked: 0 },
    notices: [],
    ...some,
  } as Workspace
}

const blocked = (count: number) => ({
  counts: { open: 0, verified: 0, failed: 0, skipped: 0, blocked: count },
})
const notice = (code: string, some: Partial<Notice> = {}): Notice => ({
  code,
  taskId: null,
  message: 'the agent could not run',
  remedy: null,
  at: '2026-11-20T10:00:00+01:00',
  ...some,
})
const suspended = { since: '2026-11-20T10:00:00+01:00', reason: '3 attempts that changed no file' }

test.each([
  ['a suspension', { suspended, trust: 'changed' }, 'Review', '#/w/a', '3 attempts that changed no file.'],
  ['commands to approve', { trust: 'unapproved', ...blocked(2) }, 'Approve', '#/w/a', 'Nothing runs before'],
  ['a changed configuration', { trust: 'changed' }, 'Approve', '#/w/a', 'has changed since'],
  ['no configuration', { trust: 'missing' }, 'Look', '#/w/a', 'no pulseward.toml'],
  ['lockdown', { shield: 'lockdown' }, 'Look', '#/w/a/timeline', 'In lockdown with 2 failed verdicts.'],
  [
    'lockdown with blocked tasks',
    { shield: 'lockdown', ...blocked(1) },
    'Unblock',
    '#/w/a/blocked',
    'In lockdown with 2 failed verdicts; 1 task has no attempts left.',
  ],
  ['blocked tasks', { shield: 'escalated', ...blocked(2) }, 'Unblock', '#/w/a/blocked', '2 tasks have'],
  ['one blocked task', blocked(1), 'Unblock', '#/w/a/blocked', '1 task has'],
  [
    'a weakened contract',
    { notices: [notice('contract_weakened')], ...blocked(1) },
    'Look',
    '#/w/a',
    'The agent',
  ],
  [
    'an unreadable contract',
    { notices: [notice('contract-unreadable')] },
    'Look',
    '#/w/a/contract',
    'The agent',
  ],
  ['a score below zero', { shield: 'escalated' }, 'Look', '#/w/a/timeline', 'Below zero today'],
  [
    'trouble of the environment',
    { notices: [notice('backed-off', { remedy: 'Run `codex login`.' })] },
    'Look',
    '#/w/a',
    'The agent could not run Run `codex login`.',
  ],
] as const)('%s asks for the operator', (_title, some, label, address, reason) => {
  const need = needOf(workspace('a', some as Partial<Workspace>))
  expect(need.urgency).not.toBeNull()
  expect(need.action).toEqual({ kind: 'go', label, address })
  expect(need.reason).toContain(reason)
})

test.each([
  ['idle', {}, 'Run now'],
  ['running', { running: { cycle: 3, startedAt: '', attempt: null } }, 'Watch'],
  ['paused', { shield: 'paused', paused: { since: '', until: null } }, 'Resume'],
  ['tightened', { shield: 'tightened' }, 'Run now'],
] as const)('one that is %s asks for nothing, and offers what is likely', (_title, some, label) => {
  const need = needOf(workspace('a', some as Partial<Workspace>))
  expect(need).toMatchObject({ urgency: null, reason: null, action: { label } })
})

test('who needs the operator stands first, the most urgent before; else nothing changes its place', () => {
  const all = [
    workspace('fine'),
    workspace('stuck', blocked(1)),
    workspace('good', { shield: 'outstanding' }),
    workspace('held', { suspended }),
    workspace('also-stuck', blocked(9)),
    workspace('last'),
  ]
  const order = byNeed(all).map(({ id }) => id)
  expect(order).toEqual(['held', 'stuck', 'also-stuck', 'fine', 'good', 'last'])
  expect(byNeed(byNeed(all)).map(({ id }) => id)).toEqual(order)
})
