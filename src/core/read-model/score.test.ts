import { expect, test } from 'vitest'
import { verdictCounts } from './verdict-counts.ts'

test.each([
  [
    { verified: 2, failed: 3, contradictions: 2, unclear: 1 },
    { verified: 2, contradictions: 2, notVerified: 1, unclear: 1 },
  ],
  [
    { verified: 0, failed: 0, contradictions: 0, unclear: 0 },
    { verified: 0, contradictions: 0, notVerified: 0, unclear: 0 },
  ],
])('counts each verdict once: %o', (score, counts) => {
  expect(verdictCounts(score)).toEqual(counts)
  const { verified, contradictions, notVerified, unclear } = verdictCounts(score)
  expect(verified + contradictions + notVerified + unclear).toBe(
    score.verified + score.failed + score.unclear,
  )
})
