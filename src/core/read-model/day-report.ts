import { sayDollars } from '../record/budget.ts'
import type { WorkspaceState } from '../record/state.ts'
import { counted } from '../scoring/format.ts'
import { cut } from '../text/quote.ts'
import type { Need } from './need.ts'

/** The parts of a workspace that the daily report uses. */
export interface ReportedWorkspace {
  readonly name: string
  readonly state: Pick<WorkspaceState, 'score' | 'days' | 'suspended'>
  /** What needs the operator's attention now. */
  readonly needs: readonly Pick<Need, 'reason'>[]
}

const MAX_WORKSPACES = 30
const MAX_REASON = 200

/**
 * Returns the report for the day `yesterday` (YYYY-MM-DD) over all workspaces: each one's result, and whatever needs attention, repeated
 * daily until it no longer does; `null` if nothing was judged and nothing needs attention.
 */
export function dailyReport(
  workspaces: readonly ReportedWorkspace[],
  yesterday: string,
): { readonly title: string; readonly body: string } | null {
  const reported = workspaces.flatMap((workspace) => {
    const day = dayWords(workspace, yesterday)
    const { state, needs, name } = workspace
    if (day === null && needs.length === 0) return []
    const stopped = state.suspended === null ? [] : ['Suspended: nothing runs until you resume it.']
    return [
      {
        needs,
        line: `${name}: ${[...(day === null ? [] : [day]), ...stopped, ...waitingWords(workspace)].join(' ')}`,
      },
    ]
  })
  if (reported.length === 0) return null
  const decisions = reported.reduce((sum, { needs }) => sum + needs.length, 0)
  const shown = reported.toSorted((a, b) => b.needs.length - a.needs.length).slice(0, MAX_WORKSPACES)
  const more = reported.length - shown.length
  return {
    title: `Daily report, ${yesterday}: ${decisions === 0 ? 'nothing needs your attention' : counted(decisions, 'decision')}`,
    body: [...shown.map(({ line }) => line), ...(more === 0 ? [] : [`And ${more} more workspaces.`])].join(
      '\n',
    ),
  }
}

function waitingWords({ needs }: ReportedWorkspace): string[] {
  const [first] = needs
  return first === undefined ? [] : [`${counted(needs.length, 'decision')}: ${cut(first.reason, MAX_REASON)}`]
}

/** Returns `null` if nothing was judged on that day. */
function dayWords({ state }: ReportedWorkspace, yesterday: string): string | null {
  // If nothing was recorded since, it may not be archived yet.
  const day = [state.score.today, ...state.score.history].find(({ date }) => date === yesterday)
  if (day === undefined || day.judgedCount === 0) return null
  const contradictions = day.contradictionCount
  const spentUsd = costOf(state, day.date)
  return [
    `${day.score} of ${day.target} points; ${day.verifiedCount} verified, ${day.failedCount} not verified, ${day.unclearCount} unclear.`,
    ...(contradictions === 0 ? [] : [`${counted(contradictions, 'contradiction')}.`]),
    ...(spentUsd === null ? [] : [`${sayDollars(spentUsd)} spent.`]),
  ].join(' ')
}

/** Returns a day's cost in US dollars, as reported by programs or estimated from tokens; `null` if neither is known. */
function costOf({ days }: Pick<WorkspaceState, 'days'>, date: string): number | null {
  const agents = Object.values(days.find(({ day }) => day === date)?.agents ?? {})
  const costs = agents.flatMap(({ usage }) => [usage?.costUsd ?? [], usage?.estimatedUsd ?? []].flat())
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}
