import { currencyLast, spokenNumbers } from '../claims/prose-number.ts'
import { daysNamed } from './days.ts'
import { compareQuantities, type Nearness } from './quantities.ts'

/* Compares two texts, one claimed and one measured: whether they mean the same thing in different spellings. */

/** A commit is shown by 7 digits of its hash, by all 40 (or 64), or by any number in between. */
const HASH = /^(?:sha\d{1,3}[:-])?(?<digits>[0-9a-f]{7,64})$/i
const WHOLE_HASHES = [40, 64]
const VERSION = /^v?(?<numbers>\d+(?:\.\d+)+(?:[-+][\w.+-]+)?)$/i
const MOMENT =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<hours>\d\d:\d\d)(?::(?<seconds>\d\d)(?:[.,](?<part>\d{1,9}))?)?\s?(?<zone>Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i
/** The digits, separators and sign of a number: the rest of a spoken number is its unit or its words. */
const DIGITS = /^[+-]?[\d.,'’_\s]+(?:e[+-]?\d+\b)?\s*/i
const NEGATIONS = /^(?:no|not|never|non|none|without|un\w+|fail\w*|errors?)$/i
/** Longer texts are compared as they are. */
const MAX_NAMED_LENGTH = 200

/**
 * Returns whether two texts say the same. Ignores spaces, line ends, surrounding quotes and composed letters; accepts an abbreviated commit
 * hash, a version with or without `v`, a moment in another zone or notation, a branch with `refs/heads/`, a path with `./`, a number with
 * other separators or spaces before the same unit, and a time or size in another unit. Never throws.
 */
export function spelledAlike(one: string, other: string): boolean {
  const [left, right] = [tidy(one), tidy(other)]
  if (left === right) return true
  if (Math.max(left.length, right.length) > MAX_NAMED_LENGTH) return false
  return (
    plainName(left) === plainName(right) ||
    withoutStop(left) === withoutStop(right) ||
    sameHash(left, right) ||
    sameVersion(left, right) ||
    compareMoments(left, right) === 'same' ||
    compareAmounts(left, right) === 'same' ||
    compareQuantities(left, right) === 'same'
  )
}

/**
 * Returns whether two different texts need not contradict each other: one says less than the other (a day of a moment, `12 passed` of `12
 * tests passed`, a shorter hash, one of several words, `3.11` of `Python 3.11`, a rounded size), or the same with other capitalization or
 * from another folder; or the measured one contains bytes that are not text.
 */
export function saysLess(claimed: string, measured: string): boolean {
  const [left, right] = [tidy(claimed), tidy(measured)]
  if (Math.max(left.length, right.length) > MAX_NAMED_LENGTH) return false
  return (
    left.toLowerCase() === right.toLowerCase() ||
    compareMoments(left, right) === 'less' ||
    compareAmounts(left, right) === 'less' ||
    compareQuantities(left, right) === 'less' ||
    hasWordsMore(left, right) ||
    mayBeOneDay(left, right) ||
    isCutHash(left, right) ||
    holdsHash(left, right) ||
    isPathWithin(left, right) ||
    mayBeGarbled(left, right)
  )
}

function tidy(text: string): string {
  const straight = text
    .normalize()
    .replaceAll(/[‘’‚‛ʼ]/g, "'")
    .replaceAll(/[“”„‟«»‹›「」『』]/g, '"')
  const line = straight.replaceAll(/\s+/g, ' ').trim()
  const inside = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`)$/.exec(line)?.slice(1)
  return (inside?.find((group) => group !== undefined) ?? line).trim()
}

function plainName(text: string): string {
  const slashed = /\s/.test(text) ? text : text.replaceAll('\\', '/')
  return slashed.replace(/^(?:refs\/(?:heads|tags)\/|\.\/)/, '').replace(/(?<=.)\/$/, '')
}

function withoutStop(text: string): string {
  return text.replace(/(?<=[^.。！!])[.。！!]$/u, '')
}

/** Returns whether one is an absolute path and the other its end. */
function isPathWithin(left: string, right: string): boolean {
  const [short = '', long = ''] = [plainName(left), plainName(right)].sort((a, b) => a.length - b.length)
  return /^(?:\/|~\/|[A-Za-z]:\/)/.test(long) && /[./]/.test(short) && long.endsWith(`/${short}`)
}

/** Returns whether a text may be what was measured if that was not UTF-8: an unreadable byte may have been any letter. */
export function mayBeGarbled(text: string, measured: string): boolean {
  const [first = '', ...parts] = measured.split(/\ufffd+/)
  if (parts.length === 0 || !text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.endsWith(parts.at(-1) ?? '')
}

function sameHash(left: string, right: string): boolean {
  return WHOLE_HASHES.includes(lengthenedHash(left, right)?.long.length ?? 0)
}

/** Returns whether one is a longer abbreviation of the same commit; with digits alone it could be any number. */
function isCutHash(left: string, right: string): boolean {
  return /[a-f]/.test(lengthenedHash(left, right)?.short ?? '')
}

/** Returns whether one text is a hash, and the other contains it or an abbreviation of it: `a1b2c3d` and `a1b2c3d4 Fix the totals`. */
function holdsHash(left: string, right: string): boolean {
  const [alone = '', ...rest] = [left, right].sort((a, b) => a.split(' ').length - b.split(' ').length)
  if (hashOf(alone) === null) return false
  return rest.some((text) => text.split(' ').some((word) => isCutHash(alone, word) || sameHash(alone, word)))
}

/** Returns two hashes of which one starts with the other; `null` for any other texts. */
function lengthenedHash(left: string, right: string): { short: string; long: string } | null {
  const [one, other] = [hashOf(left), hashOf(right)]
  if (one === null || other === null) return null
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return long.startsWith(short) ? { short, long } : null
}

function hashOf(text: string): string | null {
  return HASH.exec(text)?.groups?.digits?.toLowerCase() ?? null
}

function sameVersion(left: string, right: string): boolean {
  const numbers = VERSION.exec(left)?.groups?.numbers
  return numbers !== undefined && numbers === VERSION.exec(right)?.groups?.numbers
}

/** Compares two moments; a day and a moment on it: `less`. If only one names its zone, the other is assumed to have the same. */
function compareMoments(left: string, right: string): Nearness {
  const [one, other] = [MOMENT.exec(left)?.groups, MOMENT.exec(right)?.groups]
  if (one === undefined || other === undefined) return 'other'
  if (one.hours === undefined || other.hours === undefined) return one.day === other.day ? 'less' : 'other'
  const zone = one.zone ?? other.zone ?? 'Z'
  const places = Math.min(one.part?.length ?? 0, other.part?.length ?? 0)
  const [first, second] = [one, other].map((parts) => instantOf({ zone, ...defined(parts) }, places))
  return first === second && !Number.isNaN(first) ? 'same' : 'other'
}

/**
 * Returns whether the texts name the same day and not both are ISO 8601 moments (which are compared as such), so that it is unknown whether
 * the time agrees.
 */
function mayBeOneDay(left: string, right: string): boolean {
  if (MOMENT.test(left) && MOMENT.test(right)) return false
  const [days, others] = [daysNamed(left), daysNamed(right)]
  const isSure = days.length === 1 || others.length === 1
  return isSure && days.some((day) => others.includes(day))
}

function defined(parts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )
}

/** Returns the moment in seconds, with this many decimal places. */
function instantOf(parts: Readonly<Record<string, string>>, places: number): number {
  const { day = '', hours = '', seconds = '00', part = '', zone = 'Z' } = parts
  const shift = /^([+-]\d\d):?(\d\d)?$/.exec(zone)
  const iso = shift === null ? 'Z' : `${shift[1]}:${shift[2] ?? '00'}`
  return Date.parse(`${day}T${hours}:${seconds}${iso}`) / 1000 + Number(`0.${part.slice(0, places)}0`)
}

/** `85%` equals `85 %`, `1,024 kB` equals `1 024 kB`; `less` if one has additional words: `12 passed` and `12 tests passed`. */
function compareAmounts(left: string, right: string): Nearness {
  const [numbers, others] = [spokenNumbers(left), spokenNumbers(right)]
  if (!numbers.some((number) => others.includes(number))) return 'other'
  const [one, other] = [left, right].map((text) => unitName(currencyLast(text).replace(DIGITS, '')))
  if (one === undefined || other === undefined) return 'other'
  // `1,500 GB` means 1.5 GB only in some countries.
  if (one === other) return numbers[0] === others[0] ? 'same' : 'less'
  return holdsWords(one, other) || holdsWords(other, one) ? 'less' : 'other'
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:%|per ?cent|pct|prozent|pour ?cent)$/i, '%'],
  [/^(?:ms|milliseconds?)$/i, 'ms'],
  [/^(?:s|secs?|seconds?)$/i, 's'],
  [/^(?:mins?|minutes?)$/i, 'min'],
  [/^(?:h|hrs?|hours?)$/i, 'h'],
  [/^(?:b|bytes?)$/i, 'B'],
  [/^(?:\$|US\$|USD|(?:US )?dollars?)$/i, '$'],
  [/^(?:€|EUR|euros?)$/i, '€'],
  [/^(?:£|GBP|pounds?)$/i, '£'],
  [/^(?:¥|JPY|yen)$/i, '¥'],
]

/** Returns one name for the few units with several spellings; any other unit as written. */
function unitName(unit: string): string {
  return UNITS.find(([spelled]) => spelled.test(unit))?.[1] ?? unit
}

/**
 * Returns whether one is `3.11.2` and the other `Python 3.11.2` or `tool@3.11.2`: a number that can't be a guess, with words
 * beside it.
 */
function hasWordsMore(left: string, right: string): boolean {
  const [short = '', long = ''] = [left, right]
    .map((text) => text.replaceAll(/(?<=\w)[@:=](?=\w)/g, ' '))
    .sort((a, b) => a.length - b.length)
  return /\d/.test(short) && holdsWords(long, short)
}

/** Returns whether `all` contains the words of `some` in order, and none that negate them or count anything more. */
function holdsWords(all: string, some: string): boolean {
  const wanted = some.split(' ')
  let found = 0
  for (const word of all.split(' ')) {
    if (word === wanted[found]) found += 1
    else if (NEGATIONS.test(word) || /\d/.test(word)) return false
  }
  return some !== '' && found === wanted.length
}
