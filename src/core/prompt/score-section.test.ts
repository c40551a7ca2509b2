import { describe, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { initialScore } from '../scoring/ratchet.ts'
import { resolveStanding } from '../scoring/standing.ts'
import { buildScorePromptSection } from './score-section.ts'

function section(score: number, target: number, rules = DEFAULT_SCORING): string {
  const start = initialScore('2025-03-10', rules)
  const state = {
    ...start,
    today: { ...start.today, score, target, judgedCount: 6, verifiedCount: 4, failedCount: 2 },
    lifetime: { ...start.lifetime, currentStreak: 1 },
  }
  return buildScorePromptSection(state, resolveStanding(state, rules, 15), rules)
}

test('shows progress, points needed, the counts of today and the streak', () => {
  const text = section(41, 82)
  expect(text).toContain(`[${'█'.repeat(10)}${'░'.repeat(10)}] 41 of 82 points`)
  expect(text).toContain("41 points still needed to reach today's target.")
  expect(text).toContain('Today: 4 verified, 2 failed. Streak: 1 day at or above target.')
  expect(text).toContain('**Good: on track, 41 points to target.**')
})

describe('the bar', () => {
  test.each([
    [-30, 50, 0, '−30 of 50'],
    [0, 50, 0, '0 of 50'],
    [49, 50, 19, '49 of 50'],
    [50, 50, 20, '50 of 50'],
    [400, 50, 20, '400 of 50'],
  ])('draws %d of %d points as %d cells', (score, target, cells, words) => {
    expect(section(score, target)).toContain(
      `[${'█'.repeat(cells)}${'░'.repeat(20 - cells)}] ${words} points`,
    )
  })
})

test('asks for no more points once the target is reached, and uses the singular for one point', () => {
  expect(section(50, 50)).toContain('The target of today is reached.')
  expect(section(49, 50)).toContain("1 point still needed to reach today's target.")
})

test('lists the rules with the configured points', () => {
  const text = section(0, 50, { ...DEFAULT_SCORING, verifiedRequired: 12 })
  for (const rule of [
    'required task verified: +12',
    'optional task verified: +5',
    'task not verified: −15',
    'measured: −30 more',
    'contradicted: −2',
    'thumbs up: +3, thumbs down: −10',
  ]) {
    expect(text).toContain(rule)
  }
})

test('says that the actual state is measured, that the operator watches, and that the ratchet makes gaming pointless', () => {
  const text = section(20, 50)
  expect(text).toMatch(/verifier reads the real state/)
  expect(text).toMatch(/operator sees this score live/)
  expect(text).toMatch(/ratchet.*never comes down.*gaming/)
  expect(text).toMatch(/^Do: /m)
  expect(text).toMatch(/^Don't: /m)
})

test('has no message without a standing', () => {
  expect(section(20, 50)).not.toContain('**')
  expect(section(-30, 50)).toContain('**Lockdown: ')
})
