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
}

/**
 * The figures in Prometheus' text format. The ledger counts, so nothing is counted here a second time: a registry is made from the
 * figures at every scrape.
 */
export async function renderMetrics(
  figures: readonly WorkspaceFigures[],
  { version, delay }: HostFigures,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const registry = AggregatorRegistry.aggregate([[...hostMetrics({ version, delay }), ...metricsOf(figures)]])
  return { text: await registry.metrics(), contentType: registry.contentType }
}

function hostMetrics({ version, delay }: HostFigures): Metric[] {
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
  ]
}

function metricsOf(figures: readonly WorkspaceFigures[]): Metric[] {
  const each = (pick: (figure: WorkspaceFigures) => number): Value[] =>
    figures.map((figure) => ({ value: pick(figure), labels: { workspace: figure.workspace } }))
  return [
    metric(
      'gauge',
      'pulseward_score',
      "Today's score",
      each((figure) => figure.score),
    ),
    metric(
      'gauge',
      'pulseward_target',
      "Today's target",
      each((figure) => figure.target),
    ),
    metric(
      'counter',
      'pulseward_cycles_total',
      'Heartbeats run',
      each((figure) => figure.cycles),
    ),
    metric(
      'gauge',
      'pulseward_blocked_tasks',
      'Tasks with no attempts left',
      each((figure) => figure.blockedTasks),
    ),
    metric(
      'gauge',
      'pulseward_suspended',
      '1 while suspended for manual review',
      each((figure) => Number(figure.suspended)),
    ),
    metric('counter', 'pulseward_attempts_total', 'Attempts by verdict', figures.flatMap(attemptValues)),
    metric(
      'counter',
      'pulseward_interventions_total',
      'Interventions by type and severity',
      figures.flatMap(interventionValues),
    ),
    metric(
      'histogram',
      'pulseward_attempt_duration_seconds',
      'How long the agent ran for an attempt',
      figures.flatMap(durationValues),
    ),
    metric(
      'counter',
      'pulseward_agent_tokens_total',
      'Tokens that agents report to have used, by direction; cached ones are part of the input',
      figures.flatMap(tokenValues),
    ),
    metric(
      'counter',
      'pulseward_agent_cost_usd_total',
      'US dollars that agents report to have cost',
      figures.flatMap(costValues),
    ),
    metric(
      'gauge',
      'pulseward_daily_budget_usd',
      'US dollars of a day after which the workspace pauses',
      figures.flatMap(({ workspace, dailyBudgetUsd }) =>
        dailyBudgetUsd === null ? [] : [{ value: dailyBudgetUsd, labels: { workspace } }],
      ),
    ),
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
