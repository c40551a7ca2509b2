import { describe, expect, test } from 'vitest'
import type { TaskStatus } from '../vocabulary/task.ts'
import {
  initCycleProgress,
  isBlocked,
  NO_PROGRESS,
  openTasks,
  recordAttempt,
  reopenTask,
  replaceVerdict,
} from './progress.ts'
import type { CycleProgress, ProgressTask, TaskProgress } from './types.ts'

const NOTHING_OPENED = { reopened: new Set<string>() }

function task(id: string, change: Partial<ProgressTask> = {}): ProgressTask {
  return { id, maxAttempts: 3, checked: false, ...change }
}

function progressOf(status: TaskStatus, attempts: number): CycleProgress {
  const entry: TaskProgress = {
    taskId: 'mail',
    status,
    attempts,
    lastAttemptAt: '2025-03-10T10:00:00+01:00',
    lastResult: 'earlier',
    maxAttempts: 3,
  }
  return { lastCycleAt: '2025-03-10T10:01:00+01:00', cycleCount: 7, tasks: { mail: entry } }
}

describe('a new heartbeat', () => {
  test.each([
    ['checked', progressOf('pending', 2), { checked: true }, 'verified', 0],
    ['checked, blocked before', progressOf('failed', 3), { checked: true }, 'verified', 0],
    ['failed, no attempts left', progressOf('failed', 3), {}, 'failed', 3],
    ['failed, fewer attempts allowed now', progressOf('failed', 2), { maxAttempts: 2 }, 'failed', 2],
    ['failed, attempts left', progressOf('failed', 2), {}, 'pending', 2],
    ['failed, more attempts allowed now', progressOf('failed', 3), { maxAttempts: 5 }, 'pending', 3],
    ['verified', progressOf('verified', 2), {}, 'pending', 0],
    ['skipped', progressOf('skipped', 1), {}, 'pending', 0],
    ['unclear or not run', progressOf('pending', 2), {}, 'pending', 2],
    ['new', null, {}, 'pending', 0],
  ] as const)('%s', (_name, previous, change, status, attempts) => {
    const progress = initCycleProgress([task('mail', change)], previous, NOTHING_OPENED)
    expect(progress.tasks.mail).toMatchObject({ status, attempts })
  })

  test('opens a checked task if a measurement contradicts its box, and does not unblock it', () => {
    const reopened = { reopened: new Set(['mail']) }
    const checked = [task('mail', { checked: true })]
    expect(initCycleProgress(checked, null, reopened).tasks.mail?.status).toBe('pending')
    expect(initCycleProgress(checked, progressOf('failed', 1), reopened).tasks.mail).toMatchObject({
      status: 'pending',
      attempts: 1,
    })
    expect(initCycleProgress(checked, progressOf('failed', 3), reopened).tasks.mail?.status).toBe('failed')
  })

  test('forgets tasks that left the contract and keeps count, times and last results', () => {
    const progress = initCycleProgress([task('report')], progressOf('failed', 1), NOTHING_OPENED)
    expect(Object.keys(progress.tasks)).toEqual(['report'])
    expect(progress).toMatchObject({ cycleCount: 7, lastCycleAt: '2025-03-10T10:01:00+01:00' })
    const kept = initCycleProgress([task('mail')], progressOf('verified', 1), NOTHING_OPENED)
    expect(kept.tasks.mail).toMatchObject({
      lastAttemptAt: '2025-03-10T10:00:00+01:00',
      lastResult: 'earlier',
    })
  })

  test('uses the first of several tasks with the same id, and none without an id', () => {
    const progress = initCycleProgress(
      [task('mail', { maxAttempts: 1 }), task(''), task('mail', { maxAttempts: 9 })],
      null,
      NOTHING_OPENED,
    )
    expect(Object.keys(progress.tasks)).toEqual(['mail'])
    expect(progress.tasks.mail?.maxAttempts).toBe(1)
  })

  test.each(['constructor', '__proto__', 'toString'])('treats a task called %s like any other', (id) => {
    let progress = initCycleProgress([task(id)], NO_PROGRESS, NOTHING_OPENED)
    expect(openTasks(progress, [id])).toEqual([id])
    progress = recordAttempt(progress, id, { verdict: 'not_verified', skipped: false, at: 't', result: 'r' })
    expect(openTasks(progress, [id])).toEqual([])
    expect(Object.entries(progress.tasks)).toMatchObject([[id, { attempts: 1, status: 'failed' }]])
    expect(Object.getPrototypeOf(progress.tasks)).toBe(Object.prototype)
  })
})

describe('an attempt', () => {
  test.each([
    ['verified', false, 'verified', 2],
    ['not_verified', false, 'failed', 2],
    ['unclear', false, 'pending', 2],
    [null, true, 'skipped', 1],
    [null, false, 'pending', 1],
    ['not_verified', true, 'failed', 2],
  ] as const)('with verdict %s, skipped %s: %s after %d attempts', (verdict, skipped, status, attempts) => {
    const progress = recordAttempt(progressOf('pending', 1), 'mail', {
      verdict,
      skipped,
      at: 'now',
      result: 'why',
    })
    expect(progress.tasks.mail).toMatchObject({ status, attempts, lastAttemptAt: 'now', lastResult: 'why' })
  })

  test('changes nothing for a task that left the contract', () => {
    const progress = progressOf('pending', 1)
    const outcome = { verdict: 'verified', skipped: false, at: 'now', result: '' } as const
    expect(recordAttempt(progress, 'gone', outcome)).toBe(progress)
    expect(replaceVerdict(progress, 'gone', 'verified', '')).toBe(progress)
  })

  test.each([
    ['verified', 'verified'],
    ['not_verified', 'failed'],
    ['unclear', 'pending'],
  ] as const)('overruled to %s leaves the task %s, and keeps its count of attempts', (verdict, status) => {
    const progress = replaceVerdict(progressOf('failed', 3), 'mail', verdict, 'why')
    expect(progress.tasks.mail).toMatchObject({ status, attempts: 3, lastResult: 'why' })
  })
})

test('returns the pending tasks as open, in the given order, each once', () => {
  let progress = initCycleProgress(
    ['a', 'b', 'c'].map((id) => task(id)),
    null,
    NOTHING_OPENED,
  )
  progress = recordAttempt(progress, 'b', { verdict: 'verified', skipped: false, at: '', result: '' })
  expect(openTasks(progress, ['c', 'b', 'a', 'c', 'unknown'])).toEqual(['c', 'a'])
})

test.each([
  ['failed', 3, true],
  ['failed', 4, true],
  ['failed', 2, false],
  ['pending', 3, true],
  ['pending', 2, false],
  ['verified', 3, false],
] as const)('a task that is %s after %d of 3 attempts: blocked %s', (status, attempts, blocked) => {
  expect(isBlocked({ status, attempts, maxAttempts: 3 })).toBe(blocked)
})

describe('a blocked task that is opened again', () => {
  const blocked = progressOf('failed', 3)
  const attempt = (progress: CycleProgress) =>
    recordAttempt(progress, 'mail', { verdict: 'not_verified', skipped: false, at: 'now', result: 'no' })
  const cycle = (progress: CycleProgress, change: Partial<ProgressTask> = {}) =>
    initCycleProgress([task('mail', change)], progress, NOTHING_OPENED)

  test('is pending with no attempts used, and keeps its last result', () => {
    expect(reopenTask(blocked, 'mail', null).tasks.mail).toEqual({
      taskId: 'mail',
      status: 'pending',
      attempts: 0,
      lastAttemptAt: '2025-03-10T10:00:00+01:00',
      lastResult: 'earlier',
      maxAttempts: 3,
    })
  })

  test('is blocked again after the granted attempts, whether fewer or more than the contract allows', () => {
    const once = attempt(cycle(reopenTask(blocked, 'mail', 1)))
    expect(cycle(once).tasks.mail).toMatchObject({ status: 'failed', attempts: 1, maxAttempts: 1 })
    const often = attempt(cycle(reopenTask(blocked, 'mail', 2), { maxAttempts: 1 }))
    expect(cycle(often, { maxAttempts: 1 }).tasks.mail).toMatchObject({ status: 'pending', maxAttempts: 2 })
  })

  test.each([
    ['verified', 'verified' as const, false],
    ['skipped', null, true],
  ])('has the contract’s attempts again once it was %s', (_name, verdict, skipped) => {
    const limited = cycle(reopenTask(blocked, 'mail', 1))
    const done = recordAttempt(limited, 'mail', { verdict, skipped, at: 'now', result: 'r' })
    expect(cycle(done).tasks.mail).toMatchObject({ status: 'pending', attempts: 0, maxAttempts: 3 })
    expect(cycle(done).tasks.mail).not.toHaveProperty('attemptLimit')
  })

  test('has the contract’s attempts again once it is unblocked without a limit', () => {
    const again = cycle(reopenTask(attempt(cycle(reopenTask(blocked, 'mail', 1))), 'mail', null))
    expect(again.tasks.mail).toMatchObject({ status: 'pending', attempts: 0, maxAttempts: 3 })
  })

  test('changes nothing if the task is not in the progress', () => {
    for (const id of ['report', '__proto__', 'constructor']) expect(reopenTask(blocked, id, 1)).toBe(blocked)
  })
})
