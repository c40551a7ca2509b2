import { afterEach, describe, expect, it } from 'vitest'
import { localDay, nextActive, nextMidnight } from './schedule.ts'

/* A laptop that moves to another time zone: `local` is the machine's current zone, not the one at startup. */

const before = process.env.TZ

afterEach(() => {
  process.env.TZ = before
})

const at = Date.parse('2026-11-20T21:30:00Z')
const hours = { startMinute: 8 * 60, endMinute: 22 * 60 }

describe('a machine whose time zone changes', () => {
  it('moves its active hours and midnight to the new zone', () => {
    process.env.TZ = 'Europe/Berlin'
    expect(new Date(nextActive(at, hours, 'local')).toISOString()).toBe('2026-11-21T07:00:00.000Z')
    expect(localDay(at, 'local')).toBe('2026-11-20')
    process.env.TZ = 'America/New_York'
    expect(nextActive(at, hours, 'local')).toBe(at)
    expect(new Date(nextMidnight(at, 'local')).toISOString()).toBe('2026-11-21T05:00:00.000Z')
    process.env.TZ = 'Asia/Tokyo'
    expect(localDay(at, 'local')).toBe('2026-11-21')
  })

  it('changes nothing for a workspace with a configured zone', () => {
    process.env.TZ = 'Asia/Tokyo'
    expect(localDay(at, 'Europe/Berlin')).toBe('2026-11-20')
  })
})
