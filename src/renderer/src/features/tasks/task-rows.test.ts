import { expect, test } from 'vitest'
import type { Task } from '../../../../core/read-model/task.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { needsAttention, repeatsComparison, rowComparisons, taskRows } from './task-rows.ts'

function attempt(taskId: string, cycle: number, some: Partial<AttemptRow> = {}): AttemptRow {
  const verdict = { reasons: [], verdict: 'verified', groundTruthContradiction: false, fault: null } as const
  return { attemptId: `${taskId}-${cycle}`, taskId, cycle, ...verdict, ...some } as AttemptRow
}

function task(id: string, some: Partial<Task> = {}): Task {
  return { id, status: 'pending', blocked: false, waiting: null, ...some } as Task
}

const DETAIL = {
  tasks: [
    task('good'),
    task('lie'),
    task('busy'),
    task('new'),
    task('stuck', { status: 'failed', blocked: true }),
  ],
  attempts: [
    attempt('good', 2),
    attempt('lie', 2, { verdict: 'not_verified', groundTruthContradiction: true }),
    attempt('lie', 1),
    attempt('busy', 1, { verdict: 'unclear' }),
  ],
  running: { attempt: { attemptId: 'busy-2', taskId: 'busy' } },
  notices: [],
} as unknown as WorkspaceDetail

test('shows the latest attempt of each task in the contract, or what it waits for', () => {
  expect(taskRows(DETAIL, null).map(({ task: { id }, state }) => `${id} ${state}`)).toEqual([
    'good verified',
    'lie contradiction',
    'busy running',
    'new open',
    'stuck blocked',
  ])
})

test('shows only the tasks that a heartbeat tried, as they were then', () => {
  expect(taskRows(DETAIL, 1).map(({ task: { id }, state }) => `${id} ${state}`)).toEqual([
    'lie verified',
    'busy unclear',
  ])
})

test('asks the operator to look at failed tasks, not at open or unclear ones', () => {
  const asking = taskRows(DETAIL, null).filter(needsAttention)
  expect(asking.map(({ task: { id } }) => id)).toEqual(['lie', 'stuck'])
})

test('marks tasks whose work is held or whose check cannot be run as needing attention', () => {
  const detail = {
    ...DETAIL,
    running: null,
    tasks: [
      task('good', { waiting: 'review' }),
      task('new', { waiting: 'review' }),
      task('gate', { waiting: 'fix_gate' }),
    ],
    attempts: [attempt('good', 2, { verdict: 'unclear', review: { answer: null } as AttemptRow['review'] })],
  } as WorkspaceDetail
  const rows = taskRows(detail, null)
  expect(rows.map(({ task: { id }, state }) => `${id} ${state}`)).toEqual([
    'good held',
    'new held',
    'gate waiting',
  ])
  expect(rows.every(needsAttention)).toBe(true)
})

test('puts contradictions first among the comparisons of a row', () => {
  const comparisons = [true, null, false].map((agrees) => ({
    subject: String(agrees),
    claimed: '1',
    measured: '2',
    agrees,
  }))
  const shown = rowComparisons(attempt('lie', 2, { comparisons }), 2)
  expect(shown.map(({ subject }) => subject)).toEqual(['false', 'null'])
})

test.each([
  ['only repeats what is shown', '`exists("a.md")` fails', true],
  ['names another check', 'exists("b.md") fails', false],
  ['adds a detail', 'exists("a.md") fails: it is a folder', false],
])('a reason that %s', (_title, reason, repeats) => {
  const shown = [{ subject: 'exists("a.md")', claimed: 'done', measured: 'does not hold', agrees: false }]
  expect(repeatsComparison(reason, shown)).toBe(repeats)
})

test('leaves it to the notice above to say why an attempt could not run, and gives every other reason itself', () => {
  const missing = 'claude was not found on PATH.'
  const notice = { code: 'backed-off', taskId: null, message: missing, remedy: null, at: '' }
  const detail = {
    ...DETAIL,
    running: null,
    tasks: [task('same'), task('other'), task('honest')],
    attempts: [
      attempt('same', 2, { verdict: null, reasons: [missing] }),
      attempt('other', 2, { verdict: null, reasons: ['claude is not logged in.'] }),
      attempt('honest', 2, { reasons: ['the check passes'] }),
    ],
  } as unknown as WorkspaceDetail
  const told = (notices: WorkspaceDetail['notices']) =>
    taskRows({ ...detail, notices }, null).map(({ isToldAbove }) => isToldAbove)
  expect(told([notice])).toEqual([true, false, false])
  expect(told([{ ...notice, code: 'gate-unavailable' }])).toEqual([false, false, false])
  expect(told([])).toEqual([false, false, false])
})
