import fc from 'fast-check'
import { DEFAULT_SCORING } from '../../configuration/scoring.ts'
import { pointsFor } from '../../scoring/points.ts'
import { COMPLEXITY_LEVELS } from '../../vocabulary/complexity.ts'
import { FAULTS } from '../../vocabulary/fault.ts'
import { INTERVENTION_TYPES } from '../../vocabulary/intervention.ts'
import { OUTCOMES } from '../../vocabulary/outcome.ts'
import { SEVERITIES } from '../../vocabulary/severity.ts'
import { THUMBS } from '../../vocabulary/task.ts'
import { VERDICTS, type Verdict } from '../../vocabulary/verdict.ts'
import type { AttemptResult, EventBody, RecordedEvent } from '../events.ts'
import { attemptFinished, attemptStarted, contractRead, cycleStarted, sampleTask } from './sample-events.ts'

/** Includes ids that break plain objects. */
const TASK_IDS = ['mail', 'report', 'tidy', 'constructor', '__proto__', '']

const taskId = fc.constantFrom(...TASK_IDS)
const verdict = fc.constantFrom(...VERDICTS)
const feedback = fc.constantFrom(...THUMBS)
const points = fc.integer({ min: -500, max: 500 })
const hash = fc.constantFrom('h1', 'h2', 'h3')

/** Any event with any details: what an old or foreign ledger may contain. */
const intervention = fc.record({
  event_type: fc.constantFrom(...INTERVENTION_TYPES),
  severity: fc.constantFrom(...SEVERITIES),
  details: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }) as fc.Arbitrary<
    Record<string, unknown>
  >,
})

function dayAfter(index: number): string {
  return new Date(Date.UTC(2025, 0, 1) + index * 86_400_000).toISOString().slice(0, 10)
}

type Step =
  | {
      readonly kind: 'attempt'
      readonly taskId: string
      readonly verdict: Verdict | null
      readonly lie: boolean
    }
  | { readonly kind: 'feedback'; readonly which: number; readonly feedback: 'up' | 'down' }
  | { readonly kind: 'overrule'; readonly which: number; readonly to: Verdict }
  | { readonly kind: 'days'; readonly count: number }
  | { readonly kind: 'body'; readonly body: EventBody }

const bodyWithoutScore = fc.oneof(
  fc.constantFrom<EventBody>(
    { type: 'supervisor-started', version: '0.1.0', pid: 1 },
    { type: 'supervisor-stopped' },
    { type: 'day-rolled' },
    { type: 'heartbeats-missed', from: 'f', to: 't', count: 3 },
    { type: 'heartbeat-skipped', dueAt: 'd', reason: 'paused' },
    { type: 'cycle-finished', cycle: 1, ending: 'completed' },
    { type: 'paused', until: null },
    { type: 'resumed' },
    { type: 'backed-off', reason: 'r', remedy: 'm', minutes: 1, until: 'u', resetsAt: null },
    { type: 'environment-recovered' },
    { type: 'diagnostic-raised', code: 'hollow-hint', taskId: 'mail', message: 'm' },
    { type: 'configuration-approved', hash: 'c' },
    {
      type: 'scoring-changed',
      rules: { ...DEFAULT_SCORING, minimumTarget: 20, historyDays: 3, maximumTarget: 90 },
      changes: ['minimum_target = 20'],
    },
    attemptStarted('a0', 'mail'),
    cycleStarted(1),
    cycleStarted(2, { contradictedTasks: ['mail', '__proto__'] }),
    {
      type: 'intervention-raised',
      cycle: 1,
      taskId: null,
      intervention: { event_type: 'contract_weakened', severity: 'critical', details: { changes: 7 } },
    },
    { type: 'breaker-changed', agentId: 'claude', state: 'open', reason: 'r' },
    { type: 'breaker-changed', agentId: '__proto__', state: 'tripped', reason: 'r' },
    { type: 'suspended', reason: 'r' },
    { type: 'suspension-lifted', reason: 'r' },
    { type: 'interventions-reset' },
    {
      type: 'contract-edited',
      by: 'agent',
      cycle: 1,
      hash: 'h2',
      previousHash: 'h1',
      changes: ['mail was added.'],
      patch: '+- [ ] mail | Read the mail\n',
    },
    {
      type: 'standing-changed',
      from: 'good',
      to: 'lockdown',
      cycle: null,
      score: -40,
      target: 50,
      intervalMinutes: 5,
      message: 'Lockdown.',
    },
  ),
  fc
    .record({
      taskId,
      by: fc.constantFrom<'operator' | 'auto'>('operator', 'auto'),
      timeoutSeconds: fc.option(fc.integer({ min: 1, max: 9000 })),
      attemptLimit: fc.option(fc.integer({ min: 1, max: 3 })),
    })
    .map((unblock): EventBody => ({ type: 'task-unblocked', reason: 'r', ...unblock })),
  taskId.map((id): EventBody => ({ type: 'unblock-undone', taskId: id })),
  taskId.map(
    (id): EventBody => ({
      type: 'feedback-undone',
      attemptId: null,
      taskId: id,
      feedback: 'down',
      points: -10,
      previous: null,
      // No thumb has this id, so it undoes nothing.
      noteId: 'none',
    }),
  ),
  fc.constantFrom<EventBody>({
    type: 'proposal-answer-undone',
    // No answer has this id, so it undoes nothing.
    id: 'none',
    answer: 'accepted',
    items: [],
    base: null,
    seen: null,
  }),
  fc
    .array(fc.record({ taskId, holds: fc.option(fc.boolean()), reason: fc.string() }), { maxLength: 4 })
    .map((results): EventBody => ({ type: 'blocked-swept', results })),
  fc.tuple(taskId, intervention).map(
    ([id, raised]): EventBody => ({
      type: 'intervention-raised',
      cycle: 2,
      taskId: id === '' ? null : id,
      intervention: raised,
    }),
  ),
  fc.tuple(hash, fc.subarray(TASK_IDS)).map(([name, ids]) => contractRead(name, ...ids)),
  fc
    .tuple(hash, fc.array(fc.tuple(taskId, fc.boolean(), fc.integer({ min: 1, max: 4 })), { maxLength: 5 }))
    .map(
      ([name, tasks]): EventBody => ({
        type: 'contract-read',
        hash: name,
        tasks: tasks.map(([id, checked, maxAttempts]) => sampleTask(id, { checked, maxAttempts })),
      }),
    ),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('attempt' as const),
      taskId,
      verdict: fc.option(verdict),
      lie: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('feedback' as const), which: fc.nat(), feedback }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('overrule' as const), which: fc.nat(), to: verdict }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('days' as const), count: fc.integer({ min: -2, max: 4 }) }),
  },
  { weight: 2, arbitrary: bodyWithoutScore.map((body) => ({ kind: 'body' as const, body })) },
)

interface KnownAttempt {
  readonly result: AttemptResult
  readonly day: string
  verdict: Verdict | null
  contradiction: boolean
  points: number
}

/**
 * A ledger as a host could write it: points follow the rules, overruled attempts exist with their correct old verdict, and clocks may go
 * back.
 */
export const ledger: fc.Arbitrary<RecordedEvent[]> = fc
  .array(step, { maxLength: 80, size: 'max' })
  .map((steps) => {
    const events: RecordedEvent[] = []
    const attempts: KnownAttempt[] = []
    let dayIndex = 100
    /** Index of the last event's day; an earlier day counts as this one. */
    let latestIndex = 0
    for (const next of steps) {
      if (next.kind === 'days') {
        dayIndex = Math.max(0, dayIndex + next.count)
        continue
      }
      const countedIndex = Math.max(latestIndex, dayIndex)
      const body = bodyOf(next, attempts, dayAfter(countedIndex))
      if (body !== null) {
        latestIndex = countedIndex
        const day = dayAfter(dayIndex)
        events.push({ ...body, seq: events.length + 1, at: `${day}T10:00:00+01:00`, day })
      }
    }
    return events
  })

function bodyOf(
  next: Exclude<Step, { kind: 'days' }>,
  attempts: KnownAttempt[],
  day: string,
): EventBody | null {
  switch (next.kind) {
    case 'body':
      return next.body
    case 'attempt':
      return attempt(next, attempts, day)
    case 'feedback': {
      const attemptId = attempts[next.which % (attempts.length + 1)]?.result.attemptId ?? null
      const value = next.feedback === 'up' ? DEFAULT_SCORING.thumbsUp : DEFAULT_SCORING.thumbsDown
      return { type: 'feedback-given', attemptId, feedback: next.feedback, note: null, points: value }
    }
    case 'overrule': {
      const known = attempts[next.which % Math.max(1, attempts.length)]
      return known === undefined ? null : overrule(known, next.to)
    }
  }
}

function attempt(
  { taskId: id, verdict: given, lie }: Extract<Step, { kind: 'attempt' }>,
  attempts: KnownAttempt[],
  day: string,
): EventBody {
  const groundTruthContradiction = given === 'not_verified' && lie
  const value =
    given === null
      ? 0
      : pointsFor({ verdict: given, groundTruthContradiction, required: true }, DEFAULT_SCORING)
  const body = attemptFinished({
    attemptId: `a${attempts.length}`,
    taskId: id,
    verdict: given,
    groundTruthContradiction,
    points: value,
    heldBefore: lie,
    filesChangedCount: 0,
    fault: given === null ? 'environment' : null,
  })
  if (body.type === 'attempt-finished') {
    attempts.push({
      result: body.result,
      day,
      verdict: given,
      contradiction: groundTruthContradiction,
      points: value,
    })
  }
  return body
}

function overrule(known: KnownAttempt, to: Verdict): EventBody {
  const value = pointsFor({ verdict: to, groundTruthContradiction: false, required: true }, DEFAULT_SCORING)
  const body: EventBody = {
    type: 'verdict-overruled',
    attemptId: known.result.attemptId,
    taskId: known.result.taskId,
    attemptDay: known.day,
    from: known.verdict,
    fromContradiction: known.contradiction,
    to,
    reason: 'r',
    pointsDelta: value - known.points,
  }
  known.verdict = to
  known.contradiction = false
  known.points = value
  return body
}

const anyBody: fc.Arbitrary<EventBody> = fc.oneof(
  bodyWithoutScore,
  fc
    .record({
      attemptId: fc.constantFrom('a0', 'a1', 'a2'),
      taskId,
      verdict: fc.option(verdict),
      groundTruthContradiction: fc.boolean(),
      skipped: fc.boolean(),
      heldBefore: fc.boolean(),
      outcome: fc.constantFrom(...OUTCOMES),
      fault: fc.option(fc.constantFrom(...FAULTS)),
      complexity: fc.constantFrom(...COMPLEXITY_LEVELS),
      points,
      reasons: fc.array(fc.string(), { maxLength: 3 }),
      agentId: fc.constantFrom('claude', '__proto__', ''),
      cycle: fc.integer({ min: 1, max: 5 }),
      feedbackShown: fc.boolean(),
      interventions: fc.array(intervention, { maxLength: 4 }),
    })
    .map(attemptFinished),
  fc.record({
    type: fc.constant('feedback-given' as const),
    attemptId: fc.option(fc.constantFrom('a0', 'a1', 'unknown')),
    feedback,
    note: fc.constant(null),
    points,
  }),
  fc.record({
    type: fc.constant('verdict-overruled' as const),
    attemptId: fc.constantFrom('a0', 'a1', 'unknown'),
    taskId,
    attemptDay: fc.oneof(fc.integer({ min: 0, max: 20 }).map(dayAfter), fc.string({ maxLength: 12 })),
    from: fc.option(verdict),
    fromContradiction: fc.boolean(),
    to: verdict,
    reason: fc.string(),
    pointsDelta: points,
  }),
)

/** Events of every type in any order, whether or not they fit together; each valid by its schema. */
export const anyEvents: fc.Arbitrary<RecordedEvent[]> = fc
  .array(
    fc.tuple(anyBody, fc.oneof(fc.integer({ min: 0, max: 20 }).map(dayAfter), fc.string({ maxLength: 12 }))),
    {
      maxLength: 60,
      size: 'max',
    },
  )
  .map((events) => events.map(([body, day], index) => ({ ...body, seq: index + 1, at: 'now', day })))
