import type { JsonValue } from '../claims/types.ts'
import type { ProbeReading } from '../verification/types.ts'
import { readingFor, valueAt } from '../verification/values.ts'

/** Deeper than any value that we read. */
const MAX_DEPTH = 100

/**
 * Returns the readings as if each had measured what was claimed about it, under its own name or a nested one (`tests.passed`). Pure; never
 * throws.
 */
export function readAsClaimed(
  readings: readonly ProbeReading[],
  claimed: Readonly<Record<string, JsonValue>>,
): readonly ProbeReading[] {
  const values = new Map<string, JsonValue>()
  for (const [name, value] of Object.entries(claimed)) {
    const match = readingFor(name, readings)
    if (match === undefined || match.path.length > MAX_DEPTH) continue
    const { reading, path } = match
    const now = values.get(reading.name) ?? (reading.kind === 'value' ? reading.value : {})
    // A claim about a path that the measured value doesn't have can't differ from anything.
    if (reading.kind === 'value' && valueAt(reading.value, path) === undefined) continue
    values.set(reading.name, withValueAt(now, path, value))
  }
  return readings.map((reading) => {
    const value = values.get(reading.name)
    return value === undefined ? reading : { kind: 'value', name: reading.name, value }
  })
}

function withValueAt(value: JsonValue, [key, ...rest]: readonly string[], claimed: JsonValue): JsonValue {
  if (key === undefined) return claimed
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) =>
      String(index) === key ? withValueAt(item, rest, claimed) : item,
    )
  const known = typeof value === 'object' && value !== null ? value : {}
  const below = valueAt(known, [key])
  return { ...known, [key]: withValueAt(below ?? {}, rest, claimed) }
}
