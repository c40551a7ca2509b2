import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { fold } from '../../core/record/fold.ts'
import { finishedAttempt, noteEvent } from './testing/sample-events.ts'
import { temporaryLedger } from './testing/temporary-ledger.ts'
import { verifyLedger } from './verify.ts'

const attemptId = fc.integer({ min: 0, max: 9 }).map((number) => `attempt-${number}`)
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => noteEvent(text)),
  fc
    .record({
      id: attemptId,
      verdict: fc.constantFrom('verified', 'not_verified', 'unclear', null),
      points: fc.constantFrom(10, 5, -15, -45, -2, 0, -0),
    })
    .map(({ id, verdict, points }) => finishedAttempt(id, { verdict, points })),
  fc.record({ attemptId, feedback: fc.constantFrom('up', 'down') }).map(
    (given): EventBody => ({
      type: 'feedback-given',
      ...given,
      note: null,
      points: given.feedback === 'up' ? 3 : -10,
    }),
  ),
  fc.constantFrom<EventBody>({ type: 'resumed' }, { type: 'day-rolled' }, { type: 'paused', until: null }),
)
/** One call of `append`; before it the clock moves (even backwards), and the ledger may be closed and reopened. */
const step = fc.record({
  bodies: fc.array(body, { maxLength: 4 }),
  hours: fc.integer({ min: -30, max: 60 }),
  reopen: fc.boolean(),
})

test('the state is the same however the events are split over calls, segments, snapshots and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4000 }),
      fc.integer({ min: 1, max: 20 }),
      async (steps, segmentBytes, snapshotEvery) => {
        const files = await temporaryLedger()
        try {
          let ledger = await files.open({ segmentBytes, snapshotEvery })
          const recorded = []
          for (const { bodies, hours, reopen } of steps) {
            files.nowMs += hours * 3_600_000
            if (reopen) {
              await ledger.close()
              ledger = await files.open({ segmentBytes, snapshotEvery })
            }
            recorded.push(...(await ledger.append(...bodies)))
          }
          expect(ledger.problems).toEqual([])
          expect(ledger.state).toEqual(fold(recorded))
          expect(await ledger.read(1, 1000)).toEqual(recorded)
          const days = recorded.map((event) => event.day)
          expect(days).toEqual(days.toSorted())
          await ledger.close()
          expect(await verifyLedger(files.directory)).toEqual({ events: recorded.length, problems: [] })
        } finally {
          await files.remove()
        }
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)
