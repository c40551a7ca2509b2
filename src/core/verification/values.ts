import type { JsonValue } from '../claims/types.ts'
import type { ProbeReading } from './types.ts'

/** `incomparable`: the two say nothing about each other (a number against an object, a key that was not measured). */
export type ValueRelation = 'agrees' | 'differs' | 'incomparable'

/** Numbers that differ by less than this share of the larger one are the same value printed differently. */
const RELATIVE_TOLERANCE = 1e-9
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** A number, its thousands grouped or not, then nothing, a unit or words. */
const SPOKEN_NUMBER =
  /^(?<number>[+-]?(?:\d{1,3}(?:(?<mark>[,_'’ \u00a0\u202f])\d{3})(?:\k<mark>\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(?<rest>[.!]?|\s*[%€$]|\s+[^\d\s].*|[a-z]{1,3}\b.*)$/iu
const GROUPING = /[,_'’ \u00a0\u202f](?=\d{3})/g
/** Shares, sizes, times and counts in larger units: a probe may count in smaller ones. */
const SCALE =
  /\d\s*(?:%|[kmgt]i?b?\b|bytes?\b|[mµun]?s\b|sec|min|h\b|hours?|days?|weeks?|dozen|hundred|thousand|million|billion|percent)/i
/** A longer text is no number with its unit. */
const MAX_SPOKEN_LENGTH = 120
const MAX_SHOWN_LENGTH = 120

/**
 * How a claimed value stands to a measured one. Numbers agree within 1e-9 relative, or within what the probe tolerates, `"3"` agrees with 3,
 * as do `"1,000"` with 1000 and `"3 emails"` with 3; a text that is no number says nothing about one. `"true"` agrees with true,
 * strings are compared trimmed. An object agrees when every claimed key does, a list element by element. A claim of null
 * is no claim. Never throws.
 */
export function compareValues(claimed: JsonValue, measured: JsonValue, tolerance = 0): ValueRelation {
  if (claimed === null) return measured === null ? 'agrees' : 'incomparable'
  if (Array.isArray(claimed) && Array.isArray(measured)) return compareLists(claimed, measured, tolerance)
  if (isObject(claimed) && isObject(measured)) return compareObjects(claimed, measured, tolerance)
  if (typeof claimed === 'object') return 'incomparable'
  if (typeof measured === 'object' && measured !== null) return 'incomparable'
  return compareScalars(claimed, measured, tolerance)
}

/** Whether a claimed value is the measured one; see `compareValues`. */
export function valuesAgree(claimed: JsonValue, measured: JsonValue, tolerance = 0): boolean {
  return compareValues(claimed, measured, tolerance) === 'agrees'
}

/** Claims are not nested deeper than this; what lies below is compared as one value. */
const MAX_LEAF_DEPTH = 10

/** The paths to all values within one that are no object or list, nor an empty one; a value that is none has the empty path. */
export function leafPaths(value: JsonValue, depth = MAX_LEAF_DEPTH): readonly (readonly string[])[] {
  const entries = typeof value === 'object' && value !== null && depth > 0 ? Object.entries(value) : []
  if (entries.length === 0) return [[]]
  return entries.flatMap(([key, item]) => leafPaths(item, depth - 1).map((path) => [key, ...path]))
}

/** The value at a path of keys and list indexes (from 0); undefined where there is none. Reads own keys only. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value
  for (const key of path) {
    if (Array.isArray(current)) current = /^\d+$/.test(key) ? current[Number(key)] : undefined
    else if (isObject(current)) current = Object.hasOwn(current, key) ? current[key] : undefined
    else return undefined
  }
  return current
}

/**
 * The reading that a claimed name is about, with the path into its value: `tests.passed` is the probe of that very name, or
 * else `passed` in what the probe `tests` reads. Undefined where no configured probe was read.
 */
export function readingFor(
  name: string,
  readings: readonly ProbeReading[],
): { readonly reading: ProbeReading; readonly path: readonly string[] } | undefined {
  const keys = name.split('.')
  for (let length = keys.length; length > 0; length -= 1) {
    const probe = keys.slice(0, length).join('.')
    const reading = readings.find((candidate) => candidate.name === probe)
    if (reading === undefined) continue
    const isConfigured = reading.kind === 'value' || reading.configured
    return isConfigured ? { reading, path: keys.slice(length) } : undefined
  }
  return undefined
}

/** A value as people read it: strings as they are, everything else as JSON; at most 120 characters. */
export function showValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function compareLists(
  claimed: readonly JsonValue[],
  measured: readonly JsonValue[],
  tolerance: number,
): ValueRelation {
  if (claimed.length !== measured.length) return 'differs'
  return combine(claimed.map((item, index) => compareValues(item, measured[index] ?? null, tolerance)))
}

function compareObjects(
  claimed: { readonly [key: string]: JsonValue },
  measured: { readonly [key: string]: JsonValue },
  tolerance: number,
): ValueRelation {
  const relations = Object.entries(claimed).map(([key, value]) => {
    const counterpart = valueAt(measured, [key])
    return counterpart === undefined ? 'incomparable' : compareValues(value, counterpart, tolerance)
  })
  return relations.length === 0 ? 'incomparable' : combine(relations)
}

function combine(relations: readonly ValueRelation[]): ValueRelation {
  if (relations.includes('differs')) return 'differs'
  return relations.includes('incomparable') ? 'incomparable' : 'agrees'
}

function compareScalars(
  claimed: string | number | boolean,
  measured: string | number | boolean | null,
  tolerance: number,
): ValueRelation {
  if (measured === null) return 'differs'
  const is = asNumber(measured)
  if (is !== null && typeof claimed !== 'boolean') return compareNumbers(claimed, is, tolerance)
  const [left, right] = [String(claimed).trim(), String(measured).trim()]
  if (left === right) return 'agrees'
  const hasTruth = typeof claimed === 'boolean' || typeof measured === 'boolean'
  return hasTruth && left.toLowerCase() === right.toLowerCase() ? 'agrees' : 'differs'
}

function compareNumbers(claimed: string | number, measured: number, tolerance: number): ValueRelation {
  const numbers = claimedNumbers(claimed)
  if (numbers.some((number) => numbersAgree(number, measured, tolerance))) return 'agrees'
  const saysNothing = numbers.length === 0 || (typeof claimed === 'string' && hasScale(claimed))
  return saysNothing ? 'incomparable' : 'differs'
}

function numbersAgree(left: number, right: number, tolerance: number): boolean {
  const apart = Math.abs(left - right)
  return apart <= tolerance || apart <= RELATIVE_TOLERANCE * Math.max(Math.abs(left), Math.abs(right))
}

/** A measured text is a number only where it is nothing else: a unit behind it may be the very thing that counts. */
function asNumber(value: string | number | boolean): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !DECIMAL.test(value.trim())) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** What a claim says of a number: plain, grouped, with a unit or words behind it. Empty where it is none, or more than one. */
function claimedNumbers(value: string | number | boolean): readonly number[] {
  const plain = asNumber(value)
  const text = typeof value === 'string' ? value.slice(0, MAX_SPOKEN_LENGTH).trim() : ''
  // `1.000` is one where numbers are written with a point, and a thousand where thousands are.
  if (/^[+-]?\d{1,3}(?:\.\d{3})+$/.test(text)) {
    const grouped = asNumber(text.replaceAll('.', ''))
    return [plain, grouped].filter((number) => number !== null)
  }
  if (plain !== null) return [plain]
  const { number = '', rest = '' } = SPOKEN_NUMBER.exec(text)?.groups ?? {}
  // "3 of 5", "3 to 5": which of them is meant nobody can tell.
  const spoken = /\d/.test(rest) ? null : asNumber(number.replace(GROUPING, ''))
  return spoken === null ? [] : [spoken]
}

/** Behind a number: what may make it another one than the probe counts in. */
function hasScale(value: string): boolean {
  return SCALE.test(value.slice(0, MAX_SPOKEN_LENGTH).trim())
}
