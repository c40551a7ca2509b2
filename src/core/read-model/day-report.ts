import { sayDollars } from '../record/budget.ts'
import type { WorkspaceState } from '../record/state.ts'

/**
 * What the last finished day of a workspace came to, as one paragraph for who was not there; `null` for a day on which nothing was
 * judged. `waiting` is how many things ask for the operator now.
 */
export function dayReport(state: WorkspaceState, waiting: number): string | null {
  const [day] = state.score.history
  if (day === undefined || day.judgedCount === 0) return null
  const lies = day.contradictionCount
  const spentUsd = costOf(state, day.date)
  return [
    `${day.date}: ${day.score} of ${day.target} points.`,
    `${day.verifiedCount} verified, ${day.failedCount} not verified, ${day.unclearCount} unclear${lies === 0 ? '' : `, ${lies} of them ${lies === 1 ? 'a lie' : 'lies'}`}.`,
    ...(spentUsd === null ? [] : [`${sayDollars(spentUsd)} spent.`]),
    waiting === 0
      ? 'Nothing waits for you.'
      : `${waiting === 1 ? 'One thing waits' : `${waiting} things wait`} for you.`,
  ].join(' ')
}

/** US dollars of a day, as programs reported them or estimated by their tokens; `null` where neither is known. */
function costOf({ days }: WorkspaceState, date: string): number | null {
  const agents = Object.values(days.find(({ day }) => day === date)?.agents ?? {})
  const costs = agents.flatMap(({ usage }) => [usage?.costUsd ?? [], usage?.estimatedUsd ?? []].flat())
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}
