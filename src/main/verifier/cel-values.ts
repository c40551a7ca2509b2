import type { JsonValue } from '../../core/claims/types.ts'

/**
 * Returns a measured value as CEL sees it. Whole numbers become CEL ints, so that `count + 1 == 4`, `list[count]` and `count %
 * 2` work as written; all others become doubles. (`registerMixedNumbers` lets the two kinds work together.)
 */
export function toCel(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toCel)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toCel(item)]))
}
