import { expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { penaltyEndsAt, resolvePenalty, resolveStanding } from '../scoring/standing.ts'
import { PENALTY_TIERS } from '../vocabulary/standing.ts'
import { lockdownMessage } from './lockdown-message.ts'
import { intervalWords, isHonestDay, shieldOfDay, standingWords } from './standing-words.ts'

const TODAY = '2026-03-02'

function state(points: number, attempts: readonly Partial<AttemptSummary>[], verifiedCount = 0) {
  const today = { date: TODAY, score: points, target: 50, verifiedCount, judgedCount: 1 }
  return {
    attempts: attempts.map((attempt) => ({ day: TODAY, comparisons: [], points: -15, ...attempt })),
    score: { today, lifetime: { currentStreak: 0 } },
    rules: DEFAULT_SCORING,
  } as unknown as WorkspaceState
}

const say = (given: WorkspaceState) => standingWords(given, resolveStanding(given.score, DEFAULT_SCORING, 15))

const lie = {
  taskId: 'answer_urgent',
  verdict: 'not_verified',
  groundTruthContradiction: true,
  points: -45,
  comparisons: [{ subject: 'drafts', claimed: '3', measured: '0', agrees: false }],
} as const
const undone = { taskId: 'tidy_inbox', verdict: 'not_verified', groundTruthContradiction: false } as const

test('names the task of a lockdown, its claim, its measurement, and what ends it', () => {
  expect(say(state(-45, [lie]))).toBe(
    'Lockdown: answer_urgent claimed drafts 3, measured 0. All tasks are required until the score reaches −10 (35 more points) or midnight.',
  )
})

const tell = (given: WorkspaceState) =>
  lockdownMessage('w', given, resolveStanding(given.score, DEFAULT_SCORING, 15))

test('a notification of lockdown says once what happened, and in full if there was more', () => {
  expect(tell(state(-45, [lie]))).toEqual({
    title: 'w: the agent said drafts was “3”; measured “0”.',
    body: 'Lockdown. All tasks are required until the score reaches −10 (35 more points) or midnight.',
  })
  expect(tell(state(-60, [lie, undone])).body).toMatch(
    /^Lockdown: answer_urgent claimed drafts 3, measured 0; tidy_inbox was not done\. /u,
  )
  const yesterday = { ...undone, day: '2026-03-01' }
  expect(tell(state(-45, [lie, yesterday])).body).toMatch(/^Lockdown\. All tasks/u)
})

const hint = {
  subject: 'changed("week.md")',
  claimed: 'done',
  measured: 'does not hold',
  agrees: false,
  isHint: true,
} as const

test('names a contradicted reading before the check, and a file before the claim of completion', () => {
  const [reading] = lie.comparisons
  expect(say(state(-45, [{ ...lie, comparisons: [hint, reading] }]))).toContain(
    'answer_urgent claimed drafts 3, measured 0.',
  )
  const file = { subject: 'week.md', claimed: 'written', measured: 'not written', agrees: false } as const
  expect(say(state(-45, [{ ...lie, comparisons: [hint, file] }]))).toContain(
    'answer_urgent claimed to have written week.md, but did not.',
  )
})

test('names the expression for a check alone, with the values that were read', () => {
  const lied = (measured: string) => say(state(-45, [{ ...lie, comparisons: [{ ...hint, measured }] }]))
  expect(lied('does not hold')).toContain('claimed done, but changed("week.md") fails.')
  expect(lied('tests 1 of 2')).toContain('claimed done, but changed("week.md") fails (tests 1 of 2).')
})

test('says so if the agent claimed completion and nothing changed', () => {
  const completion = { subject: 'completion', claimed: 'done', measured: 'nothing changed', agrees: false }
  expect(say(state(-45, [{ ...lie, comparisons: [completion] }]))).toContain(
    'claimed done, but nothing changed.',
  )
})

test('calls an honest failure by that name, even if it cost many points', () => {
  const honest = state(-30, [undone, { ...undone, taskId: 'fix_flaky' }])
  expect(say(honest)).toBe(
    'Behind: tidy_inbox and fix_flaky were not done, and no claim was false. All tasks are required until the score reaches −10 (20 more points) or midnight.',
  )
  expect(isHonestDay(honest)).toBe(true)
  expect(shieldOfDay(honest, 'lockdown')).toBe('behind')
  expect(shieldOfDay(honest, 'tightened')).toBe('tightened')
  expect(isHonestDay(state(-45, [lie]))).toBe(false)
  expect(shieldOfDay(state(-45, [undone, lie]), 'lockdown')).toBe('lockdown')
  // Points lost without a failure say nothing about honesty.
  expect(shieldOfDay(state(-45, []), 'lockdown')).toBe('lockdown')
})

test('does not call a false claim of completion an honest failure', () => {
  const claimed = {
    ...undone,
    comparisons: [{ subject: 'exists("x")', claimed: 'done', measured: 'does not hold', agrees: false }],
  }
  expect(say(state(-15, [claimed]))).toContain('the agent said tidy_inbox was done; it wasn’t.')
  expect(isHonestDay(state(-15, [claimed]))).toBe(false)
})

test('ignores overruled attempts and those of yesterday as causes', () => {
  const overruled = { ...lie, verdict: 'verified' } as const
  expect(isHonestDay(state(-15, [overruled, { ...lie, day: '2026-03-01' }]))).toBe(true)
})

test('never shows words of the prompt to the operator', () => {
  for (const points of [-45, -5, 3, 10, 28, 40, 47, 50]) {
    expect(say(state(points, [lie], 4))).not.toMatch(/Keep|strong|DO NOT|claiming/)
  }
  expect(say(state(40, [], 4))).toBe('Excellent: 4 verified today, 10 points to target.')
})

test('explains the interval with the same facts, and not at all if it is as configured', () => {
  const given = state(-45, [lie])
  const standing = resolveStanding(given.score, DEFAULT_SCORING, 15)
  expect(intervalWords(given, standing, 15)).toBe(
    'Every 8 minutes in lockdown: answer_urgent claimed drafts 3, measured 0. It lasts until the score reaches −10 (35 more points) or midnight. The setting is 15.',
  )
  const calm = state(0, [])
  expect(intervalWords(calm, { ...standing, level: 'none', penalty: 'none', intervalMinutes: 15 }, 15)).toBe(
    'Every 15 minutes, as set.',
  )
})

test.each(PENALTY_TIERS)('ends %s exactly at the points that are named', (level) => {
  for (const target of [1, 37, 50, 91, 133, 500]) {
    const end = penaltyEndsAt(level, target, DEFAULT_SCORING)
    const order = [...PENALTY_TIERS, 'none']
    const at = (points: number) => order.indexOf(resolvePenalty(points, target, DEFAULT_SCORING))
    expect(at(end)).toBeGreaterThan(order.indexOf(level))
    expect(at(end - 1)).toBeLessThanOrEqual(order.indexOf(level))
  }
})

test('does not warn at the first success of a day, but at a failure', () => {
  const first = state(10, [{ taskId: 'mail', verdict: 'verified', groundTruthContradiction: false }], 1)
  expect(resolvePenalty(10, 50, DEFAULT_SCORING)).toBe('warning')
  expect(shieldOfDay(first, 'warning')).toBe('none')
  expect(say(first)).toBe('')
  const failed = state(10, [undone], 1)
  expect(shieldOfDay(failed, 'warning')).toBe('warning')
  expect(say(failed)).toMatch(
    /^Warning: tidy_inbox was not done, and no claim was false\. The agent’s prompts say so until/,
  )
  expect(shieldOfDay(state(0, []), 'warning')).toBe('warning')
})
