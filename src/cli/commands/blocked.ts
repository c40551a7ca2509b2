import type { Command } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import { durationWords, secondsOf } from '../../core/pacing/duration-words.ts'
import { MAX_RETRY_ATTEMPTS, MAX_UNBLOCK_MULTIPLIER, MAX_UNBLOCK_SECONDS } from '../../core/pacing/unblock.ts'
import type { BlockedTask, UnblockedTask, UnblockReport } from '../../core/read-model/blocked-task.ts'
import { type ComplexityLevel, complexitySchema } from '../../core/vocabulary/complexity.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { toCliError, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { clockTime, columns, duration } from '../format.ts'
import { positiveNumber, wholeNumber } from '../number-option.ts'
import type { Paint } from '../output.ts'

interface UnblockFlags {
  readonly filter?: string
  readonly timeout?: string
  readonly timeoutMultiplier?: string
  readonly reason?: string
  readonly force?: boolean
}

/** Adds `blocked`, `unblock` and `retry-blocked`. */
export function addBlockedCommands(program: Command, run: RunCommand): void {
  program
    .command('blocked')
    .description('list the tasks that have no attempts left: why, and what was tried')
    .option('--suggest', 'verify them again without the agent, and say what to do about each')
    .action(run(blocked))
  program
    .command('unblock')
    .description('give a blocked task its attempts back')
    .argument('[TASK]', 'the id of the task')
    .option(
      '--filter <LEVEL>',
      `all blocked tasks of one kind of work: ${complexitySchema.options.join(', ')}`,
    )
    .option('--timeout <TIME>', 'timeout of the next attempt: seconds, or a duration such as 20m, 1h, 20m15s')
    .option('--timeout-multiplier <X>', 'multiply the planned timeout of the next attempt')
    .option('--reason <TEXT>', 'why: for the record, and for the agent')
    .option('--force', 'even if the timeout is longer than max_timeout')
    .action(run(unblock))
  program
    .command('retry-blocked')
    .description('give all blocked tasks their attempts back, but none more often than allowed')
    .option('--max-attempts <N>', 'attempts until a task is blocked again (default: those of the contract)')
    .action(run(retryBlocked))
}

async function blocked(context: CommandContext, { suggest }: { suggest?: boolean }): Promise<0> {
  const tasks = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    if (suggest === true) await sweep(context, client, workspace)
    return client.tasks.blocked({ workspace, suggest })
  })
  context.output.answer({ tasks }, (paint) =>
    tasks.length === 0
      ? ['No task is blocked.']
      : tasks.flatMap((task) => describeBlocked(task, paint, Date.now())),
  )
  return 0
}

/**
 * Measures again first, because a suggestion is only as good as the last measurement; if nothing can be measured now, the old values are
 * used.
 */
async function sweep({ output }: CommandContext, client: ApiClient, workspace: string): Promise<void> {
  try {
    await client.tasks.sweep({ workspace })
  } catch (error) {
    output.remark(`Not verified again: ${toCliError(error).message}`)
  }
}

function describeBlocked(task: BlockedTask, paint: Paint, nowMs: number): string[] {
  const { taskId, reason, suggestion, nextTimeoutSeconds, nextTimeoutReason, history } = task
  const suggested = suggestion?.kind === 'increase_timeout' ? suggestion.timeoutSeconds : null
  return [
    `${paint('bad', taskId)}  ${reason}`,
    ...columns(history.map((entry) => historyRow(entry, nowMs))),
    `  next timeout ${duration(nextTimeoutSeconds * 1000)} (${nextTimeoutReason})`,
    ...(suggestion === null ? [] : [`  ${paint('warning', suggestion.kind)}: ${suggestion.reason}`]),
    ...(suggested === null
      ? []
      : [
          `  pulseward unblock ${taskId} --timeout ${suggested}${suggested > task.maxTimeoutSeconds ? ' --force' : ''}`,
        ]),
  ]
}

function historyRow(entry: BlockedTask['history'][number], nowMs: number): string[] {
  const at = `  ${clockTime(entry.at, nowMs)}`
  if (entry.kind === 'unblock') {
    const timeout =
      entry.timeoutSeconds === null ? '' : ` with timeout ${duration(entry.timeoutSeconds * 1000)}`
    return [at, 'unblocked', '', `by ${entry.by}${timeout}: ${entry.reason}`]
  }
  const time = `${duration(entry.durationMs)} of ${duration(entry.timeoutSeconds * 1000)}`
  return [
    at,
    entry.outcome === 'completed' ? (entry.verdict ?? 'no verdict') : entry.outcome,
    time,
    entry.reason,
  ]
}

async function unblock(context: CommandContext, task: string | undefined, flags: UnblockFlags): Promise<0> {
  const how = unblockOptions(flags)
  const filter = parseLevel(flags.filter)
  if ((task === undefined) === (filter === undefined)) {
    throw usageError('Name the task to unblock, or the kind of work with --filter LEVEL; not both.')
  }
  const report = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    if (filter !== undefined) return client.tasks.unblockLevel({ workspace, filter, ...how })
    return unblockOne(client, workspace, task ?? '', how)
  })
  for (const { taskId, timeoutSeconds, maxTimeoutSeconds } of report.unblocked)
    if (timeoutSeconds > maxTimeoutSeconds)
      context.output.remark(
        `${taskId} may run for ${durationWords(timeoutSeconds * 1000)} at its next attempt, longer than max_timeout (${durationWords(maxTimeoutSeconds * 1000)}).`,
      )
  context.output.answer(report, () =>
    report.unblocked.length === 0
      ? [`No ${filter} task is blocked.`]
      : report.unblocked.map(describeUnblocked),
  )
  return 0
}

async function unblockOne(
  client: ApiClient,
  workspace: string,
  id: string,
  how: ReturnType<typeof unblockOptions>,
): Promise<UnblockReport> {
  return { unblocked: [await client.tasks.unblock({ workspace, id, ...how })], refused: [] }
}

function unblockOptions({ timeout, timeoutMultiplier, reason, force = false }: UnblockFlags) {
  if (timeout !== undefined && timeoutMultiplier !== undefined) {
    throw usageError('Give --timeout or --timeout-multiplier, not both.')
  }
  if (reason !== undefined && reason.trim() === '')
    throw usageError('--reason is empty: say why, or leave it out.')
  return {
    reason,
    force,
    timeoutSeconds: wholeNumber('--timeout', inSeconds(timeout), MAX_UNBLOCK_SECONDS),
    timeoutMultiplier: positiveNumber('--timeout-multiplier', timeoutMultiplier, MAX_UNBLOCK_MULTIPLIER),
  }
}

function parseLevel(text: string | undefined): ComplexityLevel | undefined {
  if (text === undefined) return undefined
  const level = complexitySchema.safeParse(text)
  if (level.success) return level.data
  throw usageError(`--filter is ${JSON.stringify(text)}; expected ${complexitySchema.options.join(', ')}.`)
}

function describeUnblocked({ taskId, maxAttempts, timeoutSeconds, timeoutReason }: UnblockedTask): string {
  const attempts = `${maxAttempts} ${maxAttempts === 1 ? 'attempt' : 'attempts'}`
  return `${taskId} is open again: ${attempts}, the next with timeout ${duration(timeoutSeconds * 1000)} (${timeoutReason}).`
}

/** Retries blocked tasks. Returns 1 if every retry was refused. */
async function retryBlocked(context: CommandContext, flags: { maxAttempts?: string }): Promise<0 | 1> {
  const maxAttempts = wholeNumber('--max-attempts', flags.maxAttempts, MAX_RETRY_ATTEMPTS)
  const report = await context.withHost(async (client) =>
    client.tasks.retryBlocked({ workspace: (await chooseWorkspace(context, client)).id, maxAttempts }),
  )
  const { unblocked, refused } = report
  context.output.answer(report, (paint) =>
    unblocked.length + refused.length === 0
      ? ['No task is blocked.']
      : [
          ...unblocked.map(describeUnblocked),
          ...refused.map(({ taskId, reason }) => `${paint('bad', taskId)} stays blocked. ${reason}`),
        ],
  )
  return unblocked.length === 0 && refused.length > 0 ? 1 : 0
}

/** Converts a duration to its seconds. Returns any other text unchanged, so that the code that parses the number rejects it. */
function inSeconds(text: string | undefined): string | undefined {
  const seconds = text === undefined ? null : secondsOf(text)
  return seconds === null ? text : String(seconds)
}
