import { DateTime, Duration, Settings } from 'luxon'
import type { SkipReason } from '../vocabulary/heartbeat.ts'

/** When a workspace may run: minutes of the local day, `endMinute` exclusive; `startMinute > endMinute` spans midnight. */
export interface ActiveHours {
  readonly startMinute: number
  readonly endMinute: number
}

export interface ScheduleInput {
  readonly nowMs: number
  /** End of the last finished heartbeat; `null` if none has run. */
  readonly lastCycleEndMs: number | null
  readonly intervalMinutes: number
  /** The reason for the current interval, as a sentence; see `resolveStanding`. */
  readonly intervalReason: string
  readonly activeHours: ActiveHours | null
  /** IANA name, or `local`. */
  readonly zone: string
  /** `untilMs: null` means until the operator resumes. */
  readonly paused: {
    readonly untilMs: number | null
    /** In words, without a period; omitted if the operator paused it. */
    readonly why?: string
  } | null
  /** True if the machine runs on battery and the operator wants to wait for mains power. Omitted: false. */
  readonly waitsForPower?: boolean
  /** The circuit breaker asks for a manual review. */
  readonly suspended: { readonly reason: string } | null
  /** `isParked`: it waits until a time that the service named. */
  readonly backoff: { readonly untilMs: number; readonly reason: string; readonly isParked?: boolean } | null
  /** Why it must wait for an account shared with others; omitted: it needn't. */
  readonly kept?: { readonly untilMs: number; readonly reason: string; readonly isClosed: boolean } | null
}

/** The next heartbeat: when (`dueMs: null` is never, in the current state) and why then, in words. */
export interface NextHeartbeat {
  readonly dueMs: number | null
  readonly reason: string
  /** True if it waits for its agent's account to become available again. */
  readonly isParked?: boolean
  /** The heartbeat that was skipped because of a pause or the active hours, with the time it would have been due. */
  readonly passedOver: {
    readonly dueMs: number
    readonly reason: SkipReason
  } | null
}

/**
 * Returns when the next heartbeat is due, in epoch ms (wall clock), and why. A time in the past means that it is due now. The
 * interval counts from the end of the last heartbeat; a pause and the active hours only move the time forward.
 */
export function nextHeartbeat(input: ScheduleInput): NextHeartbeat {
  const due = keptDue(input, backoffDue(input, intervalDue(input)))
  if (input.suspended !== null) {
    return {
      dueMs: null,
      reason: `Suspended for manual review: ${input.suspended.reason}.`,
      passedOver: { dueMs: due.dueMs, reason: 'suspended' },
    }
  }
  const paused = pauseDue(input, due)
  if (paused !== null) return paused
  if (input.waitsForPower === true) {
    return {
      dueMs: null,
      reason: 'On battery: waiting for power.',
      passedOver: { dueMs: due.dueMs, reason: 'on-battery' },
    }
  }
  if (input.activeHours === null) return { ...due, passedOver: null }
  // A time long past is due now, so "now" must be within the active hours.
  const candidateMs = Math.max(due.dueMs, input.nowMs)
  const activeMs = nextActive(candidateMs, input.activeHours, input.zone)
  if (activeMs === candidateMs) return { ...due, passedOver: null }
  const hours = `${minuteOfDay(input.activeHours.startMinute)}–${minuteOfDay(input.activeHours.endMinute)}`
  return {
    dueMs: activeMs,
    reason: `Outside the active hours ${hours}: waiting for them to start.`,
    passedOver: { dueMs: due.dueMs, reason: 'outside-active-hours' },
  }
}

interface Due {
  readonly dueMs: number
  readonly reason: string
  readonly isParked?: boolean
}

function backoffDue(input: ScheduleInput, due: Due): Due {
  if (input.backoff === null) return due
  const { untilMs, reason, isParked = false } = input.backoff
  // The back-off is over if a later heartbeat had no tasks to try. A due time in the past would repeat at once, without end.
  if (input.lastCycleEndMs !== null && input.lastCycleEndMs >= untilMs) return due
  return isParked
    ? parkedDue(input, untilMs, reason)
    : {
        dueMs: untilMs,
        reason: `Backing off until ${clockTime(untilMs, input.zone)}: ${reason}`,
      }
}

/** The shared account only moves the time forward. */
function keptDue(input: ScheduleInput, due: Due): Due {
  const kept = input.kept ?? null
  if (kept === null || kept.untilMs <= due.dueMs) return due
  return kept.isClosed
    ? parkedDue(input, kept.untilMs, kept.reason)
    : { dueMs: kept.untilMs, reason: kept.reason }
}

function parkedDue({ nowMs, zone }: ScheduleInput, untilMs: number, reason: string): Due {
  return {
    dueMs: untilMs,
    reason: `Parked until ${momentInWords(untilMs, nowMs, zone)}: ${reason}`,
    isParked: untilMs > nowMs,
  }
}

/** Returns `null` if no pause applies. */
function pauseDue(input: ScheduleInput, due: Due): NextHeartbeat | null {
  if (input.paused === null) return null
  const { untilMs, why } = input.paused
  const passedOver = { dueMs: due.dueMs, reason: 'paused' as const }
  if (untilMs === null) return { dueMs: null, reason: 'Paused until resumed.', passedOver }
  if (untilMs <= Math.max(due.dueMs, input.nowMs)) return null
  const { nowMs, zone } = input
  // A time up to the next midnight is written without a day.
  const isToday = untilMs <= nextMidnight(nowMs, zone)
  const until = isToday ? clockTime(untilMs, zone) : momentInWords(untilMs, nowMs, zone)
  return {
    dueMs: untilMs,
    reason: `Paused until ${until}${why === undefined ? '' : `: ${why}`}.`,
    passedOver,
  }
}

function intervalDue(input: ScheduleInput): Due {
  if (input.lastCycleEndMs === null)
    return { dueMs: input.nowMs, reason: 'No heartbeat has run yet, so the first one starts at once.' }
  if (isAhead(input.lastCycleEndMs, input.nowMs, input.intervalMinutes)) {
    return {
      dueMs: input.nowMs,
      reason:
        'The clock of this computer was ahead when the last heartbeat ended, so the next one starts at once.',
    }
  }
  const dueMs = input.lastCycleEndMs + input.intervalMinutes * 60_000
  return {
    dueMs,
    reason:
      `The last heartbeat ended at ${clockTime(input.lastCycleEndMs, input.zone)}. ${input.intervalReason}`.trim(),
  }
}

/**
 * Returns whether a heartbeat's end is in the future by more than an interval, because the clock has been set back since. An
 * interval counted from that end would block all heartbeats until the wrong time is reached, possibly years from now.
 */
export function isAhead(endMs: number, nowMs: number, intervalMinutes: number): boolean {
  return endMs - nowMs > intervalMinutes * 60_000
}

/** Returns the first moment at or after `ms` within the active hours. Follows daylight-saving changes. */
export function nextActive(ms: number, hours: ActiveHours, zone: string): number {
  if (isActive(ms, hours, zone)) return ms
  const moment = localTime(ms, zone)
  const start = minuteOn(moment, hours.startMinute)
  if (start.toMillis() >= ms) return start.toMillis()
  return minuteOn(moment.plus(ONE_DAY), hours.startMinute).toMillis()
}

/**
 * Returns whether `ms` is within the active hours; equal start and end mean the whole day. Hours that the clock skips in spring
 * follow the change: 02:00-03:00 is then 03:00-04:00.
 */
export function isActive(ms: number, hours: ActiveHours, zone: string): boolean {
  const { startMinute, endMinute } = hours
  if (startMinute === endMinute) return true
  const moment = localTime(ms, zone)
  const at = moment.hour * 60 + moment.minute
  const isWithin =
    startMinute < endMinute ? at >= startMinute && at < endMinute : at >= startMinute || at < endMinute
  if (isWithin) return true
  const leftOut = leftOutHours(moment, hours)
  return leftOut !== null && moment >= leftOut.start && moment < leftOut.end
}

/** Returns the end (epoch ms) of the active hours that contain `ms`. */
export function activeUntil(ms: number, hours: ActiveHours, zone: string): number {
  const moment = localTime(ms, zone)
  const leftOut = leftOutHours(moment, hours)
  if (leftOut !== null && moment >= leftOut.start && moment < leftOut.end) return leftOut.end.toMillis()
  const today = minuteOn(moment, hours.endMinute)
  return (today > moment ? today : minuteOn(moment.plus(ONE_DAY), hours.endMinute)).toMillis()
}

/** Returns the same length from the change on if the clock skips all of these hours on this day; otherwise `null`. */
function leftOutHours(
  day: DateTime,
  { startMinute, endMinute }: ActiveHours,
): { readonly start: DateTime; readonly end: DateTime } | null {
  if (startMinute >= endMinute) return null
  const start = minuteOn(day, startMinute)
  if (minuteOn(day, endMinute) > start) return null
  return { start, end: start.plus({ minutes: endMinute - startMinute }) }
}

/**
 * Returns how many heartbeats were missed between `dueMs` and `nowMs` while nothing ran, including the one due at `dueMs`: one
 * for each whole interval, only within `hours` if given. They collapse into a single catch-up run.
 */
export function missedCount(
  dueMs: number,
  nowMs: number,
  intervalMinutes: number,
  hours: { readonly activeHours: ActiveHours; readonly zone: string } | null = null,
): number {
  const intervalMs = intervalMinutes * 60_000
  const count = 1 + Math.max(0, Math.floor((nowMs - dueMs) / intervalMs))
  if (hours === null) return count
  // A higher count would say nothing more about a machine that was off for a year.
  const looked = Math.min(count, MAX_COUNTED)
  const within = Array.from({ length: looked }, (_, each) => dueMs + each * intervalMs).filter((ms) =>
    isActive(ms, hours.activeHours, hours.zone),
  ).length
  return Math.max(1, Math.round((within * count) / looked))
}

const MAX_COUNTED = 2_000

/** If a heartbeat is found this long after it was due, it was not just late: the supervisor or the machine was down. */
export const LATE_AFTER_MS = 60_000

/** Returns the back-off after the `step`-th environment fault in a row (from 1): 1, 2, 4 … 30 minutes. */
export function backoffMinutes(step: number): number {
  return Math.min(30, 2 ** (step - 1))
}

const LOCALE = 'en-US'
// Detecting the system locale is slow the first time, and adding a day asks for it whatever locale the operands have.
Settings.defaultLocale = LOCALE
const ONE_DAY = Duration.fromObject({ days: 1 })

/**
 * Returns a moment in a time zone. Sets the locale explicitly, because programs read the result too: the system's locale takes
 * longer to detect than everything else and may use other digits.
 */
export function localTime(ms: number, zone: string): DateTime {
  return DateTime.fromMillis(ms, { zone, locale: LOCALE })
}

/** Returns the YYYY-MM-DD of a moment in a time zone. */
export function localDay(ms: number, zone: string): string {
  return localTime(ms, zone).toFormat('yyyy-MM-dd')
}

/** Returns a moment in a time zone as ISO 8601 with offset. */
export function timestamp(ms: number, zone: string): string {
  return localTime(ms, zone).toISO() ?? new Date(ms).toISOString()
}

/** Returns an ISO 8601 date-time in epoch ms, read in the time zone if it has no offset; `null` if it is not one. */
export function momentOf(text: string, zone: string): number | null {
  // Bare times, years and weeks are ISO 8601 too, but not moments.
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null
  const moment = DateTime.fromISO(text, { zone, locale: LOCALE })
  return moment.isValid ? moment.toMillis() : null
}

/** Returns the first moment of the local day after that of `ms`, in epoch ms. */
export function nextMidnight(ms: number, zone: string): number {
  return localTime(ms, zone).plus(ONE_DAY).startOf('day').toMillis()
}

function clockTime(ms: number, zone: string): string {
  return localTime(ms, zone).toFormat('HH:mm')
}

/** Returns `19:30`, with the day if it is not that of `nowMs`. */
export function momentInWords(ms: number, nowMs: number, zone: string): string {
  const day = localDay(ms, zone)
  return day === localDay(nowMs, zone) ? clockTime(ms, zone) : `${day} ${clockTime(ms, zone)}`
}

function minuteOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** Returns a minute of the local day of `day`. */
export function atMinute(day: DateTime, minute: number): DateTime {
  // Set hour and minute instead of adding to midnight, which would be an hour off on a day with a clock change.
  return day.set({ hour: Math.floor(minute / 60), minute: minute % 60, second: 0, millisecond: 0 })
}

/** Returns a minute of the local day of `day`, or the moment of the change if the clock skips it. */
function minuteOn(day: DateTime, minute: number): DateTime {
  let at = atMinute(day, minute)
  // A skipped time is read as one that is later by the length of the change.
  for (let beyond = at.hour * 60 + at.minute - minute; beyond > 0; beyond -= 1) {
    const before = at.minus({ minutes: 1 })
    if (before.offset !== at.offset) break
    at = before
  }
  return at
}
