import type { AttemptResult, EventBody, RecordedEvent } from '../../src/core/record/events.ts'
import { attemptFinished, cycleStarted } from '../../src/core/record/testing/sample-events.ts'

const MINUTE = 60_000

/** Events that happened this many minutes ago. */
export type Moment = readonly [minutesAgo: number, ...events: readonly EventBody[]]

/** ISO 8601 with an offset of zero. */
export function iso(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00')
}

/** Numbers the events and dates them. An event some whole days ago is always on another day, whatever the time of day. */
export function recordedMoments(moments: readonly Moment[], nowMs: number): RecordedEvent[] {
  return moments
    .flatMap(([minutesAgo, ...bodies]) => bodies.map((body) => ({ minutesAgo, body })))
    .map(({ minutesAgo, body }, index) => {
      const at = iso(nowMs - minutesAgo * MINUTE)
      const day = iso(nowMs - Math.floor(minutesAgo / 1440) * 1440 * MINUTE).slice(0, 10)
      return { ...dated(body, at), seq: index + 1, at, day }
    })
}

function dated(body: EventBody, at: string): EventBody {
  return body.type === 'attempt-finished' ? { ...body, result: { ...body.result, startedAt: at } } : body
}

type Some = Partial<AttemptResult>

export const LIE: Some = {
  verdict: 'not_verified',
  groundTruthContradiction: true,
  fault: 'agent',
  points: -45,
}
export const FAILED: Some = { verdict: 'not_verified', fault: 'agent', points: -15 }
export const UNCLEAR: Some = { verdict: 'unclear', fault: 'agent', points: -2 }
export const STOPPED: Some = { verdict: null, fault: 'environment', outcome: 'unavailable', points: 0 }

/** Returns the end of an attempt; verified unless `some` says otherwise. */
export function attempt(taskId: string, cycle: number, ...some: readonly Some[]): EventBody {
  return attemptFinished({
    attemptId: `${taskId}-${cycle}`,
    cycle,
    taskId,
    durationMs: 41_000,
    timeoutSeconds: 180,
    timeoutReason: '2 min × 1.5 for medium',
    reasons: ['the check passes'],
    ...Object.assign({}, ...some),
  })
}

/** Returns a claimed value or file beside the measured one; they agree if they are equal. */
export function compared(
  subject: string,
  claimed: string,
  measured: string,
): AttemptResult['comparisons'][number] {
  return { subject, claimed, measured, agrees: claimed === measured }
}

/** Returns a whole heartbeat with these attempts. */
export function heartbeat(minutesAgo: number, cycle: number, ...attempts: readonly EventBody[]): Moment {
  return [
    minutesAgo,
    cycleStarted(cycle),
    ...attempts,
    { type: 'cycle-finished', cycle, ending: 'completed' },
  ]
}

/** Returns days with one heartbeat and one attempt each, with these points, oldest first; the last is yesterday. */
export function daysOf(points: readonly number[]): Moment[] {
  return points.map((sum, index) =>
    heartbeat((points.length - index) * 1440, index + 1, attempt('earlier', index + 1, { points: sum })),
  )
}

/** What happened in each heartbeat of a day, one letter each. */
const LETTERS: Readonly<Record<string, Some>> = {
  v: {},
  o: { required: false, points: 5 },
  V: { points: 20 },
  u: UNCLEAR,
  n: FAILED,
  c: { ...LIE, agentId: 'codex' },
  e: STOPPED,
}

/** Returns heartbeats 18 minutes apart, up to `untilMinutes` ago, so that the chart has a shape; `m` is missed, `s` skipped. */
export function dayOf(letters: string, firstCycle: number, untilMinutes: number): Moment[] {
  return [...letters].map((letter, index) => {
    const ago = untilMinutes + (letters.length - index) * 18
    if (letter === 'm')
      return [
        ago,
        {
          type: 'heartbeats-missed',
          from: iso(Date.now() - ago * MINUTE),
          to: iso(Date.now() - ago * MINUTE),
          count: 3,
        },
      ]
    if (letter === 's')
      return [ago, { type: 'heartbeat-skipped', dueAt: iso(Date.now() - ago * MINUTE), reason: 'paused' }]
    const cycle = firstCycle + index
    return heartbeat(ago, cycle, attempt('earlier', cycle, LETTERS[letter] ?? {}))
  })
}

const usage = (day: number): AttemptResult['activity'] => ({
  sessionId: null,
  model: null,
  version: null,
  usage: {
    inputTokens: 11_000 + (day % 7) * 1900,
    outputTokens: 820 + (day % 5) * 240,
    cachedInputTokens: 7000,
    costUsd: Math.round((0.04 + (day % 4) * 0.013) * 1000) / 1000,
  },
  calls: [],
  omittedCalls: 0,
  unknownEvents: {},
  final: null,
})

/**
 * Returns a month of heartbeats, one a day, with a gap. A second agent was tried for a week, and usage has been reported for the last 18
 * days. The last seven days add up to `points`; earlier ones score nothing.
 */
export function aMonth(tasks: readonly string[], points: readonly number[]): Moment[] {
  const days = Array.from({ length: 29 }, (_, index) => 29 - index).filter((day) => day < 20 || day > 22)
  return days.map((day, index) => {
    const cycle = index + 1
    const counts = { verified: 9 + ((day * 5) % 11), failed: (day * 7) % 5, unclear: day % 3 }
    const results: Some[] = [
      ...Array.from({ length: counts.verified }, () => ({})),
      ...Array.from(
        { length: counts.failed },
        (): Some => ({ ...FAILED, interventions: [raised('agent_reinforced', 'info')] }),
      ),
      ...Array.from({ length: counts.unclear }, () => UNCLEAR),
    ]
    const attempts = results.map((result, place) => {
      const isCodex = day > 8 && day < 16 && place % 3 === 2
      // The failed tasks are not in today's contract, so no current task is blocked by its history.
      return attempt(
        result.verdict === undefined ? (tasks[place % tasks.length] ?? '') : 'earlier',
        cycle,
        result,
        {
          attemptId: `day-${day}-${place}`,
          agentId: isCodex ? 'codex' : 'claude',
          durationMs: (30 + ((day * 13) % 50)) * 1000,
          evidenceCount: (day + place) % 4,
          points: place === 0 ? (points[7 - day] ?? 0) : 0,
          activity: day < 18 && !isCodex ? usage(day) : null,
          ...(place === 2 &&
            isCodex && {
              interventions: [
                raised('false_completion_detected', 'critical'),
                raised('no_files_detected', 'critical'),
              ],
            }),
          ...(place === 1 &&
            day % 5 === 0 && { interventions: [raised('evidence_validation_failed', 'warning')] }),
        },
      )
    })
    return heartbeat(day * 1440, cycle, ...attempts)
  })
}

/** Returns an intervention of an attempt. */
export function raised(
  event_type: AttemptResult['interventions'][number]['event_type'],
  severity: AttemptResult['interventions'][number]['severity'],
  details: Record<string, unknown> = {},
): AttemptResult['interventions'][number] {
  return { event_type, severity, details: { return_code: 0, outcome: 'completed', ...details } }
}
