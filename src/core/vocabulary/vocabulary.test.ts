import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HELD_REASONS, HELD_WORDS, heldReasonSchema } from './held.ts'
import { INTERVENTION_ROWS, INTERVENTION_TYPES } from './intervention.ts'
import { PENALTY_TIERS, REWARD_TIERS, SHIELD_ROWS, SHIELDS, worstShieldFirst } from './standing.ts'
import { shownVerdict, verdictInWords, worstVerdict } from './verdict.ts'

const judged = { verdict: 'verified', groundTruthContradiction: false, fault: null } as const

test('shows a contradiction before its verdict, and without a verdict the environment or a skip', () => {
  expect(shownVerdict({ ...judged, verdict: 'not_verified', groundTruthContradiction: true })).toBe(
    'contradiction',
  )
  expect(shownVerdict({ ...judged, verdict: 'unclear', fault: 'environment' })).toBe('unclear')
  expect(shownVerdict({ ...judged, verdict: null, fault: 'environment' })).toBe('environment')
  expect(shownVerdict({ ...judged, verdict: null })).toBe('skipped')
})

test('shows the worst of a heartbeat’s attempts', () => {
  const refuted = { ...judged, verdict: 'not_verified' } as const
  expect(worstVerdict([judged, refuted, { ...judged, verdict: 'unclear' }])).toBe('not_verified')
  expect(worstVerdict([judged, { ...refuted, groundTruthContradiction: true }])).toBe('contradiction')
  expect(worstVerdict([{ ...judged, verdict: null }, judged])).toBe('verified')
  expect(worstVerdict([])).toBeNull()
})

test('writes a verdict within a sentence without underscore or capital', () => {
  expect(verdictInWords('not_verified')).toBe('not verified')
})

test('puts the shield that most needs the operator first, and a paused one last', () => {
  const shown = ['paused', 'none', 'outstanding', 'lockdown', 'suspended', 'warning'] as const
  expect(shown.toSorted(worstShieldFirst)).toEqual([
    'suspended',
    'lockdown',
    'warning',
    'none',
    'outstanding',
    'paused',
  ])
})

test('gives every tier its own title and glyph, so that color is never the only sign', () => {
  const rows = [...PENALTY_TIERS, ...REWARD_TIERS].map((tier) => SHIELD_ROWS[tier])
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length)
  expect(new Set(rows.map(({ glyph }) => JSON.stringify(glyph))).size).toBe(rows.length)
})

test('gives the page’s tokens the colors of the shields', () => {
  const css = readFileSync(new URL('../../renderer/src/ui/tokens.css', import.meta.url), 'utf8')
  const tokens = new Map(
    [...css.matchAll(/--([a-z]+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name, light, dark]) => [
      name,
      [light, dark],
    ]),
  )
  const shared = SHIELDS.filter((level) => tokens.has(level))
  expect(shared).toContain('lockdown')
  for (const level of shared) expect(tokens.get(level), level).toEqual(SHIELD_ROWS[level].colours)
})

test('gives no two interventions the same title', () => {
  const titles = INTERVENTION_TYPES.map((type) => INTERVENTION_ROWS[type].title)
  expect(new Set(titles).size).toBe(titles.length)
})

test('gives each reason for holding an attempt its own sentence', () => {
  const sentences = HELD_REASONS.map((reason) => HELD_WORDS[heldReasonSchema.parse(reason)])
  expect(new Set(sentences).size).toBe(HELD_REASONS.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
