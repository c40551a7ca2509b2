import { offsetWords, timeWhereWritten } from '../../../core/pacing/time-where-written.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Says how far away a moment is: `now`, `in 40 s`, `in 6 min`, `2 h ago`, `3 days ago`. */
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

// The names of `toLocaleString('en-GB')`, whose tables take longer to load than the first screen takes to draw.
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** Returns the time of day, `14:32`, in the viewer's time zone. */
export function timeOfDay(atMs: number): string {
  const date = new Date(atMs)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** Returns the time of day where it was recorded, `14:32 (UTC+09:00)`; `null` if the viewer's clock shows the same. */
export function timeElsewhere(iso: string): string | null {
  const written = timeWhereWritten(iso)
  if (written === null || written.offsetMinutes === -new Date(iso).getTimezoneOffset()) return null
  return `${written.clock} (${offsetWords(written.offsetMinutes)})`
}

/** Returns the full moment for a tooltip: `Fri 20 Nov 2026, 14:32:05`. */
export function exactTime(atMs: number): string {
  const date = new Date(atMs)
  const day = [WEEKDAYS[date.getDay()], date.getDate(), MONTHS[date.getMonth()], date.getFullYear()]
  return `${day.join(' ')}, ${timeOfDay(atMs)}:${twoDigits(date.getSeconds())}`
}

/** Returns a `YYYY-MM-DD` day for an axis: `Fri 20`. Reads the digits as they are, because a day has no time zone. */
export function shortDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  return `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()}`
}

/** Returns ISO 8601 with the viewer's offset. */
export function isoWithOffset(ms: number): string {
  const date = new Date(ms)
  const offset = -date.getTimezoneOffset()
  const local = new Date(ms + offset * MINUTE_MS).toISOString().slice(0, 19)
  const size = Math.abs(offset)
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
