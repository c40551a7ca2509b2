import { hasScale, plainNumber, spokenNumbers } from '../claims/prose-number.ts'
import type { JsonValue } from '../claims/types.ts'
import { isObject } from '../text/json.ts'
import { saysLess, spelledAlike } from './texts.ts'
import type { ProbeReading } from './types.ts'

/** `incomparable`: neither value says anything about the other (a number and an object, a key that was not measured). */
export type ValueRelation = 'agrees' | 'differs' | 'incomparable'

/** Numbers that differ by less than this share of the larger one are the same value printed differently. */
const RELATIVE_TOLERANCE = 1e-9
const MAX_SHOWN_LENGTH = 120
/** Words for a missing value, which are not false if null was measured. */
const NO_VALUE = /^(?:null|none|nil|undefined|nothing|n\/?a|-|–|—)?$/i

/**
 * Compares a claimed with a measured value. Numbers agree within 1e-9 relative, or within the probe's tolerance. `"3"` agrees with 3,
 * `"1,000"` with 1000, and `"3 emails"` with 3, whichever is measured; other text says nothing about a number, and neither does true or
 * false. `"true"` and `"yes"` agree with true. Different spellings of the same text agree, and a text that only says less than the other
 * says nothing. An object agrees if every claimed key does, a list element by element. A claim of null is no claim, and a word for no
 * value ("none") says nothing about a measured null. Never throws.
 */
export function compareValues(claimed: JsonValue, measured: JsonValue, tolerance = 0): ValueRelation {
  if (claimed === null) return measured === null ? 'agrees' : 'incomparable'
  if (Array.isArray(claimed) && Array.isArray(measured)) return compareLists(claimed, measured, tolerance)
  if (isObject(claimed) && isObject(measured)) return compareObjects(claimed, measured, tolerance)
  if (typeof claimed === 'object') return 'incomparable'
  if (typeof measured === 'object' && measured !== null) return 'incomparable'
  return compareScalars(claimed, measured, tolerance)
}

/** Returns whether a claimed value agrees with the measured one; see `compareValues`. */
export function valuesAgree(claimed: JsonValue, measured: JsonValue, tolerance = 0): boolean {
  return compareValues(claimed, measured, tolerance) === 'agrees'
}

/** Claims are not nested deeper than this; anything deeper is compared as one value. */
const MAX_LEAF_DEPTH = 10

/**
 * Returns the paths to all nested values that are not objects or lists, or are empty ones; a value that isn't nested has the empty path.
 */
export function leafPaths(value: JsonValue, depth = MAX_LEAF_DEPTH): readonly (readonly string[])[] {
  const entries = typeof value === 'object' && value !== null && depth > 0 ? Object.entries(value) : []
  if (entries.length === 0) return [[]]
  return entries.flatMap(([key, item]) => leafPaths(item, depth - 1).map((path) => [key, ...path]))
}

/** Returns the value at a path of keys and list indexes (from 0); undefined if there is none. Reads own keys only. */
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
 * Returns the reading that a claimed name refers to, with the path into its value: `tests.passed` is the probe of exactly that name,
 * otherwise `passed` in the value of the probe `tests`. Undefined if no configured probe was read.
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

/** Returns a value for people: strings as they are, everything else as JSON; at most 120 characters. */
export function showValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text
}

/** A test report's counts as a person says them: "2 of 3 passed, 1 failed"; `null` for any other value. */
export function reportInWords(value: JsonValue): string | null {
  if (!isObject(value)) return null
  const { passed, failed, skipped, executed, total, ...others } = value
  const isReport = [passed, failed, skipped, executed, total].every((count) => typeof count === 'number')
  if (!isReport || Object.keys(others).length > 0) return null
  return [
    `${passed} of ${total} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ')
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
  if (measured === null)
    return typeof claimed === 'string' && NO_VALUE.test(claimed.trim()) ? 'incomparable' : 'differs'
  if (typeof claimed === 'boolean' || typeof measured === 'boolean') return compareTruths(claimed, measured)
  const areTexts = typeof claimed === 'string' && typeof measured === 'string'
  if (areTexts && spelledAlike(claimed, measured)) return 'agrees'
  const is = plainNumber(measured)
  if (is !== null) return compareNumbers(claimed, is, tolerance)
  // The measured value is text, such as `3 emails`, for which a number may have been claimed.
  const said = typeof claimed === 'number' ? claimed : plainNumber(claimed)
  if (said !== null) return compareNumbers(measured, said, tolerance)
  return areTexts && saysLess(claimed, measured) ? 'incomparable' : 'differs'
}

/** Compares `true` and `false` with each other and with words for them; a number or any other word is another kind of answer. */
function compareTruths(
  claimed: string | number | boolean,
  measured: string | number | boolean,
): ValueRelation {
  const [left, right] = [truthOf(claimed), truthOf(measured)]
  if (left === null || right === null) return 'incomparable'
  return left === right ? 'agrees' : 'differs'
}

function truthOf(value: string | number | boolean): boolean | null {
  const word = String(value).trim().toLowerCase()
  if (/^(?:true|yes)[.!]?$/.test(word)) return true
  return /^(?:false|no)[.!]?$/.test(word) ? false : null
}

/** Compares a text with a number; one was claimed, the other measured. */
function compareNumbers(spoken: string | number, number: number, tolerance: number): ValueRelation {
  const readings = spokenNumbers(spoken)
  if (readings.some((reading) => numbersAgree(reading, number, tolerance))) return 'agrees'
  const saysNothing = readings.length === 0 || (typeof spoken === 'string' && hasScale(spoken))
  return saysNothing ? 'incomparable' : 'differs'
}

function numbersAgree(left: number, right: number, tolerance: number): boolean {
  const apart = Math.abs(left - right)
  if (!Number.isFinite(apart)) return left === right
  // 1.01 is slightly more than 0.01 away from 1 in floating point; a rounding error is not a difference.
  return apart <= tolerance + RELATIVE_TOLERANCE * Math.max(Math.abs(left), Math.abs(right))
}
