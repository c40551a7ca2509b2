import { expect, it } from 'vitest'
import { clockNotice } from './clock-notice.ts'

it.each([
  [null, '2026-11-22'],
  ['2026-11-22', '2026-11-22'],
  ['2026-11-21', '2026-11-22'],
  ['2020-01-01', '2026-11-22'],
  // From Tokyo to Honolulu on the same day.
  ['2026-11-23', '2026-11-22'],
])('says nothing about a record at %s on %s', (recorded, today) => {
  expect(clockNotice(recorded, today)).toBeNull()
})

it.each([
  ['2031-11-22', '2026-11-22', 1826],
  ['2026-12-01', '2026-11-29', 2],
])('says how long a record at %s does not advance on %s', (recorded, today, days) => {
  const notice = clockNotice(recorded, today)
  expect(notice?.message).toContain(`does not advance for ${days} days`)
  expect(notice?.remedy).toContain('Set the clock right')
})
