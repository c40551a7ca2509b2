import type { AgentFigures, UsageTotals } from '../core/read-model/agent.ts'
import { sayDollars } from '../core/record/budget.ts'
import { columns } from './format.ts'

/** The usage that the agents of a workspace report: by day and agent, newest first, and by task, most expensive first. */
export interface UsageDocument {
  readonly today: readonly AgentUsageRow[]
  readonly days: readonly { readonly day: string; readonly agents: readonly AgentUsageRow[] }[]
  readonly tasks: AgentFigures['tasks']
}

interface AgentUsageRow {
  readonly agentId: string
  readonly usage: UsageTotals
}

export function usageDocument({ today, days, tasks }: AgentFigures): UsageDocument {
  const used = days
    .map(({ day, agents }) => ({
      day,
      agents: agents.flatMap(({ agentId, usage }) => (usage === null ? [] : [{ agentId, usage }])),
    }))
    .filter(({ agents }) => agents.length > 0)
    .toReversed()
  return { today: used.find(({ day }) => day === today)?.agents ?? [], days: used, tasks }
}

/** Returns lines for a person; a single one saying so if no agent reports its usage. */
export function describeUsage({ days, tasks }: UsageDocument): string[] {
  if (days.length === 0 && tasks.length === 0) return ['No agent has reported what it used.']
  return [
    'Used, by day and agent:',
    ...columns(
      days
        .slice(0, 7)
        .flatMap(({ day, agents }) =>
          agents.map(({ agentId, usage }) => [`  ${day}`, agentId, ...cellsOf(usage)]),
        ),
    ),
    'Used, by task:',
    ...columns(tasks.slice(0, 10).map(({ taskId, usage }) => [`  ${taskId}`, ...cellsOf(usage)])),
  ]
}

function cellsOf({ attempts, inputTokens, outputTokens, costUsd, estimatedUsd }: UsageTotals): string[] {
  return [
    `${attempts} attempt${attempts === 1 ? '' : 's'}`,
    `${tokens(inputTokens)} in`,
    `${tokens(outputTokens)} out`,
    costUsd === null && estimatedUsd === undefined
      ? 'cost not reported'
      : `${sayDollars((costUsd ?? 0) + (estimatedUsd ?? 0))}${estimatedUsd === undefined ? '' : ' (estimated)'}`,
  ]
}

function tokens(count: number | null): string {
  return count === null ? 'unknown' : Math.round(count).toLocaleString('en')
}
