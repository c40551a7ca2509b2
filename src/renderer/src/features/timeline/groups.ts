import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'

/** The headings above an entry that is the first of its day or heartbeat, counted from the newest. */
interface Group {
  readonly day: string | null
  readonly cycle: number | null
}

/**
 * Returns the headings above an entry. `newer` is the entry above it: `null` if there is none, `undefined` if it is not loaded; then there
 * is no heading, because it may belong above that entry.
 */
export function groupOf(
  entry: TimelineEntry | undefined,
  newer: TimelineEntry | null | undefined,
): Group | null {
  if (entry === undefined) return null
  if (newer === undefined) return { day: dayInWords(entry.day), cycle: null }
  const isNewDay = newer?.day !== entry.day
  const isNewCycle = entry.cycle !== null && (isNewDay || newer?.cycle !== entry.cycle)
  return { day: isNewDay ? dayInWords(entry.day) : null, cycle: isNewCycle ? entry.cycle : null }
}

/** Returns `Friday 20 November 2026`, in UTC because a day has no time zone. Text that is not a day is returned unchanged. */
export function dayInWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  const options = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  } as const
  return date.toLocaleDateString('en-GB', options).replace(',', '')
}
