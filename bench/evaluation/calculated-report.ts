import { markdownTable, median } from '../benchmark.ts'
import type { QueueFigures, QueueResult } from './queue.ts'

/** The goals, each a share of the whole. */
const GOALS = [
  {
    name: 'UI tasks blocked',
    wanted: '< 20 %',
    share: ({ uiBlocked, uiTasks }: QueueFigures) => uiBlocked / uiTasks,
    isMet: (share: number) => share < 0.2,
  },
  {
    name: 'attempts wasted',
    wanted: '< 15 %',
    share: ({ wasted, attempts }: QueueFigures) => wasted / attempts,
    isMet: (share: number) => share < 0.15,
  },
  {
    name: 'UI tasks completed',
    wanted: '> 80 %',
    share: ({ uiCompleted, uiTasks }: QueueFigures) => uiCompleted / uiTasks,
    isMet: (share: number) => share > 0.8,
  },
] as const

export interface CalculatedRow {
  readonly name: string
  readonly results: readonly QueueResult[]
}

/**
 * Returns a table with a row for each workload and kind of timeout: median, the middle 90 of 100 seeds, and in how many seeds
 * each goal was met.
 */
export function calculatedReport(rows: readonly CalculatedRow[]): string {
  const seeds = new Set(rows[0]?.results.map(({ seed }) => seed)).size
  const table = markdownTable(
    ['workload', 'timeouts', ...GOALS.flatMap(({ name, wanted }) => [name, `${wanted} in`])],
    rows.flatMap(({ name, results }) =>
      (['fixed', 'adaptive'] as const).map((timeouts) => [
        name,
        timeouts,
        ...GOALS.flatMap(({ share, isMet }) => {
          const shares = results
            .filter((result) => result.timeouts === timeouts)
            .map(({ byItself }) => share(byItself))
          const met = shares.filter(isMet).length / shares.length
          return [spread(shares), `${percent(met)} of seeds`]
        }),
      ]),
    ),
  )
  return `### Queue of 43 tasks, calculated over ${seeds} seeds: median (5th to 95th percentile)\n\n${table}`
}

function spread(shares: readonly number[]): string {
  const sorted = shares.toSorted((a, b) => a - b)
  const at = (part: number) => percent(sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN)
  return `${percent(median(shares))} (${at(0.05)} to ${at(0.95)})`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}
