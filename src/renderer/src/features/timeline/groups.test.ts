import { expect, test } from 'vitest'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { dayInWords, groupOf } from './groups.ts'

const entry = (day: string, cycle: number | null) => ({ day, cycle }) as TimelineEntry

test('gives the first entry of a day and of a heartbeat their headings, and the next ones none', () => {
  const newest = entry('2026-11-20', 4)
  expect(groupOf(newest, null)).toEqual({ day: 'Friday 20 November 2026', cycle: 4 })
  expect(groupOf(entry('2026-11-20', 4), newest)).toEqual({ day: null, cycle: null })
  expect(groupOf(entry('2026-11-20', 3), newest)).toEqual({ day: null, cycle: 3 })
  expect(groupOf(entry('2026-11-20', null), newest)).toEqual({ day: null, cycle: null })
  expect(groupOf(entry('2026-11-19', 4), newest)).toEqual({ day: 'Thursday 19 November 2026', cycle: 4 })
})

test('shows no heading for entries that are not loaded', () => {
  expect(groupOf(undefined, null)).toBeNull()
})

test('shows an invalid day unchanged', () => {
  expect(dayInWords('whenever')).toBe('whenever')
})
