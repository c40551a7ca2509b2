import { expect, test } from 'vitest'
import { foldAlike } from './alike.ts'
import type { PastAttempt } from './attempt-bars.ts'

const attempt = (attemptId: string, some: Partial<PastAttempt> = {}): PastAttempt => ({
  kind: 'attempt',
  attemptId,
  at: '2026-03-02T10:00:00Z',
  outcome: 'completed',
  verdict: 'not_verified',
  fault: 'agent',
  durationMs: 1000,
  timeoutSeconds: 120,
  reason: 'claimed drafts = 3, measured 0',
  gateUnavailable: false,
  criteria: { met: 0, total: 0 },
  ...some,
})
const unblock = {
  kind: 'unblock' as const,
  at: '2026-03-02T09:00:00Z',
  by: 'operator' as const,
  reason: '',
  timeoutSeconds: null,
}

test('folds consecutive attempts with the same ending into one line, however long they took', () => {
  const lines = foldAlike([attempt('c'), attempt('b', { durationMs: 9 }), attempt('a')])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    entry: { attemptId: 'c' },
    alike: [{ attemptId: 'b' }, { attemptId: 'a' }],
  })
})

test('starts a new line for another reason, another limit, or an unblock in between', () => {
  const lines = foldAlike([
    attempt('d'),
    attempt('c', { reason: 'claimed drafts = 4, measured 0' }),
    attempt('b', { reason: 'claimed drafts = 4, measured 0', timeoutSeconds: 60 }),
    unblock,
    attempt('a', { reason: 'claimed drafts = 4, measured 0', timeoutSeconds: 60 }),
  ])
  expect(lines.map(({ kind }) => kind)).toEqual(['attempt', 'attempt', 'attempt', 'unblock', 'attempt'])
})
