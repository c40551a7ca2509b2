import { setImmediate } from 'node:timers/promises'
import type { FleetHost } from '../../core/fleet/view.ts'
import type { WorkspaceFigures } from '../../core/read-model/figures.ts'
import { COST_PHASE_KEYS, COST_PHASES } from '../../core/vocabulary/cost-phase.ts'
import type { EventLoopDelay } from '../host/event-loop-delay.ts'

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
  /** The metric's name, if it differs: for the parts of a histogram. */
  readonly metricName?: string
}

/** Figures of the host itself. */
interface HostFigures {
  readonly version: string
  readonly delay: EventLoopDelay
  /** Daily budget of all workspaces together, in US dollars; `null`: no limit. */
  readonly dailyBudgetUsd: number | null
}

/** Figures of everything that a center has heard from. */
interface FleetFigures {
  readonly hosts: readonly FleetHost[]
  /** Those that need the operator come first. */
  readonly workspaces: readonly WorkspaceFigures[]
}

/**
 * Renders the figures in Prometheus' text format. The ledger counts, so nothing is counted here a second time: a registry is made from the
 * figures at every scrape.
 */
export async function renderMetrics(
  figures: readonly WorkspaceFigures[],
  host: HostFigures,
  fleet: FleetFigures | null = null,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const metrics = [
    ...hostMetrics(host),
    ...metricsOf(figures, (name) => name),
    ...(fleet === null ? [] : fleetMetrics(fleet)),
  ]
  // Loaded on demand: most hosts are never scraped.
  const { AggregatorRegistry } = await import('prom-client')
  const parts: string[] = []
  let contentType = ''
  // One after another, yielding to other work in between: rendering a thousand workspaces in one go blocks the host for a second.
  for (const one of metrics) {
    const registry = AggregatorRegistry.aggregate([[one]])
    contentType = registry.contentType
    const text = await registry.metrics()
    if (text.trim() !== '') parts.push(text)
    await setImmediate()
  }
  return { text: parts.join('\n'), contentType }
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

/** A separate name, so that a center which is itself a host of its fleet is not counted twice. */
const ofFleet = (name: string): string => `pulseward_fleet_${name.slice('pulseward_'.length)}`

/** Beyond this many, workspaces are left out, first those that need no attention: every scrape reads about 60 lines for each. */
const MAX_FLEET_WORKSPACES = 1_000

function fleetMetrics({ hosts, workspaces }: FleetFigures): Metric[] {
  const each = (
    type: Metric['type'],
    name: string,
    help: string,
    value: (host: FleetHost) => number | null,
  ): Metric =>
    metric(
      type,
      name,
      help,
      hosts.flatMap((host) => {
        const found = value(host)
        return found === null ? [] : [{ value: found, labels: { host: host.host } }]
      }),
    )
  const refused = hosts.flatMap(({ host, refused: kinds }) =>
    kinds.map(({ kind, count }) => ({ value: count, labels: { host, kind } })),
  )
  const shown = workspaces.slice(0, MAX_FLEET_WORKSPACES)
  return [
    each(
      'gauge',
      'pulseward_fleet_host_heard_timestamp_seconds',
      'When a host was last heard from, by the clock of the hub',
      ({ heardAt }) => (heardAt === null ? null : Date.parse(heardAt) / 1000),
    ),
    each(
      'gauge',
      'pulseward_fleet_host_clock_offset_seconds',
      'How far the clock of a host is ahead',
      ({ clockOffsetSeconds }) => clockOffsetSeconds,
    ),
    each(
      'counter',
      'pulseward_fleet_host_lines_total',
      'Lines that were taken of a host',
      ({ events }) => events,
    ),
    each(
      'gauge',
      'pulseward_fleet_host_halted_records',
      'Records that a host does not send any more',
      ({ halted }) => halted.length,
    ),
    metric(
      'counter',
      'pulseward_fleet_host_refused_total',
      'Messages of a host that were not taken',
      refused,
    ),
    metric(
      'gauge',
      'pulseward_fleet_workspaces_left_out',
      `Workspaces beyond the first ${MAX_FLEET_WORKSPACES}, without figures here`,
      [{ value: workspaces.length - shown.length, labels: {} }],
    ),
    ...metricsOf(shown.map(withoutZeros), ofFleet),
  ]
}

/** Leaves out zeros, which are most of twenty kinds of interventions for a thousand workspaces. */
function withoutZeros(figures: WorkspaceFigures): WorkspaceFigures {
  return { ...figures, interventions: figures.interventions.filter(({ count }) => count > 0) }
}

/** Metrics with one value per workspace: type, name, description and value. */
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

/** Metrics with any number of values per workspace. */
const SEVERAL: readonly (readonly [
  Metric['type'],
  string,
  string,
  (figure: WorkspaceFigures, name: string) => Value[],
])[] = [
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
    'pulseward_attempt_phase_seconds_total',
    'Where the time of attempts went; the phases add up to the whole',
    phaseValues,
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
    ({ labels, dailyBudgetUsd }) => (dailyBudgetUsd === null ? [] : [{ value: dailyBudgetUsd, labels }]),
  ],
]

function metricsOf(figures: readonly WorkspaceFigures[], named: (name: string) => string): Metric[] {
  const single = SINGLE.map(([type, name, help, value]) => {
    const values = figures.map((figure) => ({ value: value(figure), labels: figure.labels }))
    return metric(type, named(name), help, values)
  })
  return [
    ...single,
    ...SEVERAL.map(([type, name, help, values]) =>
      metric(
        type,
        named(name),
        help,
        figures.flatMap((figure) => values(figure, named(name))),
      ),
    ),
  ]
}

function metric(type: Metric['type'], name: string, help: string, values: readonly Value[]): Metric {
  return { name, help, type, values, aggregator: 'sum' }
}

function attemptValues({ labels, attempts }: WorkspaceFigures): Value[] {
  return Object.entries(attempts).map(([verdict, value]) => ({ value, labels: { ...labels, verdict } }))
}

function interventionValues({ labels, interventions }: WorkspaceFigures): Value[] {
  return interventions.map(({ event_type: type, severity, count }) => ({
    value: count,
    labels: { ...labels, type, severity },
  }))
}

function tokenValues({ labels, usage }: WorkspaceFigures): Value[] {
  return Object.entries(usage).flatMap(([agent, { inputTokens, outputTokens, cachedInputTokens }]) =>
    Object.entries({ input: inputTokens, output: outputTokens, cached: cachedInputTokens }).flatMap(
      ([direction, value]) => (value === null ? [] : [{ value, labels: { ...labels, agent, direction } }]),
    ),
  )
}

function costValues({ labels, usage }: WorkspaceFigures): Value[] {
  return Object.entries(usage).flatMap(([agent, { costUsd }]) =>
    costUsd === null ? [] : [{ value: costUsd, labels: { ...labels, agent } }],
  )
}

function phaseValues({ labels, costs }: WorkspaceFigures): Value[] {
  return COST_PHASE_KEYS.map((key) => ({
    value: costs[key] / 1000,
    labels: { ...labels, phase: COST_PHASES[key].label },
  }))
}

/** Returns the values of a histogram, whose buckets are cumulative in this format. */
function durationValues({ labels, attemptSeconds }: WorkspaceFigures, name: string): Value[] {
  const { bounds, counts, total, sum } = attemptSeconds
  let below = 0
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0
    return { metricName: `${name}_bucket`, value: below, labels: { ...labels, le: bound } }
  })
  return [
    ...buckets,
    { metricName: `${name}_bucket`, value: total, labels: { ...labels, le: '+Inf' } },
    { metricName: `${name}_sum`, value: sum, labels },
    { metricName: `${name}_count`, value: total, labels },
  ]
}
