import type { JsonValue } from '../claims/types.ts'
import type { ProbeReading } from './types.ts'

/** `incomparable`: the two say nothing about each other (a number against an object, a key that was not measured). */
export type ValueRelation = 'agrees' | 'differs' | 'incomparable'

/** Numbers that differ by less than this share of the larger one are the same value printed differently. */
const RELATIVE_TOLERANCE = 1e-9
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const MAX_SHOWN_LENGTH = 120

/**
 * How a claimed value stands to a measured one. Numbers agree within 1e-9 relative, `"3"` agrees with 3, `"true"` with true,
 * strings are compared trimmed. An object agrees when every claimed key does, a list element by element. A claim of null
 * is no claim. Never throws.
 */
export function compareValues(claimed: JsonValue, measured: JsonValue): ValueRelation {
  if (claimed === null) return measured === null ? 'agrees' : 'incomparable'
  if (Array.isArray(claimed) && Array.isArray(measured)) return compareLists(claimed, measured)
  if (isObject(claimed) && isObject(measured)) return compareObjects(claimed, measured)
  if (typeof claimed === 'object') return 'incomparable'
  if (typeof measured === 'object' && measured !== null) return 'incomparable'
  return scalarsAgree(claimed, measured) ? 'agrees' : 'differs'
}

/** Whether a claimed value is the measured one; see `compareValues`. */
export function valuesAgree(claimed: JsonValue, measured: JsonValue): boolean {
  return compareValues(claimed, measured) === 'agrees'
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

function compareLists(claimed: readonly JsonValue[], measured: readonly JsonValue[]): ValueRelation {
  if (claimed.length !== measured.length) return 'differs'
  return combine(claimed.map((item, index) => compareValues(item, measured[index] ?? null)))
}

function compareObjects(
  claimed: { readonly [key: string]: JsonValue },
  measured: { readonly [key: string]: JsonValue },
): ValueRelation {
  const relations = Object.entries(claimed).map(([key, value]) => {
    const counterpart = valueAt(measured, [key])
    return counterpart === undefined ? 'incomparable' : compareValues(value, counterpart)
  })
  return relations.length === 0 ? 'incomparable' : combine(relations)
}

function combine(relations: readonly ValueRelation[]): ValueRelation {
  if (relations.includes('differs')) return 'differs'
  return relations.includes('incomparable') ? 'incomparable' : 'agrees'
}

function scalarsAgree(
  claimed: string | number | boolean,
  measured: string | number | boolean | null,
): boolean {
  if (measured === null) return false
  const [left, right] = [asNumber(claimed), asNumber(measured)]
  if (left !== null && right !== null) return numbersAgree(left, right)
  if (typeof claimed === 'boolean' || typeof measured === 'boolean')
    return String(claimed).trim().toLowerCase() === String(measured).trim().toLowerCase()
  return String(claimed).trim() === String(measured).trim()
}

function numbersAgree(left: number, right: number): boolean {
  return (
    left === right || Math.abs(left - right) <= RELATIVE_TOLERANCE * Math.max(Math.abs(left), Math.abs(right))
  )
}

function asNumber(value: string | number | boolean): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !DECIMAL.test(value.trim())) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}
