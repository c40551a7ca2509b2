import { expect, test } from 'vitest'
import { DEFAULT_ADAPTIVE_TIMEOUT } from '../configuration/adaptive-timeout.ts'
import type { AttemptResult, EventBody } from '../record/events.ts'
import { fold } from '../record/fold.ts'
import { attemptFinished, cycleStarted, recorded, sampleTask } from '../record/testing/sample-events.ts'
import { blockedTaskViews } from './blocked-task.ts'

const NONE = { baseSeconds: null, multiplier: 1, keywords: [] }
const RULES = {
  ...DEFAULT_ADAPTIVE_TIMEOUT,
  complexity: { simple: NONE, medium: NONE, complex: NONE, ui_heavy: NONE },
}

function reasonAfter(some: Partial<AttemptResult>): string | undefined {
  const result = { attemptId: 'a1', verdict: 'not_verified', fault: 'agent', points: -15, ...some } as const
  const events: EventBody[] = [
    { type: 'contract-read', hash: 'h', tasks: [sampleTask('mail', { maxAttempts: 1 })] },
    cycleStarted(1),
    attemptFinished({ taskId: 'mail', ...result }),
  ]
  return blockedTaskViews(fold(recorded(events)), RULES, false)[0]?.reason
}

test.each<[string, Partial<AttemptResult>, string]>([
  [
    'a contradiction is called one',
    { groundTruthContradiction: true },
    '1 of 1 attempts failed: 1 contradiction',
  ],
  [
    'an honest failure is not called a contradiction',
    { groundTruthContradiction: false },
    '1 of 1 attempts failed: 1 not verified',
  ],
])('%s on the list of blocked tasks', (_title, result, reason) => {
  expect(reasonAfter(result)).toBe(reason)
})
