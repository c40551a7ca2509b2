const MAX_TEXT_LENGTH = 500
const MAX_ITEMS = 30
const MAX_DEPTH = 3

/**
 * Returns an intervention's details as the state keeps them: texts truncated, lists and objects short, three levels deep. The state is
 * snapshotted whole and contains 1,000 of these; the ledger has the full details.
 */
export function boundedDetails(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details)
      .slice(0, MAX_ITEMS)
      .map(([name, value]) => [name.slice(0, MAX_TEXT_LENGTH), bounded(value, MAX_DEPTH)]),
  )
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT_LENGTH ? value : `${value.slice(0, MAX_TEXT_LENGTH - 1)}…`
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => bounded(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([name, item]) => [name, bounded(item, depth - 1)]),
  )
}
