import { DateTime, Settings } from 'luxon'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  activeUntil,
  backoffMinutes,
  isActive,
  localDay,
  missedCount,
  momentInWords,
  momentOf,
  nextActive,
  nextHeartbeat,
  nextMidnight,
  type ScheduleInput,
} from './schedule.ts'

const zone = 'Europe/Berlin'
const at = (text: string): number => DateTime.fromISO(text, { zone }).toMillis()
const input = (over: Partial<ScheduleInput>): ScheduleInput => ({
  nowMs: at('2026-11-20T14:20'),
  lastCycleEndMs: at('2026-11-20T14:17'),
  intervalMinutes: 15,
  intervalReason: 'Every 15 minutes, as set.',
  activeHours: null,
  zone,
  paused: null,
  suspended: null,
  backoff: null,
  ...over,
})

describe('nextHeartbeat', () => {
  it.each<[string, Partial<ScheduleInput>, string | null, RegExp]>([
    [
      'counts the interval from the end of the last heartbeat',
      {},
      '2026-11-20T14:32',
      /ended at 14:17\. Every 15 minutes, as set\./,
    ],
    [
      'waits as usual if the clock was ahead by less than an interval',
      { lastCycleEndMs: at('2026-11-20T14:34') },
      '2026-11-20T14:49',
      /ended at 14:34/,
    ],
    [
      'is due at once if the clock was years ahead when the last one ended',
      { lastCycleEndMs: at('2066-11-20T14:34') },
      '2026-11-20T14:20',
      /clock of this computer was ahead/,
    ],
    [
      'stays within its active hours after a clock that was ahead',
      {
        lastCycleEndMs: at('2026-11-21T14:34'),
        activeHours: { startMinute: 15 * 60, endMinute: 16 * 60 },
      },
      '2026-11-20T15:00',
      /active hours/,
    ],
    ['is due at once if nothing has run', { lastCycleEndMs: null }, '2026-11-20T14:20', /at once/],
    ['is never due while paused without an end', { paused: { untilMs: null } }, null, /Paused until resumed/],
    [
      'waits for the end of a pause',
      { paused: { untilMs: at('2026-11-20T16:00') } },
      '2026-11-20T16:00',
      /Paused until 16:00/,
    ],
    [
      'names the day on which a pause ends, if it is another',
      { paused: { untilMs: at('2026-11-21T16:00') } },
      '2026-11-21T16:00',
      /Paused until 2026-11-21 16:00\.$/,
    ],
    [
      'ignores a pause that ends before it is due',
      { paused: { untilMs: at('2026-11-20T14:25') } },
      '2026-11-20T14:32',
      /ended/,
    ],
    [
      'waits for the end of a back-off and says why',
      { backoff: { untilMs: at('2026-11-20T14:40'), reason: 'codex is not logged in.' } },
      '2026-11-20T14:40',
      /14:40: codex is not logged in/,
    ],
    [
      'ignores a back-off that ended before a later heartbeat, such as one without tasks to run',
      { backoff: { untilMs: at('2026-11-20T14:16'), reason: 'codex is not logged in.' } },
      '2026-11-20T14:32',
      /ended at 14:17/,
    ],
    [
      'never runs while suspended',
      { suspended: { reason: 'it happened again' } },
      null,
      /manual review: it happened again/,
    ],
    [
      'moves to the start of the active hours',
      { activeHours: { startMinute: 8 * 60, endMinute: 14 * 60 + 30 } },
      '2026-11-21T08:00',
      /08:00–14:30/,
    ],
    [
      'does not move if the active hours span midnight',
      { activeHours: { startMinute: 14 * 60, endMinute: 2 * 60 } },
      '2026-11-20T14:32',
      /ended/,
    ],
    [
      'waits for the next active hours if it was due long ago and today’s are over',
      { lastCycleEndMs: at('2026-11-19T09:00'), activeHours: { startMinute: 480, endMinute: 600 } },
      '2026-11-21T08:00',
      /active hours/,
    ],
  ])('%s', (_title, over, expected, reason) => {
    const next = nextHeartbeat(input(over))
    expect(next.dueMs).toBe(expected === null ? null : at(expected))
    expect(next.reason).toMatch(reason)
  })
})

describe('active hours', () => {
  it('start at the same wall-clock time on the days the clocks change', () => {
    const hours = { startMinute: 8 * 60, endMinute: 22 * 60 }
    expect(nextActive(at('2026-03-28T23:00'), hours, zone)).toBe(at('2026-03-29T08:00'))
    expect(nextActive(at('2026-10-24T23:00'), hours, zone)).toBe(at('2026-10-25T08:00'))
  })

  const newYork = (iso: string) => DateTime.fromISO(iso, { zone: 'America/New_York' }).toMillis()

  it.each([
    // The clock goes from 02:00 to 03:00.
    [2 * 60, 3 * 60, '2026-03-08T03:00', '2026-03-08T04:00'],
    [2 * 60 + 15, 2 * 60 + 45, '2026-03-08T03:00', '2026-03-08T03:30'],
    [2 * 60 + 30, 3 * 60 + 30, '2026-03-08T03:00', '2026-03-08T03:30'],
    [2 * 60, 6 * 60, '2026-03-08T03:00', '2026-03-08T06:00'],
    [60, 2 * 60 + 30, '2026-03-08T01:00', '2026-03-08T03:00'],
    [2 * 60 + 30, 60, '2026-03-08T03:00', '2026-03-09T01:00'],
  ])(
    'that a spring clock change skips start after the change (%i to %i)',
    (startMinute, endMinute, from, to) => {
      const hours = { startMinute, endMinute }
      const eve = newYork('2026-03-07T22:00')
      const startMs = startMinute > endMinute ? newYork('2026-03-08T01:30') : eve
      expect(nextActive(startMs, hours, 'America/New_York')).toBe(newYork(from))
      expect(isActive(newYork(from), hours, 'America/New_York')).toBe(true)
      expect(isActive(newYork(to) - 1, hours, 'America/New_York')).toBe(true)
      expect(isActive(newYork(to), hours, 'America/New_York')).toBe(false)
      expect(activeUntil(newYork(from), hours, 'America/New_York')).toBe(newYork(to))
    },
  )

  it('exclude their end and include their start', () => {
    const hours = { startMinute: 8 * 60, endMinute: 22 * 60 }
    expect(isActive(at('2026-11-20T08:00'), hours, zone)).toBe(true)
    expect(isActive(at('2026-11-20T21:59'), hours, zone)).toBe(true)
    expect(isActive(at('2026-11-20T22:00'), hours, zone)).toBe(false)
  })
})

it('counts one missed heartbeat for each whole interval', () => {
  const due = at('2026-11-20T14:00')
  expect(missedCount(due, at('2026-11-20T14:02'), 15)).toBe(1)
  expect(missedCount(due, at('2026-11-20T14:15'), 15)).toBe(2)
  expect(missedCount(due, at('2026-11-20T22:00'), 15)).toBe(33)
})

it('backs off 1, 2, 4, 8, 16 and then 30 minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(backoffMinutes)).toEqual([1, 2, 4, 8, 16, 30, 30])
})

it('finds midnight on a day of 23 hours', () => {
  expect(nextMidnight(at('2026-03-29T12:00'), zone)).toBe(at('2026-03-30T00:00'))
})

it.each([
  ['2030-01-31T18:00', '2030-01-31T18:00+01:00'],
  ['2030-07-31T18:00:30', '2030-07-31T18:00:30+02:00'],
  ['2030-01-31T18:00Z', '2030-01-31T19:00+01:00'],
  ['2030-01-31', null],
  ['18:00', null],
  ['2030-02-31T18:00', null],
  ['2030-01-31T18:00 or so', null],
  ['5', null],
])('%s is the moment %s', (text, moment) => {
  expect(momentOf(text, zone)).toBe(moment === null ? null : at(moment))
})

it('writes days and times in ASCII digits, whatever the system locale', () => {
  const { defaultLocale } = Settings
  onTestFinished(() => {
    Settings.defaultLocale = defaultLocale
  })
  Settings.defaultLocale = 'ar-EG'
  const nowMs = at('2026-11-20T10:00')
  expect(localDay(nowMs, zone)).toBe('2026-11-20')
  expect(momentInWords(nowMs, nowMs, zone)).toBe('10:00')
})
