import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { shellCommand } from '../../core/text/command-words.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { CliError, type ExitCode, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { findWorkspace } from '../find-workspace.ts'
import { duration, scoreLine, signed, verdictGlyph } from '../format.ts'
import type { Paint } from '../output.ts'

interface RunOptions {
  readonly once?: boolean
  readonly trust?: boolean
}

export function addRunCommand(program: Command, run: RunCommand): void {
  program
    .command('run')
    .description('run one heartbeat now; a new folder is added first')
    .option('--once', 'run one heartbeat, then exit (`serve` keeps running)')
    .option('--trust', 'approve the pulseward.toml as it is now')
    .action(
      run(async (context, options: RunOptions) => {
        if (options.once !== true) {
          throw usageError('Say `pulseward run --once`; to keep running heartbeats, use `pulseward serve`.')
        }
        const report = await context.withHost(async (client) => {
          const workspace = await prepareWorkspace(context, client, options.trust === true)
          context.output.remark(`Running one heartbeat of ${workspace.path} …`)
          // The host may have started one by itself, for example right after an approval.
          return client.heartbeat.run({ workspace: workspace.id, wait: true, join: true })
        })
        if (report === null) throw new CliError(3, 'UNAVAILABLE', 'The host did not report on the heartbeat.')
        context.output.answer(report, (paint) => describeReport(report, paint))
        return exitCodeOf(report)
      }),
    )
}

/** Returns the workspace to run, after adding and approving it if that was asked for; rejects one that may not run. */
async function prepareWorkspace(
  context: CommandContext,
  client: ApiClient,
  isTrusted: boolean,
): Promise<Workspace> {
  const path = await newFolder(context, client)
  const chosen = path === null ? await chooseWorkspace(context, client) : null
  const workspace =
    chosen !== null && !isTrusted
      ? chosen
      : await client.workspaces.add({ path: chosen?.path ?? path ?? '', trust: isTrusted })
  if (workspace.trust === 'changed') {
    context.output.remark('pulseward.toml has changed since it was approved: the approved copy is used.')
  }
  if (workspace.trust === 'unapproved' || workspace.trust === 'missing') await refuse(client, workspace)
  return workspace
}

/** Returns the folder to add first; null if the workspace is already known or no folder was meant. */
async function newFolder(context: CommandContext, client: ApiClient): Promise<string | null> {
  const { workspaceArgument, currentDirectory } = context
  const argument = workspaceArgument ?? '.'
  if (
    (await findWorkspace(await client.workspaces.list({ all: true }), argument, currentDirectory)) !==
    undefined
  )
    return null
  const path = resolve(currentDirectory, argument)
  const holdsContract = await stat(join(path, 'HEARTBEAT.md')).then(
    () => true,
    () => false,
  )
  // An explicitly named folder is added anyway: the host's answer says what is missing.
  return holdsContract || workspaceArgument !== undefined ? path : null
}

async function refuse(client: ApiClient, { id, path }: Workspace): Promise<never> {
  const { state, reason, problems } = await client.workspaces.trust({ id })
  const [problem] = problems
  if (problem !== undefined) {
    throw new CliError(
      2,
      'UNPROCESSABLE_CONTENT',
      `${path}/pulseward.toml:${problem.line}:${problem.column}: ${problem.message}`,
    )
  }
  if (state === 'missing') throw usageError(reason ?? `There is no ${path}/pulseward.toml.`)
  throw new CliError(
    2,
    'CONFLICT',
    `${path}/pulseward.toml is not approved, so nothing was run. See and approve what it runs with \`${shellCommand(['pulseward', 'trust', path])}\`, or run with --trust.`,
  )
}

/** Returns 0 if something was verified or there was nothing to judge, 1 if nothing was verified, 3 if the agent could not run. */
export function exitCodeOf({ attempts }: RunReport): ExitCode {
  if (attempts.some(({ verdict }) => verdict === 'verified')) return 0
  if (attempts.some(({ verdict }) => verdict !== null)) return 1
  return attempts.some(({ fault }) => fault === 'environment') ? 3 : 0
}

export function describeReport({ attempts, cycle, score }: RunReport, paint: Paint): string[] {
  const width = Math.max(0, ...attempts.map(({ taskId }) => taskId.length))
  const lines = attempts.flatMap((attempt) => {
    const { glyph, style } = verdictGlyph(attempt)
    const [reason = '', ...others] = attempt.reasons
    const points = attempt.verdict === null ? '' : signed(attempt.points)
    const time = duration(attempt.durationMs)
    return [
      `${paint(style, glyph)} ${attempt.taskId.padEnd(width)}  ${paint(style, points.padStart(4))}  ${paint('quiet', time)}  ${reason}`,
      ...others.map((other) => `${' '.repeat(width + 4 + 4 + 2 + time.length + 2)}${other}`),
    ]
  })
  return [
    `Heartbeat ${cycle}: ${attempts.length === 0 ? 'no task is open' : `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`}`,
    ...lines,
    `Score ${scoreLine(score, paint)}`,
  ]
}
