import { describe, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import type { EventBody, RaisedIntervention } from './events.ts'
import { applyEvent, fold, initialState } from './fold.ts'
import type { WorkspaceState } from './state.ts'
import {
  attemptFinished,
  attemptStarted,
  contractRead,
  cycleStarted,
  recorded,
  sampleTask,
} from './testing/sample-events.ts'

const CYCLE_DONE: EventBody = { type: 'cycle-finished', cycle: 1, ending: 'completed' }
const BACKED_OFF: EventBody = {
  type: 'backed-off',
  reason: 'codex is not logged in',
  remedy: 'Run `codex login`.',
  minutes: 1,
  until: '2025-03-10T10:05:00+01:00',
  resetsAt: null,
}

function stateAfter(...bodies: EventBody[]): WorkspaceState {
  return fold(recorded(bodies))
}

function diagnostic(
  code: Extract<EventBody, { type: 'diagnostic-raised' }>['code'],
  taskId: string | null = null,
): EventBody {
  return { type: 'diagnostic-raised', code, taskId, message: `about ${code}` }
}

function noticeCodes(state: WorkspaceState): string[] {
  return state.notices.map((notice) => notice.code)
}

describe('days', () => {
  const rules = { ...DEFAULT_SCORING, minimumTarget: 30 }
  const changed: EventBody = { type: 'scoring-changed', rules, changes: ['minimum_target = 30'] }

  test('starts the first event’s day with floor and target at the usual minimum', () => {
    const state = fold(recorded([{ type: 'supervisor-stopped' }]))
    expect(state).toMatchObject({ seq: 1, day: '2025-03-10', at: '2025-03-10T10:00:00+01:00' })
    expect(state.score).toMatchObject({ today: { date: '2025-03-10', target: 50 } })
    expect(state.score.lifetime.targetFloor).toBe(50)
  })

  test('applies rules from the beginning if they were set before anything was scored', () => {
    const state = fold(recorded([{ type: 'supervisor-stopped' }, changed]))
    expect(state.rules).toEqual(rules)
    expect(state.score).toMatchObject({ today: { target: 30 }, lifetime: { targetFloor: 30 } })
  })

  test('derives the seven-day progression from the events alone', () => {
    const scores = [75, 90, 60, 110, 120, 30]
    let state = fold(recorded([contractRead('h1', 'mail')], '2025-03-01'))
    const targets: number[] = [state.score.today.target]
    scores.forEach((points, index) => {
      const day = `2025-03-0${index + 2}`
      const events = recorded([attemptFinished({ points })], day, index + 2)
      for (const event of events) state = applyEvent(state, event)
      const [rolled] = recorded([{ type: 'day-rolled' }], `2025-03-0${index + 3}`)
      if (rolled !== undefined) targets.push(applyEvent(state, rolled).score.today.target)
    })
    expect(targets).toEqual([50, 75, 82, 82, 84, 91, 91])
  })

  test('counts an event dated before the last day on the last day, and reopens no day', () => {
    let state = fold(recorded([attemptFinished({ points: 60 })], '2025-03-10'))
    for (const event of recorded([attemptFinished({ points: 10 })], '2025-03-09', 2))
      state = applyEvent(state, event)
    expect(state.day).toBe('2025-03-10')
    expect(state.score).toMatchObject({ today: { date: '2025-03-10', score: 70 }, history: [] })
    expect(state.attempts.map((attempt) => attempt.day)).toEqual(['2025-03-10', '2025-03-10'])
  })
})

describe('a cycle', () => {
  test('opens the tasks of the contract, runs, and ends with its number used up', () => {
    const running = stateAfter(
      contractRead('h1', 'mail', 'report'),
      cycleStarted(1, { forceAllRequired: true, trigger: 'manual' }),
      attemptStarted('a1', 'mail'),
    )
    expect(running.running).toEqual({
      cycle: 1,
      startedAt: '2025-03-10T10:01:00+01:00',
      forceAllRequired: true,
      attempt: {
        attemptId: 'a1',
        taskId: 'mail',
        startedAt: '2025-03-10T10:02:00+01:00',
        timeoutSeconds: 120,
      },
    })
    expect(running.heartbeats).toMatchObject([{ state: 'running', cycle: 1, detail: 'Run by hand' }])
    expect(Object.keys(running.progress.tasks)).toEqual(['mail', 'report'])

    const done = stateAfter(
      contractRead('h1', 'mail', 'report'),
      cycleStarted(1),
      attemptStarted('a1', 'mail'),
      attemptFinished(),
      attemptFinished({ attemptId: 'a2', taskId: 'report', verdict: 'unclear', fault: 'agent', points: -2 }),
      CYCLE_DONE,
    )
    expect(done.running).toBeNull()
    expect(done.lastCycleAt).toBe('2025-03-10T10:05:00+01:00')
    expect(done.progress).toMatchObject({
      cycleCount: 1,
      lastCycleAt: '2025-03-10T10:05:00+01:00',
      tasks: {
        mail: {
          status: 'verified',
          attempts: 1,
          lastResult: 'Verified: claimed email_count = 3, measured 3',
        },
        report: { status: 'pending', attempts: 1 },
      },
    })
    expect(done.heartbeats).toEqual([
      {
        state: 'done',
        at: '2025-03-10T10:01:00+01:00',
        finishedAt: '2025-03-10T10:05:00+01:00',
        cycle: 1,
        count: 1,
        detail: '1 verified, 1 unclear',
      },
    ])
  })

  test.each([
    ['completed', 'No open tasks'],
    ['stopped', 'Stopped; nothing was judged'],
    ['interrupted', 'Cut off; nothing was judged'],
    ['environment', 'The agent could not run; nothing was judged'],
  ] as const)('that ended %s says so', (ending, detail) => {
    const state = stateAfter(cycleStarted(1), { type: 'cycle-finished', cycle: 1, ending })
    expect(state.heartbeats[0]).toMatchObject({ state: 'done', detail })
  })

  test('that was cut off by a crash is closed by the events of the next start', () => {
    const state = stateAfter(
      contractRead('h1', 'mail'),
      cycleStarted(1),
      attemptStarted('a1', 'mail'),
      { type: 'supervisor-started', version: '0.1.0', pid: 7 },
      attemptFinished({ verdict: null, fault: 'environment', points: 0 }),
      { type: 'cycle-finished', cycle: 1, ending: 'interrupted' },
    )
    expect(state.running).toBeNull()
    expect(state.progress).toMatchObject({
      cycleCount: 1,
      tasks: { mail: { status: 'pending', attempts: 0 } },
    })
  })

  test('keeps a checked task done unless its checked box is contradicted', () => {
    const tasks = ['mail', 'report'].map((id) => sampleTask(id, { checked: true }))
    const state = stateAfter(
      { type: 'contract-read', hash: 'h1', tasks },
      cycleStarted(1, { contradictedTasks: ['report'] }),
    )
    expect(state.progress.tasks).toMatchObject({
      mail: { status: 'verified' },
      report: { status: 'pending' },
    })
    expect(state.score.today.score).toBe(0)
  })

  test('lists heartbeats that never began with their reason, and keeps at most 300', () => {
    const missed: EventBody = { type: 'heartbeats-missed', from: 'f', to: 't', count: 12 }
    const skipped: EventBody = { type: 'heartbeat-skipped', dueAt: 'd', reason: 'outside-active-hours' }
    expect(stateAfter(missed, skipped).heartbeats).toMatchObject([
      { state: 'skipped', at: 'd', count: 1, detail: 'Outside active hours' },
      { state: 'missed', at: 'f', finishedAt: 't', count: 12 },
    ])
    const many = Array.from({ length: 310 }, (_, index) => ({ ...skipped, dueAt: `d${index}` }))
    const [latest, ...others] = stateAfter(...many).heartbeats
    expect(latest).toMatchObject({ state: 'skipped', at: 'd309', count: 1 })
    expect(latest?.earlier).toEqual(Array.from({ length: 299 }, (_, index) => `d${308 - index}`))
    expect(others).toEqual([])
  })

  test('pauses and resumes', () => {
    expect(stateAfter({ type: 'paused', until: null }).paused).toEqual({
      limit: null,
      since: '2025-03-10T10:00:00+01:00',
      until: null,
    })
    expect(stateAfter({ type: 'paused', until: 'later' }, { type: 'resumed' }).paused).toBeNull()
  })
})

describe('an attempt', () => {
  test('with no verdict changes neither score nor count', () => {
    const state = stateAfter(
      contractRead('h1', 'mail'),
      cycleStarted(1),
      attemptFinished({ verdict: null, fault: 'environment', points: 99, reasons: ['not logged in'] }),
    )
    expect(state.score.today).toMatchObject({ score: 0, judgedCount: 0 })
    expect(state.progress.tasks.mail).toMatchObject({ attempts: 0, lastResult: 'Not judged: not logged in' })
    expect(state.attempts[0]).toMatchObject({ points: 0, verdict: null })
  })

  test('that skipped an optional task leaves it skipped', () => {
    const state = stateAfter(
      contractRead('h1', 'mail'),
      cycleStarted(1),
      attemptFinished({ verdict: null, skipped: true, points: 0, reasons: [] }),
    )
    expect(state.progress.tasks.mail).toMatchObject({ status: 'skipped', attempts: 0, lastResult: 'Skipped' })
  })

  test('is kept in short form: 500 of them, with truncated texts', () => {
    const result = {
      reasons: Array.from({ length: 20 }, () => 'r'.repeat(1000)),
      comparisons: Array.from({ length: 20 }, () => ({
        subject: 's'.repeat(1000),
        claimed: null,
        measured: 'm'.repeat(1000),
        agrees: false,
      })),
      remedy: 'm'.repeat(1000),
    }
    const bodies = Array.from({ length: 510 }, (_, index) =>
      attemptFinished({ ...result, attemptId: `a${index}` }),
    )
    const state = stateAfter(...bodies)
    expect(state.attempts).toHaveLength(500)
    expect(state.attempts[0]).toMatchObject({ attemptId: 'a509', seq: 510 })
    expect(JSON.stringify(state.attempts[0]).length).toBeLessThan(12_000)
    expect(state.attempts[0]?.reasons).toHaveLength(8)
    expect(state.attempts[0]?.comparisons).toHaveLength(12)
  })

  test('counts consecutive cycles in which its check had passed before and nothing changed', () => {
    const hollow = attemptFinished({ heldBefore: true, filesChangedCount: 0 })
    expect(stateAfter(hollow, hollow, hollow).heldBeforeRuns).toEqual({ mail: 3 })
    for (const change of [{ heldBefore: false }, { filesChangedCount: 1 }, { verdict: 'unclear' as const }]) {
      const broken = attemptFinished({ heldBefore: true, filesChangedCount: 0, ...change })
      expect(stateAfter(hollow, hollow, broken).heldBeforeRuns).toEqual({})
    }
    expect(stateAfter(hollow, contractRead('h1', 'report'), cycleStarted(1)).heldBeforeRuns).toEqual({})
  })

  test('counts them too if the attempt changed only white space, or checked its box', () => {
    const isHint = {
      subject: 'mail > 0',
      claimed: 'done',
      measured: '3',
      agrees: true,
      isHint: true,
    } as const
    const blank = { heldBefore: true, filesChangedCount: 1, points: 0, comparisons: [isHint] }
    const hollow = attemptFinished(blank)
    expect(stateAfter(hollow, hollow, hollow).heldBeforeRuns).toEqual({ mail: 3 })
    // Work that is paid, or would be if its task were accepted, breaks the row.
    expect(stateAfter(hollow, attemptFinished({ ...blank, points: 10 })).heldBeforeRuns).toEqual({})
    const tasks = [sampleTask('mail', { proposed: true })]
    const proposed = { type: 'contract-read', hash: 'h1', tasks } as const
    expect(stateAfter(proposed, hollow).heldBeforeRuns).toEqual({})
  })
})

describe('back-off', () => {
  test('grows step by step and is notified once', () => {
    const state = stateAfter(BACKED_OFF, BACKED_OFF)
    expect(state.backoff).toEqual({
      step: 2,
      until: '2025-03-10T10:05:00+01:00',
      reason: 'codex is not logged in',
      remedy: 'Run `codex login`.',
      isParked: false,
    })
    expect(noticeCodes(state)).toEqual(['backed-off'])
  })

  test('until a stated reset needs no attention', () => {
    const state = stateAfter(BACKED_OFF, { ...BACKED_OFF, resetsAt: BACKED_OFF.until })
    expect(state.backoff).toMatchObject({ step: 2, isParked: true })
    expect(noticeCodes(state)).toEqual([])
  })

  test('until a reset more than a day away needs attention, because an agent may have made it up', () => {
    const until = '2025-03-12T10:05:00+01:00'
    const state = stateAfter({ ...BACKED_OFF, until, resetsAt: until })
    expect(state.backoff).toMatchObject({ isParked: true, until })
    expect(noticeCodes(state)).toEqual(['backed-off'])
  })

  test('outlasts an environment fault and ends with an attempt that had none, or on recovery', () => {
    const fault = attemptFinished({ verdict: null, fault: 'environment' })
    expect(stateAfter(BACKED_OFF, fault).backoff?.step).toBe(1)
    for (const end of [
      attemptFinished({ verdict: 'not_verified', fault: 'agent', points: -15 }),
      { type: 'environment-recovered' } as const,
    ]) {
      const state = stateAfter(BACKED_OFF, end)
      expect(state.backoff).toBeNull()
      expect(state.notices).toEqual([])
    }
  })
})

describe('notices', () => {
  test('are listed newest first, one for each code and task, at most 50', () => {
    const state = stateAfter(
      diagnostic('hollow-hint', 'mail'),
      diagnostic('hollow-hint', 'report'),
      diagnostic('gate-unavailable'),
      diagnostic('hollow-hint', 'mail'),
    )
    expect(state.notices.map(({ code, taskId }) => [code, taskId])).toEqual([
      ['hollow-hint', 'mail'],
      ['gate-unavailable', null],
      ['hollow-hint', 'report'],
    ])
    const many = Array.from({ length: 60 }, (_, index) => diagnostic('hollow-hint', `t${index}`))
    expect(stateAfter(...many).notices).toHaveLength(50)
  })

  const all = [
    contractRead('h1', 'mail'),
    diagnostic('tick-contradicted', 'mail'),
    diagnostic('hollow-hint', 'mail'),
    diagnostic('contract-unreadable'),
    diagnostic('configuration-changed'),
    diagnostic('gate-unavailable'),
  ]
  test.each<[string, EventBody, string[]]>([
    [
      'the same contract is read again',
      contractRead('h1', 'mail'),
      [
        'gate-unavailable',
        'configuration-changed',
        'contract-unreadable',
        'hollow-hint',
        'tick-contradicted',
      ],
    ],
    ['another contract is read', contractRead('h2', 'mail'), ['gate-unavailable', 'configuration-changed']],
    [
      'a configuration is approved',
      { type: 'configuration-approved', hash: 'c' },
      ['contract-unreadable', 'hollow-hint', 'tick-contradicted'],
    ],
    [
      'a cycle finds the box still contradicted',
      cycleStarted(1, { contradictedTasks: ['mail'] }),
      ['gate-unavailable', 'configuration-changed', 'hollow-hint', 'tick-contradicted'],
    ],
    [
      'a cycle finds the box correct',
      cycleStarted(1),
      ['gate-unavailable', 'configuration-changed', 'hollow-hint'],
    ],
    [
      'a verified attempt whose check is no longer hollow',
      attemptFinished(),
      ['configuration-changed', 'contract-unreadable', 'tick-contradicted'],
    ],
    [
      'an unclear attempt of another task',
      attemptFinished({ taskId: 'report', verdict: 'unclear', fault: 'environment', points: -2 }),
      [
        'gate-unavailable',
        'configuration-changed',
        'contract-unreadable',
        'hollow-hint',
        'tick-contradicted',
      ],
    ],
  ])('that still apply remain after %s', (_name, event, codes) => {
    expect(noticeCodes(stateAfter(...all, event))).toEqual(codes)
  })

  test('report a weakened contract until the contract is edited once more', () => {
    const weakened: RaisedIntervention = {
      event_type: 'contract_weakened',
      severity: 'critical',
      details: { changes: ['task report was removed', 7], note: 'n' },
    }
    const told = stateAfter(
      contractRead('h1', 'mail', 'report'),
      attemptFinished({ interventions: [weakened] }),
    )
    expect(told.notices).toMatchObject([
      {
        code: 'contract_weakened',
        taskId: 'mail',
        message: 'The contract asks for less than before the agent ran: task report was removed.',
      },
    ])
    const [weakerRead, corrected] = recorded([contractRead('h2', 'mail'), contractRead('h3', 'mail')])
    if (weakerRead === undefined || corrected === undefined) throw new Error('Expected two events')
    const seen = applyEvent(told, weakerRead)
    expect(noticeCodes(seen)).toEqual(['contract_weakened'])
    expect(noticeCodes(applyEvent(seen, corrected))).toEqual([])
  })

  test('don’t include other interventions', () => {
    const intervention: RaisedIntervention = {
      event_type: 'no_files_detected',
      severity: 'critical',
      details: {},
    }
    expect(stateAfter({ type: 'intervention-raised', cycle: 1, taskId: null, intervention }).notices).toEqual(
      [],
    )
  })
})

describe('the operator', () => {
  const lie = attemptFinished({
    verdict: 'not_verified',
    groundTruthContradiction: true,
    fault: 'agent',
    points: -45,
  })
  const overruled: EventBody = {
    type: 'verdict-overruled',
    attemptId: 'a1',
    taskId: 'mail',
    attemptDay: '2025-03-10',
    from: 'not_verified',
    fromContradiction: true,
    to: 'verified',
    reason: 'the probe was broken',
    pointsDelta: 55,
  }

  test('gives thumbs, shown at their attempt and counted in the score', () => {
    const up: EventBody = { type: 'feedback-given', attemptId: 'a1', feedback: 'up', note: null, points: 3 }
    const state = stateAfter(attemptFinished(), up)
    expect(state.attempts[0]).toMatchObject({ feedback: 'up', points: 10 })
    expect(state.score.today).toMatchObject({ score: 13, thumbsUp: 1 })
    expect(stateAfter(attemptFinished(), { ...up, attemptId: null }).attempts[0]?.feedback).toBeNull()
  })

  test('gives a second thumb, which counts too and is the one shown', () => {
    const up: EventBody = { type: 'feedback-given', attemptId: 'a1', feedback: 'up', note: null, points: 3 }
    const down: EventBody = { ...up, feedback: 'down', points: -10, note: 'the report is empty' }
    const changed = stateAfter(attemptFinished(), up, down)
    expect(changed.score.today).toMatchObject({ score: 3, thumbsUp: 1, thumbsDown: 1, peakScore: 13 })
    expect(changed.attempts[0]).toMatchObject({ feedback: 'down', feedbackNote: 'the report is empty' })
    expect(changed.score.lifetime.totalPoints).toBe(3)
  })

  test('adds up thumbs without an attempt', () => {
    const up: EventBody = { type: 'feedback-given', attemptId: null, feedback: 'up', note: null, points: 3 }
    expect(stateAfter(up, up).score.today).toMatchObject({ score: 6, thumbsUp: 2 })
  })

  test('overrules a verdict: score, attempt and task follow, the original stays visible', () => {
    const state = stateAfter(contractRead('h1', 'mail'), cycleStarted(1), lie, overruled)
    expect(state.score.today).toMatchObject({ score: 10, overruledCount: 1, contradictionCount: 0 })
    expect(state.attempts[0]).toMatchObject({
      verdict: 'verified',
      groundTruthContradiction: false,
      fault: null,
      points: 10,
      overruled: { from: 'not_verified', reason: 'the probe was broken' },
    })
    expect(state.progress.tasks.mail).toMatchObject({
      status: 'verified',
      lastResult: 'Verified by the operator: the probe was broken',
    })
  })

  test('keeps the original verdict after overruling twice, and counts once', () => {
    const back: EventBody = {
      ...overruled,
      from: 'verified',
      fromContradiction: false,
      to: 'unclear',
      pointsDelta: -12,
    }
    const state = stateAfter(contractRead('h1', 'mail'), cycleStarted(1), lie, overruled, back)
    expect(state.attempts[0]).toMatchObject({
      verdict: 'unclear',
      points: -2,
      overruled: { from: 'not_verified' },
    })
    expect(state.score.today).toMatchObject({ score: -2, overruledCount: 1 })
  })

  test('does not change a task by overruling if it was judged again since', () => {
    const again = attemptFinished({ attemptId: 'a2', verdict: 'not_verified', points: -15 })
    const state = stateAfter(contractRead('h1', 'mail'), cycleStarted(1), lie, again, overruled)
    expect(state.progress.tasks.mail?.status).toBe('failed')
    const unjudged = attemptFinished({ attemptId: 'a2', verdict: null, fault: 'environment' })
    const decided = stateAfter(contractRead('h1', 'mail'), cycleStarted(1), lie, unjudged, overruled)
    expect(decided.progress.tasks.mail?.status).toBe('verified')
  })
})

test('folds an empty ledger to the initial state, which is plain JSON', () => {
  expect(fold([])).toEqual(initialState())
  expect(JSON.parse(JSON.stringify(initialState()))).toEqual(initialState())
})
