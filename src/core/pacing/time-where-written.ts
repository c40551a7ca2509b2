/** What the clock showed where a time was written. */
export interface TimeWhereWritten {
  /** YYYY-MM-DD. */
  readonly day: string
  /** HH:mm. */
  readonly clock: string
  /** East of UTC. */
  readonly offsetMinutes: number
}

// 2026-11-25T14:32, optional seconds with fractions, then Z or +09:00.
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|([+-])(\d\d):(\d\d))$/

/**
 * Returns the day and time of an ISO 8601 text with offset, as written: for a workspace's times that is the workspace's zone,
 * whatever the zone of the machine that shows them. `null` for any other text. Never throws.
 */
export function timeWhereWritten(iso: string): TimeWhereWritten | null {
  const found = WITH_OFFSET.exec(iso)
  if (found === null) return null
  const [, day = '', clock = '', sign = '+', hours = '0', minutes = '0'] = found
  const size = Number(hours) * 60 + Number(minutes)
  return { day, clock, offsetMinutes: sign === '-' && size > 0 ? -size : size }
}

/** Returns `UTC+09:00`, `UTC-03:30` or `UTC` for minutes east of UTC, at most a day. */
export function offsetWords(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC'
  const size = Math.abs(offsetMinutes)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}
