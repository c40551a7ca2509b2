import { expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { formatPoints, formatSignedPoints } from './format.ts'
import { pointsFor } from './points.ts'

test.each([
  ['verified', true, false, 10],
  ['verified', false, false, 5],
  ['not_verified', true, false, -15],
  ['not_verified', false, false, -15],
  ['not_verified', true, true, -45],
  ['not_verified', false, true, -45],
  ['unclear', true, false, -2],
  ['unclear', false, false, -2],
] as const)('%s, required %s, contradicted %s: %d points', (verdict, required, contradiction, points) => {
  expect(pointsFor({ verdict, required, groundTruthContradiction: contradiction }, DEFAULT_SCORING)).toBe(
    points,
  )
})

test.each([
  ['agent', -2],
  ['contract', 0],
  ['environment', 0],
  ['limit', 0],
  [null, 0],
] as const)('unclear through the fault of %s: %d points', (fault, points) => {
  const attempt = { verdict: 'unclear', required: true, groundTruthContradiction: false, fault } as const
  expect(pointsFor(attempt, DEFAULT_SCORING)).toBe(points)
})

test('does not pay again for a verified attempt with nothing new to show', () => {
  const attempt = { verdict: 'verified', required: true, groundTruthContradiction: false } as const
  expect(pointsFor({ ...attempt, scoresNothing: true }, DEFAULT_SCORING)).toBe(0)
})

test('follows the configured rules', () => {
  const rules = { ...DEFAULT_SCORING, verifiedOptional: 7, contradiction: -100 }
  expect(pointsFor({ verdict: 'verified', required: false, groundTruthContradiction: false }, rules)).toBe(7)
  expect(pointsFor({ verdict: 'not_verified', required: true, groundTruthContradiction: true }, rules)).toBe(
    -115,
  )
})

test('writes points with a real minus sign, and added ones with their sign', () => {
  expect([82, -15, 0].map(formatPoints)).toEqual(['82', '−15', '0'])
  expect([10, -15, 0].map(formatSignedPoints)).toEqual(['+10', '−15', '0'])
})
