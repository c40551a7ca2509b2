import { offsetWords, timeWhereWritten } from '../../../core/pacing/time-where-written.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How far a moment is away, in words: `now`, `in 40 s`, `in 6 min`, `2 h ago`, `3 days ago`. */
export function relativeTime(atMs: number, nowMs: number, now = 'now'): string {
  const distance = atMs - nowMs
  const size = Math.abs(distance)
  if (size < 5000) return now
  const words = distanceInWords(size)
  return distance > 0 ? `in ${words}` : `${words} ago`
}

function distanceInWords(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`
  if (ms < DAY_MS) return `${Math.round(ms / HOUR_MS)} h`
  const days = Math.round(ms / DAY_MS)
  return days === 1 ? '1 day' : `${days} days`
}

/** The time of day, `14:32`, in the viewer's time zone. */
export function timeOfDay(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

/** The time of day where it was written, `14:32 (UTC+09:00)`; `null` where the viewer's clock shows the same. */
export function timeElsewhere(iso: string): string | null {
  const written = timeWhereWritten(iso)
  if (written === null || written.offsetMinutes === -new Date(iso).getTimezoneOffset()) return null
  return `${written.clock} (${offsetWords(written.offsetMinutes)})`
}

/** The whole moment for a hover: `Fri 20 Nov 2026, 14:32:05`. */
export function exactTime(atMs: number): string {
  return new Date(atMs)
    .toLocaleString('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    .replace(/^(\w+), /u, '$1 ')
}

/** A `YYYY-MM-DD` day for an axis: `Fri 20`. Reads the digits as they are: a day has no time zone. */
export function shortDay(date: string): string {
  return new Date(`${date}T00:00:00Z`)
    .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', timeZone: 'UTC' })
    .replace(',', '')
}

/** ISO 8601 with the viewer's offset. */
export function isoWithOffset(ms: number): string {
  const date = new Date(ms)
  const offset = -date.getTimezoneOffset()
  const local = new Date(ms + offset * MINUTE_MS).toISOString().slice(0, 19)
  const size = Math.abs(offset)
  const hours = String(Math.floor(size / 60)).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`
}
