import { expect, test } from 'vitest'
import type { Score } from './score.ts'
import { trustAnswer } from './trust-answer.ts'
import type { Workspace } from './workspace.ts'

function workspace(
  name: string,
  score: Partial<Score> = {},
  shield: Workspace['shield'] = 'none',
): Workspace {
  return {
    name,
    shield,
    unreviewed: 0,
    score: { verified: 0, failed: 0, unclear: 0, contradictions: 0, ...score },
  } as Workspace
}

/** Returns the answer without the marks that isolate a name's text direction. */
function answer(...workspaces: Workspace[]): string {
  const { lead, why } = trustAnswer(workspaces)
  return `${lead} ${why}`.replaceAll(/[\u2068\u2069]/gu, '')
}

test.each([
  [[], 'Not known yet. Nothing has been judged today.'],
  [[workspace('a')], 'Not known yet. Nothing has been judged today.'],
  [[workspace('a', { unclear: 2 })], 'Not known yet. 2 verdicts of today are unclear, and none says more.'],
  [[workspace('a', { verified: 1 })], 'Yes. The one verdict of today is verified.'],
  [
    [workspace('a', { verified: 3 }), workspace('b', { verified: 2, unclear: 1 })],
    'Yes. All 5 verdicts of today are verified. 1 more is unclear.',
  ],
  [
    [workspace('a', { verified: 3, failed: 1 })],
    'Mostly. 3 of 4 verdicts of today are verified, and no claim was contradicted.',
  ],
  [
    [workspace('a', { verified: 1, failed: 2 })],
    'Not much today. 1 of 3 verdicts of today are verified, and no claim was contradicted.',
  ],
  [
    [workspace('a', { verified: 9, failed: 1, contradictions: 1 })],
    'Not everything they say. 1 contradiction today.',
  ],
  [
    [workspace('a', { contradictions: 1 }), workspace('b'), workspace('c', { contradictions: 2 })],
    'Not everything they say. 3 contradictions today in a and c.',
  ],
  [
    [workspace('a', {}, 'suspended'), workspace('b', { contradictions: 1 }, 'lockdown'), workspace('c')],
    'Not all of them. a is suspended for your review; b is in lockdown. 1 contradiction today in b.',
  ],
  [[workspace('a', {}, 'escalated')], 'No. a is below zero today.'],
] as const)('answers in words: %#', (workspaces, expected) => {
  expect(answer(...workspaces)).toBe(expected)
})

test('counts many names, and isolates the text direction of each', () => {
  const locked = ['a', 'b', 'c', 'd'].map((name) => workspace(name, {}, 'lockdown'))
  expect(answer(...locked, workspace('e'))).toBe('Not all of them. 4 workspaces are in lockdown.')
  expect(trustAnswer([workspace('بريد', {}, 'lockdown')]).why).toBe('\u2068بريد\u2069 is in lockdown.')
})

test('keeps unreviewed contradictions in the answer on later days', () => {
  const seen = workspace('a', { verified: 3 })
  const unseen = { ...workspace('b', { verified: 3 }), unreviewed: 2 }
  expect(answer(unseen)).toBe('Not everything they say. 2 contradictions, not reviewed.')
  expect(answer(seen, unseen)).toBe('Not everything they say. 2 contradictions, not reviewed, in b.')
})
