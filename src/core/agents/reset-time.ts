import { DateTime } from 'luxon'

/*
 * How programs and services report when a limit ends:
 *
 *   Claude AI usage limit reached|1795190400            seconds since 1970
 *   "resetsAt":1795190400 · resets_in_seconds: 4300     fields of an event or an error
 *   Retry-After: 120 · Retry-After: Sat, 21 Nov 2026 19:30:00 GMT
 *   try again in 3h 20m · reset after 20h19m28s · in an hour      from now
 *   resets 7pm (Europe/Berlin) · resets Oct 9, 3am · try again at 3:15 PM
 *   reset at: Nov 27, 4:00 AM · 2026-04-15 15:30 UTC · 4/17/2026, 4:00 AM · 17.04.2026 16:00
 *   um 16 Uhr · at 17h00
 *
 * A time of day means its next occurrence, in the time zone that follows it or else the reader's. If a form is ambiguous,
 * the earlier time counts: trying too soon costs one attempt, waiting too long costs the night.
 */

/** The time and zone of the reader. */
export interface Now {
  /** Epoch ms, wall clock. */
  readonly epochMs: number
  /** IANA name, or `local` for the system's. */
  readonly timeZone: string
}

const MAX_TEXT = 4000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** No limit lasts longer, so a later time was misread. */
const LONGEST_MS = 35 * DAY_MS
/** A reset time that has just passed was reported late; it doesn't mean tomorrow. */
const JUST_PASSED_MS = 5 * MINUTE_MS

/**
 * Returns when the limit mentioned in `text` ends, in epoch ms and not before `now`; `null` if the text doesn't say, or gives
 * an implausible time (long past, or more than 35 days away). Pure; never throws.
 */
export function resetTimeIn(text: string, now: Now): number | null {
  const bounded = text.slice(0, MAX_TEXT)
  const at = stampIn(bounded) ?? afterWhile(bounded, now) ?? atClock(bounded, now)
  return at === null ? null : plausibleReset(at, now.epochMs)
}

/** Returns a stated reset in epoch ms, not before `nowMs`; `null` for an implausible one. */
export function plausibleReset(atMs: number, nowMs: number): number | null {
  if (!Number.isFinite(atMs) || atMs < nowMs - JUST_PASSED_MS || atMs > nowMs + LONGEST_MS) return null
  return Math.max(Math.round(atMs), nowMs)
}

/** Returns seconds or milliseconds since 1970, told apart by their size, as milliseconds. */
export function epochMsOf(stamp: number): number {
  return stamp < 1e11 ? stamp * 1000 : stamp
}

/** Matches what stands between a field's name and its value, in JSON, in JSON within JSON, in a header or in prose. */
const IS = String.raw`\\?["']?\s*[:=]?\s*\\?["']?`

const STAMPS: readonly RegExp[] = [
  /\blimit (?:reached|exceeded|hit)[^\n|]{0,40}\|\s*(\d{10}(?:\d{3})?)\b/i,
  new RegExp(String.raw`\breset(?:s|[-_]?time)?[-_]?(?:at|on)?${IS}(\d{10}(?:\d{3})?)\b`, 'i'),
  /\b(?:reset|retry|again|available|until)\w*\b[^\n]{0,60}?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))/i,
  new RegExp(
    String.raw`\bretry-after${IS}((?:mon|tue|wed|thu|fri|sat|sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT)`,
    'i',
  ),
]

function stampIn(text: string): number | null {
  for (const pattern of STAMPS) {
    const stamp = pattern.exec(text)?.[1]
    if (stamp === undefined) continue
    return /^\d+$/.test(stamp)
      ? epochMsOf(Number(stamp))
      : Date.parse(stamp.replace(' ', stamp.includes(',') ? ' ' : 'T'))
  }
  return null
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
}
/** `17h00` is a time of day, so an `h` followed by two bare digits is not a unit. */
const PART = String.raw`\d{1,6}(?:\.\d{1,12})?\s*(?:weeks?|w|days?|d|hours?|hrs?|h(?!\d\d\b)|minutes?|mins?|milliseconds?|ms|m|seconds?|secs?|s)(?![a-z])`
/** `20h19m28s`, `3 days, 4 hours and 5 minutes`: only the digits of the next unit may directly follow a unit. */
const DURATION = String.raw`((?:${PART}[\s,]*(?:and\s+)?){1,6})`
const LEADS = String.raw`\b(?:try again|retry|retrying|resets?|available(?: again)?|wait|refresh(?:es)?|renews?)\b`
/** Matches a duration after words that announce a reset, except after "at", which precedes a time of day: `at 17h`. */
const AFTER_WORDS = new RegExp(
  String.raw`${LEADS}(?:(?!\bat\b)[^\n\d]){0,30}?\b(?:in|after|for)?\s+(?:about |approximately |~)?${DURATION}`,
  'i',
)
const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
/** For example `in an hour`, `after two minutes`. */
const SPOKEN = new RegExp(
  String.raw`${LEADS}[^\n\d]{0,30}?\b(?:in|after)\s+(?:about |approximately )?(half an?|an?|${NUMBER_WORDS.join('|')})\s+(week|day|hour|minute)s?\b`,
  'i',
)
/** `in 3h20`: after "in" this is a duration, not a time of day. */
const HOURS_AND_MINUTES = new RegExp(
  String.raw`${LEADS}[^\n\d]{0,30}?\b(?:in|after)\s+(\d{1,3})h(\d\d)\b`,
  'i',
)
const SECONDS = new RegExp(
  String.raw`\b(?:retry[-_ ]?after(?:[-_ ]?(?:seconds|secs|s))?|resets?[-_]in[-_]seconds|reset[-_]after[-_]seconds)${IS}(\d{1,8}(?:\.\d+)?)(?![\w:-])`,
  'i',
)
const RETRY_DELAY = new RegExp(String.raw`\bretry[-_ ]?(?:delay|after)${IS}${DURATION}`, 'i')
const MILLISECONDS = new RegExp(
  String.raw`\b(?:retry[-_ ]?(?:after|delay)[-_ ]?ms|retryAfterMs)${IS}(\d{1,12})\b`,
  'i',
)

function afterWhile(text: string, { epochMs }: Now): number | null {
  const ms = MILLISECONDS.exec(text)?.[1]
  if (ms !== undefined) return epochMs + Number(ms)
  const duration = (RETRY_DELAY.exec(text) ?? AFTER_WORDS.exec(text))?.[1]
  if (duration !== undefined) return epochMs + durationMs(duration)
  const spokenMs = spokenDurationMs(text)
  if (spokenMs !== null) return epochMs + spokenMs
  const seconds = SECONDS.exec(text)?.[1]
  return seconds === undefined ? null : epochMs + Number(seconds) * 1000
}

function spokenDurationMs(text: string): number | null {
  const [, hours, minutes] = HOURS_AND_MINUTES.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 60 * MINUTE_MS + Number(minutes) * MINUTE_MS
  const [, count, unit] = SPOKEN.exec(text) ?? []
  if (count === undefined || unit === undefined) return null
  const word = count.toLowerCase()
  const many = word.startsWith('half') ? 0.5 : Math.max(1, NUMBER_WORDS.indexOf(word) + 1)
  return many * (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 0)
}

function durationMs(words: string): number {
  return [...words.matchAll(new RegExp(PART, 'gi'))].reduce((sum, [part]) => {
    const unit = /[a-z]+/i.exec(part)?.[0].toLowerCase() ?? 's'
    const isMilli = unit === 'ms' || unit.startsWith('milli')
    return sum + Number.parseFloat(part) * (UNIT_MS[isMilli ? 'ms' : unit.charAt(0)] ?? 0)
  }, 0)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const MONTH = `(?:${MONTHS.join('|')})[a-z]*`
const CLOCK = new RegExp(
  [
    String.raw`\b(?:resets?|try again|available(?: again)?|renews?|retry|until|zurückgesetzt|verfügbar|erneut|(?:um|ab)(?= \d{1,2}(?:[:.]\d\d)? ?Uhr))(?![\w-])`,
    String.raw`(?:[-_ ]?(?:time|date)\b)?[\s:·∙]*(?:(?<at>at|um)\b[\s:]*|(?:on|after|from|am|ab)\b[\s:]*)?`,
    String.raw`(?:(?<near>today|tonight|tomorrow)[,\s]*|(?<weekday>${WEEKDAYS.join('|')})[a-z]*\.?[,\s]+)?`,
    String.raw`(?:(?<month>${MONTH})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?[,\s]*|(?<dayFirst>\d{1,2})(?:st|nd|rd|th|\.)? (?<monthLast>${MONTH})\.?(?: (?<yearLast>\d{4}))?[,\s]*`,
    // Numeric: ISO, with slashes in either order, with dots as in German.
    String.raw`|(?<isoYear>\d{4})-(?<isoMonth>\d\d)-(?<isoDay>\d\d)[T,\s]*`,
    String.raw`|(?<first>\d{1,2})(?<separator>[/.])(?<second>\d{1,2})\k<separator>(?<numericYear>\d{4})[,\s]*)?`,
    String.raw`(?:(?:at|um) )?(?:(?<named>midnight|noon)|(?<hour>\d{1,2})(?:(?::|h|\.(?=\d\d\s*Uhr))(?<minute>\d\d))?(?::\d\d)?\s*(?:(?<half>[ap]\.?m\b\.?)|(?<mark>uhr|h)\b)?)?`,
    String.raw`(?:\s*\(?(?<zone>(?:UTC|GMT)[+-]\d{1,2}(?::\d\d)?|[A-Z][A-Za-z]+\/[A-Za-z_/+-]+|UTC|GMT|Z|[PMCE][SD]?T|CES?T|BST|JST|IST)\b)?`,
  ].join(''),
  'gi',
)

/** Spellings that programs use instead of a zone's name. */
const ZONES: Readonly<Record<string, string>> = {
  Z: 'UTC',
  GMT: 'UTC',
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  MT: 'America/Denver',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  CT: 'America/Chicago',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  ET: 'America/New_York',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
  BST: 'Europe/London',
  JST: 'Asia/Tokyo',
  IST: 'Asia/Kolkata',
}

type Groups = Readonly<Record<string, string | undefined>>

function atClock(text: string, now: Now): number | null {
  for (const { groups } of text.matchAll(CLOCK)) {
    const at = clockOf(groups ?? {}, now)
    if (at !== null) return at
  }
  return null
}

function clockOf(found: Groups, now: Now): number | null {
  const time = timeOfDay(found)
  const dates = datesOf(found)
  const isNoDate = dates.length === 0 && found.numericYear !== undefined
  if (isNoDate || (time === null && dates.length === 0)) return null
  const today = DateTime.fromMillis(now.epochMs, { zone: zoneOf(found, now) })
  const moments = (dates.length === 0 ? [null] : dates).flatMap((date) => {
    const at = today.set({ ...date, ...(time ?? { hour: 0, minute: 0 }), second: 0, millisecond: 0 })
    return at.isValid ? nextOccurrence(at, date, found, now) : []
  })
  // If a date can be read two ways, use the earlier one that is still ahead. If both have passed, it was not a reset.
  const toCome = moments.filter((ms) => ms >= now.epochMs - JUST_PASSED_MS)
  return toCome.length === 0 ? (moments[0] ?? null) : Math.min(...toCome)
}

function nextOccurrence(at: DateTime, date: NamedDate | null, found: Groups, now: Now): number {
  const hasPassed = at.toMillis() < now.epochMs - JUST_PASSED_MS
  if (date !== null) return (hasPassed && date.year === undefined ? at.plus({ years: 1 }) : at).toMillis()
  if (found.near?.toLowerCase() === 'tomorrow') return at.plus({ days: 1 }).toMillis()
  if (found.weekday === undefined) return (hasPassed ? at.plus({ days: 1 }) : at).toMillis()
  const days = (WEEKDAYS.indexOf(found.weekday.toLowerCase()) + 1 - at.weekday + 7) % 7
  return at.plus({ days: days === 0 && hasPassed ? 7 : days }).toMillis()
}

/** An hour alone is not a time of day: it needs am or pm, minutes, `Uhr`, or an `h` after "at". */
function timeOfDay({ named, hour, minute, half, mark, at }: Groups): { hour: number; minute: number } | null {
  if (named !== undefined) return { hour: named.toLowerCase() === 'noon' ? 12 : 0, minute: 0 }
  const isMarked = mark?.toLowerCase() === 'uhr' || (mark !== undefined && at !== undefined)
  if (hour === undefined || (minute === undefined && half === undefined && !isMarked)) return null
  const given = Number(hour)
  const afternoon = half?.toLowerCase().startsWith('p') === true ? 12 : 0
  const ofDay = half === undefined ? given : (given % 12) + afternoon
  return ofDay > 23 || Number(minute ?? 0) > 59 ? null : { hour: ofDay, minute: Number(minute ?? 0) }
}

interface NamedDate {
  readonly year?: number
  readonly month: number
  readonly day: number
}

/** Returns the dates named: none, one, or both readings of an ambiguous numeric date. */
function datesOf(found: Groups): readonly NamedDate[] {
  const { isoYear, isoMonth, isoDay, first, second, numericYear, separator, half } = found
  if (isoYear !== undefined) return [{ year: Number(isoYear), month: Number(isoMonth), day: Number(isoDay) }]
  if (numericYear !== undefined) {
    const [one, two, year] = [Number(first), Number(second), Number(numericYear)]
    const monthFirst = { year, month: one, day: two }
    const dayFirst = { year, month: two, day: one }
    if (separator === '.') return [dayFirst]
    // Text with AM or PM writes the month first.
    const isAmerican = half !== undefined && one <= 12
    return isAmerican ? [monthFirst] : [monthFirst, dayFirst].filter(({ month }) => month <= 12)
  }
  const month = MONTHS.indexOf((found.month ?? found.monthLast ?? '').slice(0, 3).toLowerCase()) + 1
  const year = found.year ?? found.yearLast
  if (month === 0) return []
  const day = Number(found.day ?? found.dayFirst)
  return [{ ...(year !== undefined && { year: Number(year) }), month, day }]
}

function zoneOf({ zone }: Groups, { timeZone }: Now): string {
  if (zone === undefined) return timeZone
  const named = ZONES[zone.toUpperCase()] ?? zone
  return DateTime.local({ zone: named }).isValid ? named : timeZone
}
