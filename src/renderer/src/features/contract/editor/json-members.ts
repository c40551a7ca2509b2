import type { JsonValue } from '../../../../../core/claims/types.ts'
import { valueAt } from '../../../../../core/verification/values.ts'

const MOST_MEMBERS = 200

/** Names and values of what lies at a path in a JSON value, as far as expressions can name them; none where no object lies there. */
export function membersAt(
  whole: unknown,
  path: readonly string[],
): readonly (readonly [string, JsonValue])[] {
  // JSON, as it came over the wire; `undefined` if nothing was read.
  const value = whole === undefined ? undefined : valueAt(whole as JsonValue, path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value)
    .filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
    .slice(0, MOST_MEMBERS)
}
