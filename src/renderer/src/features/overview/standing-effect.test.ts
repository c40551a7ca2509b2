import { expect, test } from 'vitest'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { standingEffect } from './standing-effect.ts'

function workspace(some: Partial<Workspace>): Workspace {
  return {
    shield: 'none',
    trust: 'approved',
    paused: null,
    suspended: null,
    score: { intervalMinutes: 12 },
    ...some,
  } as Workspace
}

test.each([
  [{}, 'every 12 minutes'],
  [{ trust: 'unapproved' }, 'nothing runs'],
  [{ trust: 'missing' }, 'nothing runs'],
  [{ shield: 'warning' }, 'every 12 minutes, its prompts carry a warning'],
  [{ shield: 'lockdown' }, 'every 12 minutes, all tasks required'],
  [{ shield: 'paused', paused: { since: '', until: null } }, 'nothing runs'],
  [{ shield: 'suspended', suspended: { since: '', reason: '' } }, 'nothing runs'],
] as const)('%o means: %s', (some, words) => {
  expect(standingEffect(workspace(some as Partial<Workspace>))).toBe(words)
})

test('says when a pause ends', () => {
  const paused = { since: '', until: '2026-11-21T14:00:00Z' }
  expect(standingEffect(workspace({ shield: 'paused', paused }))).toMatch(/^nothing runs until .*2026/u)
})
