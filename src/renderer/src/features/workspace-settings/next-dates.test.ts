import { expect, test } from 'vitest'
import { nextDates } from './next-dates.ts'

const NOON = new Date(2026, 2, 2, 12, 0, 0).getTime()
const defaults = { 'heartbeat.interval_minutes': 15 }

test('says when the next heartbeat would run at each standing', () => {
  expect(nextDates({ values: {}, defaults }, NOON)).toBe(
    'If one ended now, the next would start at 12:08 (lockdown), 12:10 (escalated), 12:12 (tightened), 12:15 (as set), 12:17 (good), 12:20 (excellent, outstanding).',
  )
})

test('a penalty never lengthens a short interval, and a reward never shortens a long one', () => {
  const short = nextDates({ values: { 'heartbeat.interval_minutes': 2 }, defaults }, NOON)
  expect(short).toContain('12:02 (lockdown, escalated, tightened, as set)')
  const long = nextDates({ values: { 'heartbeat.interval_minutes': 60 }, defaults }, NOON)
  expect(long).toContain('13:00 (as set, good, excellent, outstanding)')
})

test('uses the minutes in the file', () => {
  const values = { 'heartbeat.interval_minutes': 30, 'scoring.lockdown_minutes': 1 }
  expect(nextDates({ values, defaults }, NOON)).toContain('12:01 (lockdown)')
})

test('predicts nothing for an invalid interval', () => {
  expect(nextDates({ values: { 'heartbeat.interval_minutes': 'soon' }, defaults }, NOON)).toBeNull()
})
