import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_ADAPTIVE_TIMEOUT } from '../configuration/adaptive-timeout.ts'
import { isBlocked } from '../cycle/progress.ts'
import type { AttemptResult, EventBody } from './events.ts'
import { fold } from './fold.ts'
import { taskHistory } from './fold-task-history.ts'
import { planNextTimeout } from './next-timeout.ts'
import type { WorkspaceState } from './state.ts'
import { anyEvents } from './testing/arbitrary-events.ts'
import {
  attemptFinished,
  attemptStarted,
  contractRead,
  cycleStarted,
  recorded,
} from './testing/sample-events.ts'

const BEGUN = [contractRead('h1', 'mail', 'chart'), cycleStarted(1)]
const FAILED = { verdict: 'not_verified', fault: 'agent', points: -15 } as const
const STOPPED = { outcome: 'unavailable', verdict: null, fault: 'environment', points: 0 } as const
const WITHOUT_GATE = { verdict: 'unclear', fault: 'environment', points: -2, gateUnavailable: true } as const

let attempts = 0
function attempt(taskId: string, change: Partial<AttemptResult> = {}): EventBody {
  attempts++
  return attemptFinished({ attemptId: `a${attempts}`, taskId, ...change })
}
const failures = (taskId: string, count: number): EventBody[] =>
  Array.from({ length: count }, () => attempt(taskId, FAILED))

function unblocked(
  taskId: string,
  change: Partial<Extract<EventBody, { type: 'task-unblocked' }>> = {},
): EventBody {
  return {
    type: 'task-unblocked',
    taskId,
    reason: 'the disk was full',
    timeoutSeconds: null,
    by: 'operator',
    attemptLimit: null,
    ...change,
  }
}
const swept = (taskId: string, holds: boolean | null): EventBody => ({
  type: 'blocked-swept',
  results: [{ taskId, holds, reason: `holds: ${holds}` }],
})
const stateAfter = (...bodies: EventBody[]): WorkspaceState => fold(recorded([...BEGUN, ...bodies]))
const mailBlocked = (state: WorkspaceState): boolean => {
  const task = state.progress.tasks.mail
  return task !== undefined && isBlocked(task)
}

describe('an attempt', () => {
  it('is added to the history of its task, newest first', () => {
    const state = stateAfter(
      attempt('mail', { attemptId: 'first', ...FAILED, criteria: { met: 1, total: 2 } }),
      attempt('mail', { attemptId: 'second', outcome: 'timeout', ...FAILED, reasons: ['slow', 'silent'] }),
      attempt('chart'),
    )
    expect(taskHistory(state, 'mail').entries).toEqual([
      {
        kind: 'attempt',
        attemptId: 'second',
        at: '2025-03-10T10:03:00+01:00',
        outcome: 'timeout',
        verdict: 'not_verified',
        fault: 'agent',
        durationMs: 1000,
        timeoutSeconds: 120,
        reason: 'slow; silent',
        gateUnavailable: false,
        criteria: { met: 0, total: 0 },
      },
      expect.objectContaining({ attemptId: 'first', criteria: { met: 1, total: 2 } }),
    ])
    expect(taskHistory(state, 'chart').entries).toHaveLength(1)
  })

  it('counts its timeout and its duration, with fractions, by task and by kind of work', () => {
    const state = stateAfter(
      attempt('mail', { durationMs: 1500, complexity: 'simple' }),
      attempt('mail', { durationMs: 250, complexity: 'simple', ...FAILED }),
      attempt('chart', { durationMs: 9000, complexity: 'simple' }),
      attempt('chart', { durationMs: 8000, complexity: 'ui_heavy', outcome: 'timeout', ...FAILED }),
      attempt('chart', { outcome: 'timeout' }),
      attempt('chart', { outcome: 'error', ...FAILED }),
    )
    expect(state.levelSeconds).toEqual({ simple: [9, 0.25, 1.5] })
    expect(state.tasks.mail).toMatchObject({ completedSeconds: [0.25, 1.5], timeouts: 0 })
    expect(state.tasks.chart).toMatchObject({ completedSeconds: [9], timeouts: 2 })
  })

  it('teaches nothing about durations if the environment stopped it, but is listed', () => {
    const state = stateAfter(
      attempt('mail', { ...STOPPED, outcome: 'timeout' }),
      attempt('mail', { ...STOPPED, outcome: 'completed' }),
    )
    expect(state.levelSeconds).toEqual({})
    expect(state.tasks.mail).toMatchObject({ timeouts: 0, completedSeconds: [] })
    expect(state.tasks.mail?.entries).toHaveLength(2)
  })

  it('teaches its duration if it completed, even if a gate could not judge it', () => {
    const state = stateAfter(
      attempt('mail', WITHOUT_GATE),
      attempt('mail', { ...WITHOUT_GATE, outcome: 'timeout' }),
    )
    expect(state.tasks.mail).toMatchObject({
      timeouts: 1,
      completedSeconds: [1],
      entries: [{ gateUnavailable: true }, { gateUnavailable: true }],
    })
  })

  it('leaves no history if its task is not in the contract', () => {
    expect(stateAfter(attempt('gone')).tasks).toEqual({})
  })

  it('has the verdict that the operator gave it', () => {
    const state = stateAfter(attempt('mail', { attemptId: 'wrong', ...FAILED }), {
      type: 'verdict-overruled',
      attemptId: 'wrong',
      taskId: 'mail',
      attemptDay: '2025-03-10',
      from: 'not_verified',
      fromContradiction: false,
      to: 'verified',
      reason: 'I looked',
      pointsDelta: 25,
    })
    expect(state.tasks.mail?.entries).toMatchObject([{ verdict: 'verified', fault: null }])
  })
})

describe('infrastructure problems', () => {
  it.each([
    ['an agent that cannot run', STOPPED],
    ['a gate that cannot run', WITHOUT_GATE],
    ['a probe that cannot be read', { ...WITHOUT_GATE, gateUnavailable: false }],
  ])('%s never blocks a task nor uses up its attempts', (_name, trouble) => {
    const cycles = Array.from({ length: 9 }, (_, index) => [
      attempt('mail', trouble),
      cycleStarted(index + 2),
    ])
    const state = stateAfter(...cycles.flat())
    expect(state.progress.tasks.mail).toMatchObject({ status: 'pending', attempts: 0 })
    const failed = stateAfter(...cycles.flat(), attempt('mail', FAILED))
    expect(failed.progress.tasks.mail).toMatchObject({ status: 'failed', attempts: 1 })
    expect(mailBlocked(failed)).toBe(false)
  })

  it('cost their points even if the verdict is unclear', () => {
    expect(stateAfter(attempt('mail', WITHOUT_GATE)).score.today).toMatchObject({
      score: -2,
      unclearCount: 1,
    })
  })
})

describe('an unblock', () => {
  it('opens the task with all its attempts, and is recorded in the history', () => {
    const blocked = stateAfter(...failures('mail', 3))
    expect(mailBlocked(blocked)).toBe(true)
    const state = stateAfter(...failures('mail', 3), unblocked('mail', { timeoutSeconds: 900 }))
    expect(state.progress.tasks.mail).toMatchObject({ status: 'pending', attempts: 0, maxAttempts: 3 })
    expect(state.tasks.mail).toMatchObject({ unblockSeconds: 900, autoUnblocks: 0, timeouts: 0 })
    expect(state.tasks.mail?.entries[0]).toEqual({
      kind: 'unblock',
      at: '2025-03-10T10:05:00+01:00',
      by: 'operator',
      reason: 'the disk was full',
      timeoutSeconds: 900,
    })
    expect(state.tasks.mail?.entries).toHaveLength(4)
  })

  it('leaves the task open in the next cycle, and blocked again after as many failures', () => {
    const open = stateAfter(...failures('mail', 3), unblocked('mail'), cycleStarted(2))
    expect(open.progress.tasks.mail).toMatchObject({ status: 'pending', attempts: 0 })
    const twice = [...failures('mail', 3), unblocked('mail'), cycleStarted(2), ...failures('mail', 2)]
    expect(mailBlocked(stateAfter(...twice))).toBe(false)
    expect(mailBlocked(stateAfter(...twice, ...failures('mail', 1)))).toBe(true)
  })

  it('by retry counts as one and may grant fewer attempts', () => {
    const retry = unblocked('mail', { by: 'auto', attemptLimit: 1 })
    const events = [...failures('mail', 3), retry, cycleStarted(2), ...failures('mail', 1), cycleStarted(3)]
    const state = stateAfter(...events)
    expect(mailBlocked(state)).toBe(true)
    expect(state.tasks.mail).toMatchObject({ autoUnblocks: 1 })
    expect(stateAfter(...events, unblocked('mail')).tasks.mail).toMatchObject({ autoUnblocks: 1 })
  })

  it('of an unknown task changes only the position in the ledger', () => {
    const { seq: _seq, at: _at, ...state } = stateAfter(unblocked('gone', { timeoutSeconds: 9 }))
    const { seq: _seq2, at: _at2, ...before } = stateAfter()
    expect(state).toEqual(before)
  })

  it('sets only the next attempt’s timeout', () => {
    const plan = (...bodies: EventBody[]) =>
      planNextTimeout(
        { id: 'mail', description: 'Draw the Chart', criteria: [] },
        stateAfter(...bodies),
        DEFAULT_ADAPTIVE_TIMEOUT,
      )
    const timedOut = attempt('mail', { ...FAILED, outcome: 'timeout' })
    const events = [timedOut, ...failures('mail', 2), unblocked('mail', { timeoutSeconds: 5000 })]
    expect(plan()).toMatchObject({ level: 'ui_heavy', seconds: 360, source: 'scaled' })
    expect(plan(timedOut)).toMatchObject({ seconds: 540 })
    expect(plan(...events)).toMatchObject({ seconds: 5000, source: 'unblock' })
    expect(plan(...events, attempt('mail', STOPPED))).toMatchObject({ seconds: 5000 })
    expect(plan(...events, attempt('mail', STOPPED), attempt('mail', FAILED))).toMatchObject({
      seconds: 540,
    })
    expect(plan(...events, timedOut)).toMatchObject({ seconds: 810, source: 'scaled' })
  })
})

describe('a sweep', () => {
  it('is recorded at each blocked task; the latest one wins', () => {
    const state = stateAfter(...failures('mail', 3), swept('mail', false), swept('mail', true))
    expect(state.tasks.mail?.swept).toEqual({
      holds: true,
      reason: 'holds: true',
      at: '2025-03-10T10:06:00+01:00',
    })
  })

  it('records nothing about tasks that are not blocked, no longer blocked, or unknown', () => {
    const state = stateAfter(
      ...failures('mail', 3),
      unblocked('mail'),
      swept('mail', true),
      swept('chart', true),
      swept('__proto__', true),
    )
    expect(state.tasks.mail?.swept).toBeNull()
    expect(Object.keys(state.tasks)).toEqual(['mail'])
  })

  it('is dropped once the task is unblocked or verified', () => {
    const events = [...failures('mail', 3), swept('mail', true)]
    expect(stateAfter(...events).tasks.mail?.swept).not.toBeNull()
    expect(stateAfter(...events, unblocked('mail')).tasks.mail?.swept).toBeNull()
    expect(stateAfter(...events, attempt('mail')).tasks.mail?.swept).toBeNull()
  })
})

describe('the memory of a task', () => {
  it('is dropped with the task, and kept with it', () => {
    const state = stateAfter(attempt('mail'), attempt('chart'), contractRead('h2', 'chart'), cycleStarted(2))
    expect(Object.keys(state.tasks)).toEqual(['chart'])
    expect(state.levelSeconds.medium).toHaveLength(2)
  })

  it('has limits that no part of it exceeds', () => {
    const long = 'x'.repeat(5000)
    const many = Array.from({ length: 130 }, (_, index) =>
      attempt('mail', { attemptId: `m${index}`, durationMs: index * 1000, reasons: [long] }),
    )
    const state = stateAfter(...many, unblocked('mail', { reason: long }))
    const history = taskHistory(state, 'mail')
    expect(history.entries).toHaveLength(30)
    expect(history.entries[1]).toMatchObject({ attemptId: 'm129' })
    for (const entry of history.entries) expect(entry.reason).toHaveLength(300)
    expect(history.completedSeconds).toHaveLength(50)
    expect(history.completedSeconds[0]).toBe(129)
    expect(state.levelSeconds.medium).toHaveLength(100)
  })

  it('stays within its limits whatever the events', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const state = fold(events)
        for (const [taskId, history] of Object.entries(state.tasks)) {
          expect(Object.hasOwn(state.progress.tasks, taskId)).toBe(true)
          expect(history.entries.length).toBeLessThanOrEqual(30)
          expect(history.autoUnblocks).toBeGreaterThanOrEqual(
            history.entries.filter((entry) => entry.kind === 'unblock' && entry.by === 'auto').length,
          )
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('an unblock that is undone', () => {
  const undone = (taskId: string): EventBody => ({ type: 'unblock-undone', taskId })
  const blocked = [...failures('mail', 3), swept('mail', true)]

  it('leaves the task as it was before: blocked, with its attempts, finding and retry count', () => {
    const before = stateAfter(...blocked)
    const after = stateAfter(
      ...blocked,
      unblocked('mail', { by: 'auto', timeoutSeconds: 900, attemptLimit: 1 }),
      undone('mail'),
    )
    expect(mailBlocked(after)).toBe(true)
    expect(after.progress).toEqual(before.progress)
    expect(taskHistory(after, 'mail')).toEqual(taskHistory(before, 'mail'))
  })

  it('restores what an earlier unblock had left', () => {
    const state = stateAfter(
      ...blocked,
      unblocked('mail', { by: 'auto', attemptLimit: 1 }),
      attempt('mail', { ...FAILED, outcome: 'timeout' }),
      unblocked('mail', { timeoutSeconds: 700 }),
      undone('mail'),
    )
    expect(mailBlocked(state)).toBe(true)
    expect(state.progress.tasks.mail).toMatchObject({ attempts: 1, maxAttempts: 1, attemptLimit: 1 })
    expect(taskHistory(state, 'mail')).toMatchObject({ autoUnblocks: 1, unblockSeconds: null })
    expect(taskHistory(state, 'mail').entries.map(({ kind }) => kind)).toEqual([
      'attempt',
      'unblock',
      'attempt',
      'attempt',
      'attempt',
    ])
  })

  it.each([
    ['has been tried', attempt('mail', FAILED)],
    ['is being tried', attemptStarted('running', 'mail')],
    [
      'has been judged by the operator',
      {
        type: 'verdict-overruled',
        attemptId: 'a-any',
        taskId: 'mail',
        attemptDay: '2025-03-10',
        from: 'not_verified',
        fromContradiction: false,
        to: 'unclear',
        reason: 'r',
        pointsDelta: 0,
      } satisfies EventBody,
    ],
  ])('changes nothing if the task %s since', (_title, since) => {
    const events = [...blocked, unblocked('mail'), since]
    const { seq: _seq, at: _at, ...before } = stateAfter(...events)
    const { seq: _later, at: _then, ...after } = stateAfter(...events, undone('mail'))
    expect(after).toEqual(before)
    expect(mailBlocked(stateAfter(...events, undone('mail')))).toBe(false)
  })

  it('changes nothing the second time, for a task that was not blocked, or for an unknown task', () => {
    expect(stateAfter(...blocked, unblocked('mail'), undone('mail')).notes).toEqual([])
    const twice = stateAfter(...blocked, unblocked('mail'), undone('mail'), undone('mail'))
    expect(mailBlocked(twice)).toBe(true)
    const open = stateAfter(unblocked('mail'), undone('mail'), undone('nowhere'), undone('__proto__'))
    expect(open.progress.tasks.mail).toMatchObject({ status: 'pending', attempts: 0 })
  })
})
