import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Verdict } from '../vocabulary/verdict.ts'
import { type RecordedEvent, recordedEventSchema } from './events.ts'
import { applyEvent, fold, initialState } from './fold.ts'
import type { WorkspaceState } from './state.ts'
import { anyEvents, ledger } from './testing/arbitrary-events.ts'

/** One day's totals, computed from events alone. */
interface DayTally {
  points: number
  attempts: Map<string, { verdict: Verdict | null; contradiction: boolean }>
  thumbs: number
}

/** Returns the sum of points of each day in the list of events, without fold or state. */
function tally(events: readonly RecordedEvent[]): Map<string, DayTally> {
  const days = new Map<string, DayTally>()
  const dayOf = (date: string): DayTally => {
    const day = days.get(date) ?? { points: 0, attempts: new Map(), thumbs: 0 }
    days.set(date, day)
    return day
  }
  let today = ''
  for (const event of events) {
    if (event.day > today) today = event.day
    if (event.type === 'attempt-finished') {
      const { attemptId, verdict, points, groundTruthContradiction: contradiction } = event.result
      dayOf(today).attempts.set(attemptId, { verdict, contradiction })
      dayOf(today).points += points
    } else if (event.type === 'feedback-given') {
      dayOf(today).thumbs += 1
      dayOf(today).points += event.points
    } else if (event.type === 'verdict-overruled') {
      dayOf(event.attemptDay).attempts.set(event.attemptId, { verdict: event.to, contradiction: false })
      dayOf(event.attemptDay).points += event.pointsDelta
    }
  }
  return days
}

function figures(date: string, day: DayTally | undefined) {
  const attempts = [...(day?.attempts.values() ?? [])]
  const count = (verdict: Verdict) => attempts.filter((attempt) => attempt.verdict === verdict).length
  return {
    date,
    score: day?.points ?? 0,
    verifiedCount: count('verified'),
    failedCount: count('not_verified'),
    unclearCount: count('unclear'),
    contradictionCount: attempts.filter((attempt) => attempt.contradiction).length,
    judgedCount: attempts.filter((attempt) => attempt.verdict !== null).length,
  }
}

function hasActivity(day: DayTally): boolean {
  return day.thumbs > 0 || [...day.attempts.values()].some((attempt) => attempt.verdict !== null)
}

test('scores the sum of the events’ points, day by day, whatever their order', () => {
  fc.assert(
    fc.property(ledger, (events) => {
      const { score } = fold(events)
      const days = tally(events)
      const archived = [...days.keys()]
        .filter((date) => date < score.today.date)
        .filter((date) => hasActivity(days.get(date) as DayTally))
        .sort()
        .reverse()
      expect(score.today).toMatchObject(figures(score.today.date, days.get(score.today.date)))
      expect(score.history.map((day) => day.date)).toEqual(archived)
      for (const day of score.history) {
        expect(day).toMatchObject(figures(day.date, days.get(day.date)))
        expect(day.targetReached).toBe(day.score >= day.target)
      }
      expect(score.lifetime).toMatchObject(lifetimeOf([...days.values()]))
      expect(score.lifetime.daysTracked).toBe(archived.length)
    }),
    { numRuns: 300 },
  )
})

function lifetimeOf(days: readonly DayTally[]) {
  const all = days.map((day) => figures('', day))
  const sum = (pick: (day: (typeof all)[number]) => number) =>
    all.reduce((total, day) => total + pick(day), 0)
  return {
    totalPoints: sum((day) => day.score),
    totalVerified: sum((day) => day.verifiedCount),
    totalFailed: sum((day) => day.failedCount),
    totalContradictions: sum((day) => day.contradictionCount),
  }
}

/** Freezes everything reachable, so that a mutation throws. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

test.each([
  ['a ledger as a host writes it', ledger],
  ['any events in any order', anyEvents],
])(
  'never lowers the target or its floor except by other rules, never throws, and changes no input: %s',
  (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (events) => {
        let state = deepFreeze(initialState())
        for (const event of events) {
          expect(recordedEventSchema.safeParse(event).success).toBe(true)
          const next: WorkspaceState = deepFreeze(applyEvent(state, deepFreeze(event)))
          // Only the operator can lower them, with other rules.
          if (event.type !== 'scoring-changed') {
            expect(next.score.today.target).toBeGreaterThanOrEqual(state.score.today.target)
            expect(next.score.lifetime.targetFloor).toBeGreaterThanOrEqual(state.score.lifetime.targetFloor)
          }
          expect(next.score.today.target).toBeLessThanOrEqual(500)
          expect(next.seq).toBe(event.seq)
          state = next
        }
      }),
      { numRuns: 200 },
    )
  },
)

test('continues from a state that was converted to JSON and back as if it had not been', () => {
  fc.assert(
    fc.property(ledger, fc.nat(), (events, cut) => {
      const at = cut % (events.length + 1)
      const restored = JSON.parse(JSON.stringify(fold(events.slice(0, at)))) as WorkspaceState
      const continued = events.slice(at).reduce((state, event) => applyEvent(state, event), restored)
      expect(JSON.stringify(continued)).toBe(JSON.stringify(fold(events)))
    }),
    { numRuns: 100 },
  )
})
