import type { AgentDay, AgentFigures, UsageTotals } from '../../../../core/read-model/agent.ts'
import { shortDay } from '../../format/moments.ts'

const DAYS = 30

/** One day of an agent; `figures` is `null` if it did not run. */
export interface AgentDayPoint {
  /** YYYY-MM-DD. */
  readonly day: string
  readonly label: string
  readonly figures: AgentDay | null
}

/** Returns the last 30 days of one agent, oldest first, ending with today, including days on which it did not run. */
export function daySeries({ today, days }: AgentFigures, agentId: string): AgentDayPoint[] {
  const byDay = new Map(days.map(({ day, agents }) => [day, agents]))
  return Array.from({ length: DAYS }, (_, index) => {
    const day = dayBefore(today, DAYS - 1 - index)
    const figures = byDay.get(day)?.find((each) => each.agentId === agentId) ?? null
    return { day, label: day === today ? 'today' : shortDay(day), figures }
  })
}

function dayBefore(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - count)
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
}

/** Counts how often each type was raised over these days, and on which; the most frequent first. */
export function interventionRows(series: readonly AgentDayPoint[]): {
  readonly type: string
  readonly total: number
  readonly perDay: readonly number[]
}[] {
  const types = new Set(series.flatMap(({ figures }) => Object.keys(figures?.interventions ?? {})))
  return [...types]
    .map((type) => {
      const perDay = series.map(({ figures }) => figures?.interventions[type] ?? 0)
      return { type, perDay, total: perDay.reduce((sum, count) => sum + count, 0) }
    })
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total)
}

/** Counts the interventions of these days that belong to no single attempt, and so to no agent. */
export function otherInterventions({ days }: AgentFigures): number {
  return days.flatMap((day) => Object.values(day.otherInterventions)).reduce((sum, count) => sum + count, 0)
}

/** Returns what each agent used over the recorded days; omits agents that reported nothing. */
export function usageByAgent({
  days,
}: AgentFigures): { readonly agentId: string; readonly usage: UsageTotals }[] {
  const totals = new Map<string, UsageTotals>()
  for (const { agentId, usage } of days.flatMap(({ agents }) => agents)) {
    if (usage !== null) totals.set(agentId, together(totals.get(agentId), usage))
  }
  return [...totals].map(([agentId, usage]) => ({ agentId, usage }))
}

function together(a: UsageTotals | undefined, b: UsageTotals): UsageTotals {
  const estimatedUsd = (a?.estimatedUsd ?? 0) + (b.estimatedUsd ?? 0)
  const sum = (x: number | null | undefined, y: number | null) => (y === null ? (x ?? null) : (x ?? 0) + y)
  return {
    attempts: (a?.attempts ?? 0) + b.attempts,
    inputTokens: sum(a?.inputTokens, b.inputTokens),
    outputTokens: sum(a?.outputTokens, b.outputTokens),
    cachedInputTokens: sum(a?.cachedInputTokens, b.cachedInputTokens),
    costUsd: sum(a?.costUsd, b.costUsd),
    ...(estimatedUsd > 0 && { estimatedUsd }),
  }
}
