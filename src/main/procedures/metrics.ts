import { AggregatorRegistry } from 'prom-client'
import type { EventLoopDelay } from '../host/event-loop-delay.ts'
import type { WorkspaceFigures } from './workspace-figures.ts'

/** Values of one metric, in the form in which prom-client exchanges them between processes. */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly aggregator: 'sum'
  readonly values: readonly Value[]
}

interface Value {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  /** Where it is not that of the metric: the parts of a histogram. */
  readonly metricName?: string
}

/** Of the host itself. */
interface HostFigures {
  readonly version: string
  readonly delay: EventLoopDelay
  /** Of a day of all workspaces together, in US dollars; `null`: no limit. */
  readonly dailyBudgetUsd: number | null
}

/**
 * The figures in Prometheus' text format. The ledger counts, so nothing is counted here a second time: a registry is made from the
 * figures at every scrape.
 */
export async function renderMetrics(
  figures: readonly WorkspaceFigures[],
  host: HostFigures,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const registry = AggregatorRegistry.aggregate([[...hostMetrics(host), ...metricsOf(figures)]])
  return { text: await registry.metrics(), contentType: registry.contentType }
}

function hostMetrics({ version, delay, dailyBudgetUsd }: HostFigures): Metric[] {
  const name = 'pulseward_event_loop_delay_seconds'
  const quantiles = Object.entries(delay.quantiles).map(([quantile, value]) => ({
    value,
    labels: { quantile },
  }))
  return [
    metric('gauge', 'pulseward_build_info', 'The running version', [{ value: 1, labels: { version } }]),
    metric('summary', name, 'How long the host was kept from what was due', [
      ...quantiles,
      { metricName: `${name}_sum`, value: delay.sum, labels: {} },
      { metricName: `${name}_count`, value: delay.count, labels: {} },
    ]),
    metric('gauge', 'pulseward_event_loop_delay_worst_seconds', 'The longest of these', [
      { value: delay.worst, labels: {} },
    ]),
    metric(
      'gauge',
      'pulseward_all_daily_budget_usd',
      'US dollars of a day after which all workspaces pause',
      dailyBudgetUsd === null ? [] : [{ value: dailyBudgetUsd, labels: {} }],
    ),
  ]
}

/** What is one number of a workspace: type, name, what it says, and the number. */
const SINGLE: readonly (readonly [Metric['type'], string, string, (figure: WorkspaceFigures) => number])[] = [
  ['gauge', 'pulseward_score', "Today's score", ({ score }) => score],
  ['gauge', 'pulseward_target', "Today's target", ({ target }) => target],
  ['counter', 'pulseward_cycles_total', 'Heartbeats run', ({ cycles }) => cycles],
  ['gauge', 'pulseward_blocked_tasks', 'Tasks with no attempts left', ({ blockedTasks }) => blockedTasks],
  [
    'gauge',
    'pulseward_suspended',
    '1 while suspended for manual review',
    ({ suspended }) => Number(suspended),
  ],
]

/** What is several numbers of a workspace, or none. */
const SEVERAL: readonly (readonly [Metric['type'], string, string, (figure: WorkspaceFigures) => Value[]])[] =
  [
    ['counter', 'pulseward_attempts_total', 'Attempts by verdict', attemptValues],
    ['counter', 'pulseward_interventions_total', 'Interventions by type and severity', interventionValues],
    [
      'histogram',
      'pulseward_attempt_duration_seconds',
      'How long the agent ran for an attempt',
      durationValues,
    ],
    [
      'counter',
      'pulseward_agent_tokens_total',
      'Tokens that agents report to have used, by direction; cached ones are part of the input',
      tokenValues,
    ],
    ['counter', 'pulseward_agent_cost_usd_total', 'US dollars that agents report to have cost', costValues],
    [
      'gauge',
      'pulseward_daily_budget_usd',
      'US dollars of a day after which the workspace pauses',
      ({ workspace, dailyBudgetUsd }) =>
        dailyBudgetUsd === null ? [] : [{ value: dailyBudgetUsd, labels: { workspace } }],
    ],
  ]

function metricsOf(figures: readonly WorkspaceFigures[]): Metric[] {
  const single = SINGLE.map(([type, name, help, value]) => {
    const values = figures.map((figure) => ({
      value: value(figure),
      labels: { workspace: figure.workspace },
    }))
    return metric(type, name, help, values)
  })
  return [
    ...single,
    ...SEVERAL.map(([type, name, help, values]) => metric(type, name, help, figures.flatMap(values))),
  ]
}

function metric(type: Metric['type'], name: string, help: string, values: readonly Value[]): Metric {
  return { name, help, type, values, aggregator: 'sum' }
}

function attemptValues({ workspace, attempts }: WorkspaceFigures): Value[] {
  return Object.entries(attempts).map(([verdict, value]) => ({ value, labels: { workspace, verdict } }))
}

function interventionValues({ workspace, interventions }: WorkspaceFigures): Value[] {
  return interventions.map(({ event_type: type, severity, count }) => ({
    value: count,
    labels: { workspace, type, severity },
  }))
}

function tokenValues({ workspace, usage }: WorkspaceFigures): Value[] {
  return Object.entries(usage).flatMap(([agent, { inputTokens, outputTokens, cachedInputTokens }]) =>
    Object.entries({ input: inputTokens, output: outputTokens, cached: cachedInputTokens }).flatMap(
      ([direction, value]) => (value === null ? [] : [{ value, labels: { workspace, agent, direction } }]),
    ),
  )
}

function costValues({ workspace, usage }: WorkspaceFigures): Value[] {
  return Object.entries(usage).flatMap(([agent, { costUsd }]) =>
    costUsd === null ? [] : [{ value: costUsd, labels: { workspace, agent } }],
  )
}

/** Buckets are cumulative in the format. */
function durationValues({ workspace, attemptSeconds }: WorkspaceFigures): Value[] {
  const { bounds, counts, total, sum } = attemptSeconds
  const name = 'pulseward_attempt_duration_seconds'
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return { metricName: `${name}_bucket`, value: below, labels: { workspace, le: bound } }
  })
  return [
    ...buckets,
    { metricName: `${name}_bucket`, value: total, labels: { workspace, le: '+Inf' } },
    { metricName: `${name}_sum`, value: sum, labels: { workspace } },
    { metricName: `${name}_count`, value: total, labels: { workspace } },
  ]
}
