import type { JsonValue } from '../../core/claims/types.ts'

/** Deeper JSON is nothing that a hint looks into, and comparing or writing it out would overflow the stack. */
const MAX_DEPTH = 100

/**
 * The value of a JSON text; undefined where it is none, or nested deeper than 100. A byte order mark, which editors on Windows
 * write, does not count.
 */
export function parseJsonText(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as JsonValue
    return isWithinDepth(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithinDepth(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((item) => isWithinDepth(item, depth - 1))
}
