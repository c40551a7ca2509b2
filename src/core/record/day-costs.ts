import { addedUp, type CheckCost } from './costs.ts'
import type { RecordedEvent } from './events.ts'

/** What checks cost on the newest day on which any ran. */
export interface DayCosts {
  /** YYYY-MM-DD. */
  readonly day: string
  /** The highest cost first. */
  readonly checks: readonly CheckCost[]
}

/** Returns the costs after one more event. As in the fold, a day before that of an earlier event counts as that day. */
export function dayCostsAfter(known: DayCosts | null, event: RecordedEvent): DayCosts | null {
  const costs = costsIn(event)
  if (costs.length === 0) return known
  const isSameDay = known !== null && event.day <= known.day
  return isSameDay
    ? { day: known.day, checks: addedUp([...known.checks, ...costs]) }
    : { day: event.day, checks: addedUp(costs) }
}

function costsIn(event: RecordedEvent): readonly CheckCost[] {
  switch (event.type) {
    case 'attempt-finished': {
      // Each attempt of a shared run has the run's costs.
      const { costs, tasksInRun } = event.result
      return (costs?.byCheck ?? []).map((cost) => ({
        ...cost,
        runs: cost.runs / tasksInRun,
        ms: cost.ms / tasksInRun,
      }))
    }
    case 'cycle-finished':
    case 'heartbeat-skipped':
      return event.checks ?? []
    default:
      return []
  }
}
