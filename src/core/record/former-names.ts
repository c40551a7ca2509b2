import { isObject } from '../text/json.ts'

/**
 * Returns a ledger line's JSON with current names: earlier versions wrote `mend` for `remedy`, and `contradictedTicks` for
 * `contradictedTasks`. An old ledger must always load, and its lines are never rewritten. Anything but an object is returned unchanged.
 * Pure; never throws.
 */
export function withCurrentNames(json: unknown): unknown {
  if (!isObject(json)) return json
  switch (json.type) {
    case 'attempt-finished':
      return isObject(json.result) ? { ...json, result: renamed(json.result, 'mend', 'remedy') } : json
    case 'backed-off':
      return renamed(json, 'mend', 'remedy')
    case 'cycle-started':
      return renamed(json, 'contradictedTicks', 'contradictedTasks')
    default:
      return json
  }
}

function renamed(object: Record<string, unknown>, former: string, current: string): Record<string, unknown> {
  if (!Object.hasOwn(object, former) || Object.hasOwn(object, current)) return object
  const { [former]: value, ...rest } = object
  return { ...rest, [current]: value }
}
