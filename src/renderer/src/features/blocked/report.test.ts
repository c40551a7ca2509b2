import { expect, test } from 'vitest'
import { sweepReport, unblockReport } from './report.ts'

const unblocked = {
  taskId: 'chart',
  level: 'ui_heavy',
  timeoutSeconds: 540,
  timeoutReason: 'set by the operator',
  maxAttempts: 3,
  maxTimeoutSeconds: 3600,
} as const

test('lists refused tasks first, with the reason', () => {
  const report = unblockReport({
    unblocked: [unblocked],
    refused: [{ taskId: 'tests', reason: 'It has been retried once already.' }],
  })
  expect(report).toEqual({
    summary: '1 task unblocked, 1 not.',
    lines: [
      { taskId: 'tests', words: 'Not unblocked. It has been retried once already.' },
      { taskId: 'chart', words: 'Unblocked, the next attempt may take 9 min: set by the operator' },
    ],
  })
})

test.each([
  [[unblocked], '1 task unblocked.'],
  [[], 'No task unblocked.'],
])('counts unblocked tasks if none was refused', (unblocked, summary) => {
  expect(unblockReport({ unblocked, refused: [] }).summary).toBe(summary)
})

test('names the checks that pass and those that could not be measured', () => {
  const report = sweepReport([
    { taskId: 'a', holds: false, reason: 'a is false' },
    { taskId: 'b', holds: true, reason: 'b is true' },
    { taskId: 'c', holds: null, reason: 'c names no probe' },
  ])
  expect(report).toEqual({
    summary: '3 tasks checked without running the agent: 1 passes now, 1 cannot be measured.',
    lines: [
      { taskId: 'b', words: 'b is true' },
      { taskId: 'c', words: 'c names no probe' },
    ],
  })
})

test('says so if a sweep found nothing', () => {
  expect(sweepReport([{ taskId: 'a', holds: false, reason: 'no' }]).summary).toMatch(/: none passes\.$/u)
})
