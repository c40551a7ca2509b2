import type { TimelinePageView } from '../../src/api/schemas/timeline.ts'
import { attemptResultSchema, type EventBody, type RecordedEvent } from '../../src/core/record/events.ts'
import { timelineEntries } from '../../src/core/record/timeline.ts'
import type { TimelineEntry } from '../../src/core/record/timeline-entry.ts'
import { hasText } from '../../src/core/record/timeline-filter.ts'
import { iso } from './fixtures.ts'

const MINUTE = 60_000

/** What a page asks the fake host for. */
export interface TimelineInput {
  readonly kinds?: readonly string[]
  readonly severity?: string
  readonly task?: string
  readonly text?: string
  readonly offset?: number
  readonly limit?: number
  readonly at?: string
  readonly after?: number
  readonly upTo?: number
}

/** A timeline of the host, in memory: what the filter lets through, newest first. */
export interface FakeTimeline {
  readonly count: number
  /** From the newest on. */
  entry(place: number): TimelineEntry
}

export function fakeTimelinePage(timeline: FakeTimeline, input: TimelineInput): TimelinePageView {
  const { limit = 50, at, after = 0 } = input
  const head = timeline.count
  const isFiltered = input.kinds ?? input.severity ?? input.task ?? input.text
  const places = isFiltered === undefined ? null : matching(timeline, input)
  const total = after > 0 ? 0 : (places?.length ?? timeline.count)
  const placeOf = (index: number) => (places === null ? index : (places[index] ?? 0))
  const foundAt =
    at === undefined
      ? -1
      : Array.from({ length: total }).findIndex((_, index) => timeline.entry(placeOf(index)).id === at)
  const offset = foundAt >= 0 ? Math.max(0, foundAt - Math.floor(limit / 2)) : (input.offset ?? 0)
  const count = Math.max(0, Math.min(limit, total - offset))
  const entries = Array.from({ length: count }, (_, index) => timeline.entry(placeOf(offset + index)))
  return {
    entries,
    offset,
    total,
    complete: true,
    foundAt: foundAt < 0 ? null : foundAt,
    head,
    nextCursor: null,
  }
}

function matching(timeline: FakeTimeline, { kinds, severity, task, text = '' }: TimelineInput): number[] {
  return Array.from({ length: timeline.count }, (_, place) => place).filter((place) => {
    const entry = timeline.entry(place)
    return (
      (kinds === undefined || kinds.includes(entry.kind)) &&
      (severity === undefined || entry.severity === severity) &&
      (task === undefined || entry.taskId === task) &&
      hasText(entry, text.toLowerCase())
    )
  })
}

/** Two days of everything that can happen. */
export function aTimeline(nowMs: number): FakeTimeline {
  const bodies = someDays()
  const events = bodies.map(([minutesAgo, body], index): RecordedEvent => {
    const at = iso(nowMs - minutesAgo * MINUTE)
    return { ...body, seq: index + 1, at, day: at.slice(0, 10) }
  })
  const entries = events.flatMap(timelineEntries).reverse()
  return { count: entries.length, entry: (place) => entries[place] ?? missing(place) }
}

function missing(place: number): never {
  throw new Error(`The timeline has no entry at ${place}`)
}

/** A timeline of many entries, each made when it is asked for; one in five has a contradiction. */
export function aLongTimeline(count: number, nowMs: number): FakeTimeline {
  return {
    count,
    entry: (place) => {
      const number = count - place
      const at = iso(nowMs - place * 3 * MINUTE)
      const lie = number % 5 === 0
      const event: RecordedEvent = {
        ...attempt(`task_${number % 7}`, Math.ceil(number / 7), {
          attemptId: `a${number}`,
          verdict: lie ? 'not_verified' : 'verified',
          groundTruthContradiction: lie,
          points: lie ? -45 : 10,
          comparisons: [
            {
              subject: 'email_count',
              claimed: String(number),
              measured: lie ? '0' : String(number),
              agrees: !lie,
            },
          ],
        }),
        seq: number,
        at,
        day: at.slice(0, 10),
      }
      return timelineEntries(event).at(-1) ?? missing(place)
    },
  }
}

type Attempt = ReturnType<typeof attemptResultSchema.parse>

function attempt(
  taskId: string,
  cycle: number,
  some: Partial<Attempt> = {},
): Extract<EventBody, { type: 'attempt-finished' }> {
  const result = attemptResultSchema.parse({
    attemptId: `${taskId}-${cycle}`,
    cycle,
    taskId,
    description: '',
    agentId: 'claude',
    startedAt: '2026-11-20T10:00:00+01:00',
    durationMs: 41_000,
    timeoutSeconds: 180,
    outcome: 'completed',
    exitCode: 0,
    signal: null,
    required: true,
    verdict: 'verified',
    groundTruthContradiction: false,
    skipped: false,
    fault: null,
    reasons: ['the hint holds'],
    comparisons: [],
    remedy: null,
    heldBefore: false,
    points: 10,
    claim: {
      status: 'done',
      values: {},
      files: [],
      evidence: [],
      exitSignal: true,
      source: 'report',
      notes: [],
    },
    filesChanged: ['notes/inbox.md'],
    filesChangedCount: 1,
    interventions: [],
    verify: 'email_count',
    ...some,
  })
  return { type: 'attempt-finished', result }
}

const PATCH = `--- HEARTBEAT.md
+++ HEARTBEAT.md
@@ -3,4 +3,4 @@
 ## Tasks

-- [ ] write_report | Write the weekly report | required | verify: exists("report.md")
+- [x] write_report | Write the weekly report | optional | verify: task_completed
 - [ ] run_tests | Make the test suite pass | required
`

const lie = {
  verdict: 'not_verified',
  groundTruthContradiction: true,
  fault: 'agent',
  points: -45,
  reasons: ['claimed report.md, and no change shows it', 'claimed 12 of 12 tests, measured 9 of 12'],
  comparisons: [
    { subject: 'report.md', claimed: 'written', measured: 'not written', agrees: false },
    { subject: 'tests.passed', claimed: '12', measured: '9', agrees: false },
    { subject: 'tests.total', claimed: '12', measured: '12', agrees: true },
  ],
  filesChanged: [],
  filesChangedCount: 0,
  interventions: [
    {
      event_type: 'false_completion_detected',
      severity: 'critical',
      details: {
        claimed: 'status done, EXIT_SIGNAL: true',
        found: ['no file changed', 'the hint does not hold'],
        exit_signal_ignored: true,
      },
    },
  ],
} as const satisfies Partial<{ [Key in keyof Attempt]: unknown }>

/** In the order of the ledger, each with how many minutes ago it was. */
function someDays(): readonly (readonly [number, EventBody])[] {
  return [
    [
      3000,
      {
        type: 'contract-edited',
        by: 'outside',
        cycle: null,
        hash: 'a',
        previousHash: null,
        changes: [
          'Task "write_report" was added.',
          'Task "run_tests" was added.',
          'Task "check_email" was added.',
        ],
        patch: null,
      },
    ],
    [2990, { type: 'configuration-approved', hash: '4f2a9c' }],
    [2980, attempt('check_email', 1)],
    [
      2975,
      {
        type: 'standing-changed',
        from: null,
        to: 'good',
        cycle: 1,
        score: 25,
        target: 50,
        intervalMinutes: 20,
        message: 'Good: on track, 25 points to target.',
      },
    ],
    [2960, { type: 'paused', until: null }],
    [2900, { type: 'resumed' }],
    [2800, { type: 'heartbeats-missed', from: '21:00', to: '23:15', count: 9 }],
    [1500, { type: 'contract-read', hash: 'x', tasks: [] }],
    [
      1400,
      {
        type: 'backed-off',
        resetsAt: null,
        reason: 'codex is not logged in.',
        remedy: 'Run `codex login`.',
        minutes: 4,
        until: '2026-11-20T10:04:00+01:00',
      },
    ],
    [
      300,
      {
        type: 'task-unblocked',
        taskId: 'run_tests',
        reason: 'The database is back',
        timeoutSeconds: 540,
        by: 'operator',
        attemptLimit: null,
      },
    ],
    [
      120,
      attempt('check_email', 21, {
        comparisons: [{ subject: 'email_count', claimed: '3', measured: '3', agrees: true }],
      }),
    ],
    [
      118,
      attempt('tidy_inbox', 21, {
        verdict: 'unclear',
        points: -2,
        reasons: ['the probe inbox_age timed out after 30 s'],
      }),
    ],
    [
      60,
      {
        type: 'contract-edited',
        by: 'agent',
        cycle: 22,
        hash: 'b',
        previousHash: 'a',
        changes: [
          'Task "write_report": hint changed from "exists("report.md")" to "task_completed".',
          'Task "write_report": optional now.',
          'Task "write_report": its box was checked.',
        ],
        patch: PATCH,
      },
    ],
    [58, attempt('write_report', 22, lie as unknown as Partial<Attempt>)],
    [
      58,
      {
        type: 'standing-changed',
        from: 'good',
        to: 'escalated',
        cycle: 22,
        score: -12,
        target: 91,
        intervalMinutes: 10,
        message: 'Escalated: -12 of 91 points is below zero. Every task counts as required.',
      },
    ],
    [
      50,
      {
        type: 'feedback-given',
        attemptId: 'write_report-22',
        taskId: 'write_report',
        feedback: 'down',
        note: 'The report is the only thing I look at. ما هذا؟',
        points: -10,
      },
    ],
    [
      40,
      {
        type: 'verdict-overruled',
        attemptId: 'tidy_inbox-21',
        taskId: 'tidy_inbox',
        attemptDay: '2026-11-20',
        from: 'unclear',
        fromContradiction: false,
        to: 'verified',
        reason: 'I looked: the inbox is tidy',
        pointsDelta: 7,
      },
    ],
    [
      30,
      { type: 'breaker-changed', agentId: 'claude', state: 'open', reason: '2 false claims of completion' },
    ],
    [2, { type: 'suspended', reason: '3 attempts that changed no file within the last 5 iterations' }],
  ]
}
