import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { endOfPauseUntilTomorrow, quietUntil } from './quiet-hours.ts'

const zone = 'Europe/Berlin'
const at = (text: string): number => DateTime.fromISO(text, { zone }).toMillis()

test.each([
  ['2026-11-20T21:59', null],
  ['2026-11-20T22:00', '2026-11-21T07:30'],
  ['2026-11-20T23:59', '2026-11-21T07:30'],
  ['2026-11-21T00:00', '2026-11-21T07:30'],
  ['2026-11-21T07:29', '2026-11-21T07:30'],
  ['2026-11-21T07:30', null],
])('at %s quiet hours from 22:00 to 07:30 last until %s', (now, until) => {
  expect(quietUntil(at(now), { from: '22:00', to: '07:30' }, zone)).toBe(until === null ? null : at(until))
})

test('ends quiet hours within one day on that day, and is never quiet if none are set', () => {
  expect(quietUntil(at('2026-11-20T12:10'), { from: '12:00', to: '13:00' }, zone)).toBe(
    at('2026-11-20T13:00'),
  )
  expect(quietUntil(at('2026-11-20T13:00'), { from: '12:00', to: '13:00' }, zone)).toBeNull()
  expect(quietUntil(at('2026-11-20T12:10'), null, zone)).toBeNull()
})

test('ends quiet hours over the night of a clock change at the named time', () => {
  expect(quietUntil(at('2026-10-24T23:00'), { from: '22:00', to: '07:00' }, zone)).toBe(
    at('2026-10-25T07:00'),
  )
})

test.each([
  ['at midnight without active hours', null, '2026-11-21T00:00'],
  ['when the active hours begin', { startMinute: 8 * 60, endMinute: 22 * 60 }, '2026-11-21T08:00'],
  [
    'at midnight if active hours span midnight',
    { startMinute: 22 * 60, endMinute: 6 * 60 },
    '2026-11-21T00:00',
  ],
] as const)('ends a pause until tomorrow %s', (_what, hours, end) => {
  expect(endOfPauseUntilTomorrow(at('2026-11-20T14:20'), hours, zone)).toBe(at(end))
})
