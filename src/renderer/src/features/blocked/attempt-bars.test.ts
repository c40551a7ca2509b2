import { expect, test } from 'vitest'
import { attemptBars, type PastAttempt, pastKind } from './attempt-bars.ts'

function attempt(attemptId: string, timeoutSeconds: number, durationMs: number): PastAttempt {
  return {
    kind: 'attempt',
    attemptId,
    at: '2026-11-20T12:00:00+00:00',
    outcome: 'completed',
    verdict: 'not_verified',
    fault: 'agent',
    durationMs,
    timeoutSeconds,
    reason: '',
    gateUnavailable: false,
    criteria: { met: 0, total: 0 },
  }
}

test('draws attempts on one scale, with the longest timeout at full width', () => {
  const bars = attemptBars([attempt('b', 200, 200_400), attempt('a', 100, 25_000)])
  expect(bars.get('b')).toEqual({ timeout01: 1, duration01: 1 })
  expect(bars.get('a')).toEqual({ timeout01: 0.5, duration01: 0.125 })
})

test('draws no bar for an unblock, and nothing for a history without attempts', () => {
  const unblock = { kind: 'unblock', at: '', by: 'operator', reason: '', timeoutSeconds: null } as const
  expect(attemptBars([unblock]).size).toBe(0)
})

test('does not show an attempt that the environment stopped as a failure', () => {
  expect(pastKind({ ...attempt('a', 100, 1), verdict: null, fault: 'environment' })).toBe('environment')
})
