import { spokenNumbers } from '../claims/spoken-number.ts'

/* Two texts of which one was claimed and the other measured: whether they name the same thing, spelled in two ways. */

/** A commit is shown by 7 characters of its hash, by all 40 (or 64), or by any number between. */
const HASH = /^(?:sha\d{1,3}[:-])?(?<digits>[0-9a-f]{7,64})$/i
const WHOLE_HASHES = [40, 64]
const VERSION = /^v?(?<numbers>\d+(?:\.\d+)+(?:[-+][\w.+-]+)?)$/i
const MOMENT =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<hours>\d\d:\d\d)(?::(?<seconds>\d\d)(?:[.,](?<part>\d{1,9}))?)?\s?(?<zone>Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i
/** A number's digits, marks and sign: what is left of a spoken number without them is its unit or its words. */
const DIGITS = /^[+-]?[\d.,'’_\s]+(?:e[+-]?\d+\b)?\s*/i
const NEGATIONS = /^(?:no|not|never|non|none|without|un\w+)$/i
/** Longer texts are compared as they are. */
const MAX_NAMED_LENGTH = 200

/**
 * Whether two texts say the same: spaces, line ends, quotes around them and composed letters apart; commits by the beginning of their hash,
 * versions with a `v` or without, moments in other zones or spelled otherwise, branches with `refs/heads/`, paths with `./`,
 * numbers with other marks or spaces before the same unit. Never throws.
 */
export function spelledAlike(one: string, other: string): boolean {
  const [left, right] = [tidy(one), tidy(other)]
  if (left === right) return true
  if (Math.max(left.length, right.length) > MAX_NAMED_LENGTH) return false
  return (
    plainName(left) === plainName(right) ||
    sameHash(left, right) ||
    sameVersion(left, right) ||
    compareMoments(left, right) === 'same' ||
    compareAmounts(left, right) === 'same'
  )
}

/** Whether two texts that differ need not contradict each other: one says less than the other (a day of a moment, `12 passed` of `12 tests passed`). */
export function saysLess(one: string, other: string): boolean {
  const [left, right] = [tidy(one), tidy(other)]
  if (Math.max(left.length, right.length) > MAX_NAMED_LENGTH) return false
  return compareMoments(left, right) === 'less' || compareAmounts(left, right) === 'less'
}

function tidy(text: string): string {
  const line = text.normalize().replaceAll(/\s+/g, ' ').trim()
  const inside = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`)$/.exec(line)?.slice(1)
  return (inside?.find((group) => group !== undefined) ?? line).trim()
}

function plainName(text: string): string {
  return text.replace(/^(?:refs\/(?:heads|tags)\/|\.\/)/, '')
}

function sameHash(left: string, right: string): boolean {
  const [one, other] = [hashOf(left), hashOf(right)]
  if (one === null || other === null) return false
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return WHOLE_HASHES.includes(long.length) && long.startsWith(short)
}

function hashOf(text: string): string | null {
  return HASH.exec(text)?.groups?.digits?.toLowerCase() ?? null
}

function sameVersion(left: string, right: string): boolean {
  const numbers = VERSION.exec(left)?.groups?.numbers
  return numbers !== undefined && numbers === VERSION.exec(right)?.groups?.numbers
}

type Nearness = 'same' | 'less' | 'other'

/** A day and a moment of it: `less`. Where only one of two moments names its zone, the other is taken to be in the same. */
function compareMoments(left: string, right: string): Nearness {
  const [one, other] = [MOMENT.exec(left)?.groups, MOMENT.exec(right)?.groups]
  if (one === undefined || other === undefined) return 'other'
  if (one.hours === undefined || other.hours === undefined) return one.day === other.day ? 'less' : 'other'
  const zone = one.zone ?? other.zone ?? 'Z'
  const places = Math.min(one.part?.length ?? 0, other.part?.length ?? 0)
  const [first, second] = [one, other].map((parts) => instantOf({ zone, ...defined(parts) }, places))
  return first === second && !Number.isNaN(first) ? 'same' : 'other'
}

function defined(parts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )
}

/** In seconds, with as many decimal places as both have. */
function instantOf(parts: Readonly<Record<string, string>>, places: number): number {
  const { day = '', hours = '', seconds = '00', part = '', zone = 'Z' } = parts
  const shift = /^([+-]\d\d):?(\d\d)?$/.exec(zone)
  const iso = shift === null ? 'Z' : `${shift[1]}:${shift[2] ?? '00'}`
  return Date.parse(`${day}T${hours}:${seconds}${iso}`) / 1000 + Number(`0.${part.slice(0, places)}0`)
}

/** `85%` and `85 %`, `1,024 kB` and `1 024 kB`; `less` where one has words more: `12 passed` and `12 tests passed`. */
function compareAmounts(left: string, right: string): Nearness {
  const numbers = spokenNumbers(left)
  if (!spokenNumbers(right).some((number) => numbers.includes(number))) return 'other'
  const [one, other] = [left, right].map((text) => text.replace(DIGITS, ''))
  if (one === undefined || other === undefined) return 'other'
  if (one === other) return 'same'
  return holdsWords(one, other) || holdsWords(other, one) ? 'less' : 'other'
}

/** Whether `all` has the words of `some` in their order, and others that neither turn them round nor count anything more. */
function holdsWords(all: string, some: string): boolean {
  const wanted = some.split(' ')
  let found = 0
  for (const word of all.split(' ')) {
    if (word === wanted[found]) found += 1
    else if (NEGATIONS.test(word) || /\d/.test(word)) return false
  }
  return some !== '' && found === wanted.length
}
