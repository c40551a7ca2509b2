import type { Command } from 'commander'
import type { WorkspaceDetail } from '../../core/read-model/workspace.ts'
import { sayPace } from '../../core/record/budget.ts'
import { needsInWords } from '../../core/vocabulary/need.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { clockTime, columns, duration, scoreLine } from '../format.ts'
import type { Paint } from '../output.ts'

/** `status`, `pause` and `resume`. */
export function addStatusCommands(program: Command, run: RunCommand): void {
  program
    .command('status')
    .description('show the next heartbeat, the standing, and the open and blocked tasks')
    .action(run(status))
  program
    .command('pause')
    .description('pause the heartbeats, until resumed or until a time')
    .option('--until <TIME>', 'such as 2026-01-31T18:00')
    .action(run(pause))
  program
    .command('resume')
    .description('end a pause, or a suspension after you have looked at what the agent did')
    .option('--reason <TEXT>', 'what you found, for the record')
    .action(run(resume))
}

async function status(context: CommandContext): Promise<0> {
  const { detail, unopened } = await context.withHost(async (client) => {
    const { id } = await chooseWorkspace(context, client)
    const [found, host] = await Promise.all([client.workspaces.get({ id }), client.status()])
    return {
      detail: found,
      unopened: host.unopened.map(({ id: unopenedId, name, reason }) => ({ id: unopenedId, name, reason })),
    }
  })
  context.output.answer({ ...statusDocument(detail), unopened }, (paint) => [
    ...describeStatus(detail, paint, Date.now()),
    ...describeUnopened(unopened, paint),
  ])
  return 0
}

function statusDocument(detail: WorkspaceDetail) {
  const {
    id,
    path,
    trust,
    paused,
    suspended,
    running,
    next,
    score,
    standingMessage,
    pace = null,
    tasks,
    counts,
    notices,
    needs,
  } = detail
  const { penalty, reward, intervalMinutes } = score
  const rows = tasks.map((task) => ({
    id: task.id,
    status: task.status,
    required: task.required,
    attempts: task.attempts,
    maxAttempts: task.maxAttempts,
    blocked: task.blocked,
    timeoutSeconds: task.timeoutSeconds,
    timeoutReason: task.timeoutReason,
    complexity: task.complexity,
    lastResult: task.lastResult,
  }))
  return {
    workspace: id,
    path,
    trust,
    paused,
    suspended,
    running,
    next,
    standing: { penalty, reward, intervalMinutes, message: standingMessage },
    score,
    pace,
    counts,
    open: rows.filter((task) => !task.blocked && (task.status === 'pending' || task.status === 'failed')),
    blocked: rows.filter((task) => task.blocked),
    notices,
    needs,
  }
}

function describeStatus(detail: WorkspaceDetail, paint: Paint, nowMs: number): string[] {
  const { open, blocked, suspended } = statusDocument(detail)
  const taskRows = (tasks: typeof open): string[] =>
    columns(
      tasks.map((task) => [
        `  ${task.id}`,
        `attempt ${task.attempts} of ${task.maxAttempts}`,
        `timeout ${duration(task.timeoutSeconds * 1000)} (${task.timeoutReason})`,
        task.lastResult ?? '',
      ]),
    )
  return [
    `${paint('strong', detail.name)}  ${detail.path}`,
    `Score ${scoreLine(detail.score, paint)}${detail.standingMessage === '' ? '' : `. ${detail.standingMessage}`}`,
    ...(suspended === null
      ? []
      : [
          paint('bad', `Suspended since ${clockTime(suspended.since, nowMs)}: ${suspended.reason}.`),
          'Look at `pulseward interventions`, then `pulseward resume`.',
        ]),
    `Next heartbeat ${detail.next.at === null ? 'none' : clockTime(detail.next.at, nowMs)}: ${suspended === null ? detail.next.reason : 'suspended.'}`,
    ...(detail.pace == null ? [] : [`Used: ${sayPace(detail.pace)}.`]),
    `Open: ${open.length}`,
    ...taskRows(open),
    ...(blocked.length === 0 ? [] : [paint('bad', `Blocked: ${blocked.length}`), ...taskRows(blocked)]),
    ...describeNeeds(detail.needs, paint),
  ]
}

/** What asks for the operator, as many as the app counts. */
function describeNeeds(needs: WorkspaceDetail['needs'], paint: Paint): string[] {
  if (needs.length === 0) return []
  return [
    paint('warning', `${needsInWords(needs.length)}:`),
    ...needs.map(({ action, reason }) => `  ${action}: ${reason}`),
  ]
}

/** Other workspaces, which nobody supervises now. */
export function describeUnopened(
  unopened: readonly { readonly name: string; readonly reason: string }[],
  paint: Paint,
): string[] {
  return unopened.map(({ name, reason }) => paint('bad', `${name} could not be opened: ${reason}`))
}

async function pause(context: CommandContext, options: { until?: string }): Promise<0> {
  const until = options.until === undefined ? null : new Date(options.until)
  if (until !== null && Number.isNaN(until.getTime())) {
    throw usageError(`--until is ${JSON.stringify(options.until)}; expected a time such as 2026-01-31T18:00.`)
  }
  const workspace = await context.withHost(async (client) =>
    client.heartbeat.pause({
      workspace: (await chooseWorkspace(context, client)).id,
      until: until?.toISOString() ?? null,
    }),
  )
  context.output.answer(workspace, () => [
    `${workspace.name} is paused${until === null ? '' : ` until ${clockTime(until.toISOString(), Date.now())}`}.`,
  ])
  return 0
}

async function resume(context: CommandContext, { reason }: { reason?: string }): Promise<0> {
  if (reason?.trim() === '') throw usageError('--reason is empty: say what you found, or leave it out.')
  const { workspace, lifted } = await context.withHost(async (client) => {
    const { id, paused, suspended } = await chooseWorkspace(context, client)
    if (suspended !== null) {
      await client.heartbeat.liftSuspension({
        workspace: id,
        reason: reason ?? 'Resumed from the command line',
      })
    }
    return {
      lifted: [...(suspended === null ? [] : ['suspension']), ...(paused === null ? [] : ['pause'])],
      workspace: await client.heartbeat.resume({ workspace: id }),
    }
  })
  context.output.answer({ ...workspace, lifted }, () => [
    lifted.length === 0
      ? `${workspace.name} was neither paused nor suspended. ${workspace.next.reason}`
      : `${workspace.name} goes on: lifted the ${lifted.join(' and the ')}. ${workspace.next.reason}`,
  ])
  return 0
}
