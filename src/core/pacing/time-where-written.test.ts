import { describe, expect, test } from 'vitest'
import { timestamp } from './schedule.ts'
import { offsetWords, timeWhereWritten } from './time-where-written.ts'

describe('times as written', () => {
  test.each([
    ['2026-11-25T14:32:05.123+09:00', '2026-11-25', '14:32', 540, 'UTC+09:00'],
    ['2026-11-25T00:02-03:30', '2026-11-25', '00:02', -210, 'UTC-03:30'],
    ['2026-11-25T23:59:59Z', '2026-11-25', '23:59', 0, 'UTC'],
    ['2026-11-25T23:59:59-00:00', '2026-11-25', '23:59', 0, 'UTC'],
  ])('reads %s as %s %s, %d minutes east, shown as %5$s', (iso, day, clock, offsetMinutes, words) => {
    expect(timeWhereWritten(iso)).toEqual({ day, clock, offsetMinutes })
    expect(offsetWords(offsetMinutes)).toBe(words)
  })

  test.each(['', 'tomorrow', '2026-11-25', '2026-11-25T14:32:05', '14:32+09:00', ' 2026-11-25T14:32Z'])(
    'rejects %j',
    (text) => {
      expect(timeWhereWritten(text)).toBeNull()
    },
  )

  test('reads what the record writes in each zone', () => {
    const ms = Date.parse('2026-07-01T12:00:00Z')
    const found = ['Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati', 'UTC'].map((zone) =>
      timeWhereWritten(timestamp(ms, zone)),
    )
    expect(found).toEqual([
      { day: '2026-07-01', clock: '17:45', offsetMinutes: 345 },
      { day: '2026-07-01', clock: '08:00', offsetMinutes: -240 },
      { day: '2026-07-02', clock: '02:00', offsetMinutes: 840 },
      { day: '2026-07-01', clock: '12:00', offsetMinutes: 0 },
    ])
  })
})
