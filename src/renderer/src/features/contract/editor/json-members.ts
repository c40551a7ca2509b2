import type { JsonValue } from '../../../../../core/claims/types.ts'
import { valueAt } from '../../../../../core/verification/values.ts'

const MOST_MEMBERS = 200

/** Returns the names and values at a path in a JSON value, if expressions can name them; empty if there is no object at the path. */
export function membersAt(
  whole: unknown,
  path: readonly string[],
): readonly (readonly [string, JsonValue])[] {
  // Safe: it is JSON from the API; `undefined` if nothing was read.
  const value = whole === undefined ? undefined : valueAt(whole as JsonValue, path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value)
    .filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
    .slice(0, MOST_MEMBERS)
}
