import { DateTime, Duration, Settings } from 'luxon'
import type { SkipReason } from '../vocabulary/heartbeat.ts'

/** When a workspace may run: minutes of the local day, `endMinute` exclusive; `startMinute > endMinute` spans midnight. */
export interface ActiveHours {
  readonly startMinute: number
  readonly endMinute: number
}

export interface ScheduleInput {
  readonly nowMs: number
  /** End of the last finished cycle; `null` where none has run. */
  readonly lastCycleEndMs: number | null
  readonly intervalMinutes: number
  /** Why the interval is what it is, as a sentence; see `resolveStanding`. */
  readonly intervalReason: string
  readonly activeHours: ActiveHours | null
  /** IANA name, or `local`. */
  readonly zone: string
  /** `untilMs: null` is until the operator resumes. */
  readonly paused: {
    readonly untilMs: number | null
    /** In words, without a full stop; left out where the operator paused it. */
    readonly why?: string
  } | null
  /** The machine runs on its battery, and the operator does not want it to; left out: no. */
  readonly waitsForPower?: boolean
  /** The circuit breaker asks for a manual review. */
  readonly suspended: { readonly reason: string } | null
  /** `isParked`: until a time that the service has stated. */
  readonly backoff: { readonly untilMs: number; readonly reason: string; readonly isParked?: boolean } | null
  /** What keeps it from an account that it shares with others; left out: nothing. */
  readonly kept?: { readonly untilMs: number; readonly reason: string; readonly isClosed: boolean } | null
}

/** The next heartbeat: when (`dueMs: null` is never, as things stand) and why then, in words. */
export interface NextHeartbeat {
  readonly dueMs: number | null
  readonly reason: string
  /** It waits for its agent's account to be open again. */
  readonly isParked?: boolean
  /** The heartbeat that a pause or the active hours let pass, with the time it would have been due. */
  readonly passedOver: {
    readonly dueMs: number
    readonly reason: SkipReason
  } | null
}

/**
 * When the next heartbeat is due, in epoch ms (wall clock), and why then. It may lie in the past: then it is due now. An
 * interval is counted from the end of the last cycle, a pause and the active hours move the time forward, never back.
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
      reason: 'On battery: it waits for power.',
      passedOver: { dueMs: due.dueMs, reason: 'on-battery' },
    }
  }
  if (input.activeHours === null) return { ...due, passedOver: null }
  // A time long past is due now, so it is now that has to lie within the active hours.
  const candidateMs = Math.max(due.dueMs, input.nowMs)
  const activeMs = nextActive(candidateMs, input.activeHours, input.zone)
  if (activeMs === candidateMs) return { ...due, passedOver: null }
  const hours = `${minuteOfDay(input.activeHours.startMinute)}–${minuteOfDay(input.activeHours.endMinute)}`
  return {
    dueMs: activeMs,
    reason: `Outside the active hours ${hours}: waits for their start.`,
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
  // It is over where a heartbeat had nothing to try it with: what is past would be due again at once, without end.
  if (input.lastCycleEndMs !== null && input.lastCycleEndMs >= untilMs) return due
  return isParked
    ? parkedDue(input, untilMs, reason)
    : {
        dueMs: untilMs,
        reason: `Backing off until ${clockTime(untilMs, input.zone)}: ${reason}`,
      }
}

/** The account that it shares moves the time forward, never back. */
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

/** `null` where no pause stands in the way. */
function pauseDue(input: ScheduleInput, due: Due): NextHeartbeat | null {
  if (input.paused === null) return null
  const { untilMs, why } = input.paused
  const passedOver = { dueMs: due.dueMs, reason: 'paused' as const }
  if (untilMs === null) return { dueMs: null, reason: 'Paused until it is resumed.', passedOver }
  if (untilMs <= Math.max(due.dueMs, input.nowMs)) return null
  return {
    dueMs: untilMs,
    reason: `Paused until ${clockTime(untilMs, input.zone)}${why === undefined ? '' : `: ${why}`}.`,
    passedOver,
  }
}

function intervalDue(input: ScheduleInput): Due {
  if (input.lastCycleEndMs === null)
    return { dueMs: input.nowMs, reason: 'No heartbeat has run yet: it starts at once.' }
  if (isAhead(input.lastCycleEndMs, input.nowMs, input.intervalMinutes)) {
    return {
      dueMs: input.nowMs,
      reason:
        'The clock of this computer was ahead when the last heartbeat ended: the next one starts at once.',
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
 * Whether a heartbeat ended by a clock that has been set back since, by more than an interval: what is counted from that end would keep
 * all heartbeats from running until the wrong time has come, years from now where a machine began with the date of another day.
 */
export function isAhead(endMs: number, nowMs: number, intervalMinutes: number): boolean {
  return endMs - nowMs > intervalMinutes * 60_000
}

/** The first moment at or after `ms` that lies within the active hours. Daylight-saving changes are followed. */
export function nextActive(ms: number, hours: ActiveHours, zone: string): number {
  if (isActive(ms, hours, zone)) return ms
  const moment = localTime(ms, zone)
  const start = minuteOn(moment, hours.startMinute)
  if (start.toMillis() >= ms) return start.toMillis()
  return minuteOn(moment.plus(ONE_DAY), hours.startMinute).toMillis()
}

/**
 * Whether `ms` lies within the active hours; equal start and end mean the whole day. Hours that the clock leaves out in spring
 * follow the change: 02:00-03:00 is then from 03:00 to 04:00.
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

/** The end (epoch ms) of the active hours that `ms` lies in. */
export function activeUntil(ms: number, hours: ActiveHours, zone: string): number {
  const moment = localTime(ms, zone)
  const leftOut = leftOutHours(moment, hours)
  if (leftOut !== null && moment >= leftOut.start && moment < leftOut.end) return leftOut.end.toMillis()
  const today = minuteOn(moment, hours.endMinute)
  return (today > moment ? today : minuteOn(moment.plus(ONE_DAY), hours.endMinute)).toMillis()
}

/** Where the clock leaves out all of these hours on this day: as long, from the change on. `null`: it does not. */
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
 * How many heartbeats were missed between `dueMs` and `nowMs` while nothing ran, the one due at `dueMs` included: one for
 * each whole interval, where `hours` are given only within them. They collapse into a single catch-up run.
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
  // Bounded: a machine that was off for a year has no more to tell.
  const looked = Math.min(count, MAX_COUNTED)
  const within = Array.from({ length: looked }, (_, each) => dueMs + each * intervalMs).filter((ms) =>
    isActive(ms, hours.activeHours, hours.zone),
  ).length
  return Math.max(1, Math.round((within * count) / looked))
}

const MAX_COUNTED = 2_000

/** A heartbeat found this long after it was due was not merely late: the supervisor or the machine was down. */
export const LATE_AFTER_MS = 60_000

/** The back-off after the `step`-th environment fault in a row (from 1): 1, 2, 4 … 30 minutes. */
export function backoffMinutes(step: number): number {
  return Math.min(30, 2 ** (step - 1))
}

const LOCALE = 'en-US'
// To find out the system's takes long the first time, and adding a day asks for it whatever locale the parts of the sum have.
Settings.defaultLocale = LOCALE
const ONE_DAY = Duration.fromObject({ days: 1 })

/**
 * A moment in a time zone. Its locale is named, for what is made of it is read by programs too: else it would be the system's, which
 * takes longer to find out than all the rest and may bring digits of its own.
 */
export function localTime(ms: number, zone: string): DateTime {
  return DateTime.fromMillis(ms, { zone, locale: LOCALE })
}

/** YYYY-MM-DD of a moment in a time zone. */
export function localDay(ms: number, zone: string): string {
  return localTime(ms, zone).toFormat('yyyy-MM-dd')
}

/** ISO 8601 with offset of a moment in a time zone. */
export function timestamp(ms: number, zone: string): string {
  return localTime(ms, zone).toISO() ?? new Date(ms).toISOString()
}

/** Epoch ms of an ISO 8601 date-time, in the time zone where it has no offset of its own; `null` where it is none. */
export function momentOf(text: string, zone: string): number | null {
  // Times alone, years and weeks are ISO 8601 too, and no moment that anybody means.
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null
  const moment = DateTime.fromISO(text, { zone, locale: LOCALE })
  return moment.isValid ? moment.toMillis() : null
}

/** The first moment of the local day after that of `ms`, in epoch ms. */
export function nextMidnight(ms: number, zone: string): number {
  return localTime(ms, zone).plus(ONE_DAY).startOf('day').toMillis()
}

function clockTime(ms: number, zone: string): string {
  return localTime(ms, zone).toFormat('HH:mm')
}

/** `19:30`, with the day where it is not that of `nowMs`. */
export function momentInWords(ms: number, nowMs: number, zone: string): string {
  const day = localDay(ms, zone)
  return day === localDay(nowMs, zone) ? clockTime(ms, zone) : `${day} ${clockTime(ms, zone)}`
}

function minuteOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** A minute of the local day of `day`. */
export function atMinute(day: DateTime, minute: number): DateTime {
  // Set by hour and minute, not by adding to midnight: on a day with a clock change that would be an hour off.
  return day.set({ hour: Math.floor(minute / 60), minute: minute % 60, second: 0, millisecond: 0 })
}

/** A minute of the local day of `day`, or where the clock leaves it out the moment of the change. */
function minuteOn(day: DateTime, minute: number): DateTime {
  let at = atMinute(day, minute)
  // A time that is left out is taken for one as much later as the clock is put forward.
  for (let beyond = at.hour * 60 + at.minute - minute; beyond > 0; beyond -= 1) {
    const before = at.minus({ minutes: 1 })
    if (before.offset !== at.offset) break
    at = before
  }
  return at
}
