import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyEvents } from './testing/arbitrary-events.ts'
import { attemptFinished, recorded } from './testing/sample-events.ts'
import { SILENT_EVENTS, timelineEntries } from './timeline.ts'
import { timelineEntrySchema } from './timeline-entry.ts'
import { hasText } from './timeline-filter.ts'

test('makes entries of valid shape and limited size from any event, and none from silent ones', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const event of events) {
        const entries = timelineEntries(event)
        for (const entry of entries) {
          expect(timelineEntrySchema.safeParse(entry).error).toBeUndefined()
          expect(entry.seq).toBe(event.seq)
          expect(entry.title).not.toBe('')
        }
        if (SILENT_EVENTS.has(event.type)) expect(entries).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})

test('marks a contradiction as critical, with claim and measurement, and includes a thumb’s note', () => {
  const comparison = { subject: 'email_count', claimed: '3', measured: '0', agrees: false }
  const [lie, thumb] = recorded([
    attemptFinished({
      verdict: 'not_verified',
      groundTruthContradiction: true,
      points: -45,
      comparisons: [comparison],
    }),
    { type: 'feedback-given', attemptId: 'a1', taskId: 'mail', feedback: 'down', note: 'empty', points: -10 },
  ]).flatMap(timelineEntries)
  expect(lie).toMatchObject({
    id: '1',
    kind: 'verdict',
    type: 'contradiction',
    severity: 'critical',
    points: -45,
    comparisons: [comparison],
    taskId: 'mail',
    attemptId: 'a1',
  })
  expect(thumb).toMatchObject({
    kind: 'feedback',
    type: 'thumbs-down',
    note: 'empty',
    points: -10,
    taskId: 'mail',
  })
})

test('shows a contract by its recorded edit, and a reading only if no edit was recorded', () => {
  const read = { type: 'contract-read' as const, hash: 'h', tasks: [] }
  const edited = {
    type: 'contract-edited' as const,
    by: 'agent' as const,
    cycle: 4,
    hash: 'h',
    previousHash: 'g',
    changes: ['mail was removed.'],
    patch: '-- [ ] mail\n',
  }
  const entries = recorded([read, { ...read, editRecorded: true }, edited]).map(timelineEntries)
  expect(entries.map((each) => each.map(({ type }) => type))).toEqual([['read'], [], ['edited-by-agent']])
  expect(entries[2]?.[0]).toMatchObject({ severity: 'warning', cycle: 4, text: ['mail was removed.'] })
})

test('truncates texts that an agent wrote without end', () => {
  const [entry] = recorded([
    attemptFinished({
      reasons: Array.from({ length: 500 }, () => 'x'.repeat(5000)),
      filesChanged: Array(200).fill('p'),
    }),
  ]).flatMap(timelineEntries)
  expect(JSON.stringify(entry).length).toBeLessThan(20_000)
})

test('finds text in what a person wrote, in measurements and in details', () => {
  const [entry] = recorded([
    attemptFinished({ comparisons: [{ subject: 'unread', claimed: 'Four', measured: null, agrees: null }] }),
  ]).flatMap(timelineEntries)
  if (entry === undefined) throw new Error('no entry')
  expect(hasText(entry, 'four')).toBe(true)
  expect(hasText({ ...entry, note: 'Look HERE' }, 'look here')).toBe(true)
  expect(hasText({ ...entry, details: { found: ['nothing'] } }, 'nothing')).toBe(true)
  expect(hasText(entry, 'five')).toBe(false)
})

test('shows gaps and pauses in local time, not as ISO 8601', () => {
  const texts = recorded([
    {
      type: 'heartbeats-missed',
      from: '2026-11-23T18:15:28.927+01:00',
      to: '2026-11-23T18:29:47.564+01:00',
      count: 2,
    },
    {
      type: 'heartbeats-missed',
      from: '2026-11-21T23:15:28.927+05:45',
      to: '2026-11-23T08:29:47.564+05:45',
      count: 99,
    },
    { type: 'paused', until: '2026-11-24T00:00:00.000+05:45' },
  ]).flatMap((event) => timelineEntries(event).flatMap(({ text }) => text))
  expect(texts).toEqual([
    'Pulseward or the machine was down from 2026-11-23 18:15 to 18:29.',
    'Pulseward or the machine was down from 2026-11-21 23:15 to 2026-11-23 08:29.',
    'Until 2026-11-24 00:00.',
  ])
})
