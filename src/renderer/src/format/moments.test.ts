import { expect, test } from 'vitest'
import { exactTime, isoWithOffset, relativeTime, shortDay, timeElsewhere, timeOfDay } from './moments.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

test.each([
  [0, 'now'],
  [-4_999, 'now'],
  [40_000, 'in 40 s'],
  [6 * 60_000, 'in 6 min'],
  [-2 * 3_600_000, '2 h ago'],
  [-86_400_000, '1 day ago'],
  [3 * 86_400_000, 'in 3 days'],
])('writes a moment %d ms away as "%s"', (distance, words) => {
  expect(relativeTime(NOW + distance, NOW)).toBe(words)
})

test('names a day by its own digits, whatever the time zone', () => {
  expect(shortDay('2026-11-20')).toBe('Fri 20')
})

test('shows day, date and second in the exact time', () => {
  expect(exactTime(new Date(2026, 10, 20, 14, 32, 5).getTime())).toBe('Fri 20 Nov 2026, 14:32:05')
})

test('formats days and times like the locale, whatever the moment', () => {
  for (let at = Date.UTC(1999, 11, 30); at < Date.UTC(2031, 0, 1); at += 5.3 * 86_400_000 + 1234) {
    const date = new Date(at)
    const clock = date.toLocaleTimeString('en-GB')
    const [year = '', month = '', day = ''] = [
      date.toLocaleDateString('en-GB', { year: 'numeric' }),
      date.toLocaleDateString('en-GB', { month: 'short' }),
      date.toLocaleDateString('en-GB', { weekday: 'short' }),
    ]
    expect(exactTime(at)).toBe(`${day} ${date.getDate()} ${month} ${year}, ${clock}`)
    expect(timeOfDay(at)).toBe(clock.slice(0, 5))
    const weekday = date.toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' })
    expect(shortDay(date.toISOString().slice(0, 10))).toBe(`${weekday} ${date.getUTCDate()}`)
  }
})

test('writes the same moment with the local offset', () => {
  expect(Date.parse(isoWithOffset(NOW))).toBe(NOW)
  expect(isoWithOffset(NOW)).toMatch(/[+-]\d\d:\d\d$/u)
})

test('shows a time in its own zone if that is not the viewer’s', () => {
  const here = isoWithOffset(NOW)
  expect(timeElsewhere(here)).toBeNull()
  // Half an hour further east than the viewer, wherever that is.
  const east = -new Date(NOW).getTimezoneOffset() + 30
  const there = new Date(NOW + east * 60_000).toISOString().slice(0, 16)
  const pad = (value: number) => String(Math.abs(value)).padStart(2, '0')
  const offset = `${east < 0 ? '-' : '+'}${pad(Math.trunc(east / 60))}:${pad(east % 60)}`
  expect(timeElsewhere(`${there}${offset}`)).toBe(`${there.slice(11)} (UTC${offset})`)
})
