import type { Command } from 'commander'
import type { AgentProfile, Breaker } from '../../core/read-model/agent.ts'
import type { Intervention, InterventionMetrics } from '../../core/read-model/intervention.ts'
import { counted } from '../../core/scoring/format.ts'
import { cut } from '../../core/text/quote.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { clockTime, columns } from '../format.ts'
import { wholeNumber } from '../number-option.ts'
import type { Paint, Style } from '../output.ts'
import { describeUsage, usageDocument } from '../usage.ts'

interface InterventionFlags {
  readonly last?: string
  readonly reset?: boolean
  readonly restore?: boolean
}

/** As many as the host keeps in memory. */
const MOST_EVENTS = 1000
const EVENTS_SHOWN = 50
const HISTORY_SHOWN = 5

/** Adds `interventions`, `profile` and `metrics`. */
export function addInterventionCommands(program: Command, run: RunCommand): void {
  program
    .command('interventions')
    .description('show what was noticed about the agent and what was done about it, oldest first')
    .option('--last <N>', `the newest N (default: ${EVENTS_SHOWN})`)
    .option(
      '--reset',
      'start at zero: set events, profiles and pending feedback aside, and resume if suspended',
    )
    .option('--restore', 'undo the last reset')
    .action(run(interventions))
  program
    .command('profile')
    .description('show how an agent works')
    .option('--agent <ID>', "the agent (default: the workspace's own)")
    .action(run(profile))
  program
    .command('metrics')
    .description('show totals of all interventions, and what the agents used')
    .action(run(metrics))
}

async function interventions(
  context: CommandContext,
  { last, reset, restore }: InterventionFlags,
): Promise<0> {
  if (reset === true && restore === true) throw usageError('--reset and --restore exclude each other.')
  const count = Math.min(wholeNumber('--last', last) ?? EVENTS_SHOWN, MOST_EVENTS)
  const events = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    if (reset === true) await client.interventions.reset({ workspace })
    if (restore === true) await client.interventions.restore({ workspace })
    const page = await client.interventions.list({ workspace, last: count })
    return page.interventions.toReversed()
  })
  if (reset === true)
    context.output.remark('Everything starts at zero and nothing is suspended; --restore undoes this.')
  context.output.answer({ events }, (paint) =>
    events.length === 0
      ? ['No intervention is recorded.']
      : columnsOf(events, Date.now()).map((line, index) => paint(styleOf(events[index]), line)),
  )
  return 0
}

function columnsOf(events: readonly Intervention[], nowMs: number): string[] {
  return columns(
    events.map(({ timestamp, iteration, event_type, task_id, details }) => [
      clockTime(timestamp, nowMs),
      `cycle ${iteration}`,
      event_type,
      task_id ?? '',
      summary(details),
    ]),
  )
}

/** Returns what was measured compared with what was claimed, or all details if they don't have these. */
function summary(details: Intervention['details']): string {
  const found = [details.found].flat().filter((each) => typeof each === 'string')
  if (found.length === 0) return detailLine(details)
  const claimed = typeof details.claimed === 'string' ? ` (claimed: ${details.claimed})` : ''
  return `${found.join('; ')}${claimed}`
}

/** Fields that every attempt event has; `pulseward attempt` shows them. */
const OF_EVERY_ATTEMPT: ReadonlySet<string> = new Set([
  'task_id',
  'return_code',
  'agent_return_code',
  'outcome',
  'exit_signal_claimed',
  'files_written',
  'evidence_count',
])

/** Items shown per list; `--json` has all. */
const SHOWN_OF_LIST = 3
const MAX_SHOWN = 200

function detailLine(details: Intervention['details']): string {
  const isCountOfShown = (name: string): boolean => Array.isArray(details[name.replace(/_count$/, '')])
  return Object.entries(details)
    .filter(([name, value]) => !OF_EVERY_ATTEMPT.has(name) && value !== null)
    .filter(([name]) => !(name.endsWith('_count') && isCountOfShown(name)))
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ')
}

function shown(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (!value.every((each) => typeof each === 'string')) return String(value.length)
  const left = value.length - SHOWN_OF_LIST
  const words = value.slice(0, SHOWN_OF_LIST).map((each) => cut(each, MAX_SHOWN))
  return `${words.join('; ')}${left > 0 ? `; and ${left} more` : ''}`
}

function styleOf(event: Intervention | undefined): Style {
  if (event?.severity === 'critical') return 'bad'
  return event?.severity === 'warning' ? 'warning' : 'quiet'
}

async function profile(context: CommandContext, { agent }: { agent?: string }): Promise<0> {
  const { answer, breaker } = await context.withHost(async (client) => {
    const workspace = await chooseWorkspace(context, client)
    const id = agent ?? workspace.agentId
    if (id === null) throw usageError(`${workspace.name} has no agent yet: name one with --agent ID.`)
    const known = await client.agents.list({ workspace: workspace.id })
    return {
      answer: await client.agents.profile({ workspace: workspace.id, id }),
      breaker: known.find(({ profile }) => profile.agent_id === id)?.breaker ?? null,
    }
  })
  context.output.answer(answer, (paint) => describeProfile(answer, breaker, paint))
  return 0
}

function describeProfile(profile: AgentProfile, breaker: Breaker | null, paint: Paint): string[] {
  const { agent_id, intervention_threshold_exceeded: _said, last_reinforcement, ...rest } = profile
  const { intervention_history: history, ...numbers } = rest
  const newest = history.slice(-HISTORY_SHOWN)
  return [
    paint('strong', agent_id),
    ...columns(Object.entries(numbers).map(([name, value]) => [`  ${inWords(name)}`, String(value)])),
    `  intervention history: ${history.length === 0 ? 'none' : `the last ${newest.length} of ${history.length}`}`,
    ...columnsOf(newest, Date.now()).map((line, index) => paint(styleOf(newest[index]), `    ${line}`)),
    `  last feedback: ${last_reinforcement === null ? 'never' : clockTime(last_reinforcement, Date.now())}`,
    ...breakerLines(breaker).map((line) => paint('bad', line)),
  ]
}

function breakerLines(breaker: Breaker | null): string[] {
  switch (breaker?.state) {
    case 'open':
      return [
        `  The circuit breaker is on warning (${breaker.reason}): every prompt contains a final warning.`,
      ]
    case 'tripped':
      return [`  The circuit breaker has tripped (${breaker.reason}): the workspace waits for your review.`]
    default:
      return []
  }
}

async function metrics(context: CommandContext): Promise<0> {
  const { numbers, figures } = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    const [numbers, figures] = await Promise.all([
      client.interventions.metrics({ workspace }),
      client.agents.figures({ workspace }),
    ])
    return { numbers, figures }
  })
  const usage = usageDocument(figures)
  context.output.answer({ ...numbers, usage }, () => [...describeMetrics(numbers), ...describeUsage(usage)])
  return 0
}

function describeMetrics(answer: InterventionMetrics): string[] {
  const rows = (counts: Readonly<Record<string, number>>): string[] =>
    columns(Object.entries(counts).map(([name, count]) => [`  ${name}`, String(count)]))
  return [
    `${counted(answer.total_interventions, 'intervention')}, ${answer.intervention_rate_per_100_iterations} in 100 cycles; remediation success ${Math.round(answer.avg_remediation_success_rate * 100)} %`,
    ...rows(answer.interventions_by_severity),
    ...rows(answer.interventions_by_type),
  ]
}

function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}
