import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import { parseContract } from '../../core/contract/parse.ts'
import { isFolderMissing } from '../../core/read-model/notice.ts'
import type { Trust } from '../../core/read-model/trust.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { shellCommand } from '../../core/text/command-words.ts'
import { visibleText } from '../../core/text/visible-text.ts'
import { chooseWorkspace, knownOnes, pathsOf } from '../choose-workspace.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { describeUnopened } from '../describe-status.ts'
import { findWorkspace } from '../find-workspace.ts'
import { columns, scoreLine } from '../format.ts'
import { refuseOtherWorkspace } from '../refuse-other-workspace.ts'

/** Adds `add`, `trust`, `list`, `locate` and `remove`. */
export function addWorkspaceCommands(program: Command, run: RunCommand): void {
  program
    .command('add')
    .description('supervise a folder with a HEARTBEAT.md')
    .argument('<DIR>', 'the folder')
    .option('--trust', 'approve its pulseward.toml as it is now')
    .action(run(add))
  program
    .command('trust')
    .description("approve a folder's pulseward.toml as it is now, and show what it runs")
    .argument('<DIR>', 'the folder')
    .action(run(trust))
  program.command('list').description('list the workspaces').action(run(list))
  program
    .command('locate')
    .description('say where a workspace’s folder was moved or renamed to; its record continues')
    .argument('<DIR>', 'the folder, where it is now')
    .action(run(locate))
  program
    .command('remove')
    .description('stop supervising a folder; the folder itself is not changed')
    .argument('<DIR>', 'the folder, or the id of the workspace')
    .action(run(remove))
}

async function add(context: CommandContext, folder: string, options: { trust?: boolean }): Promise<0> {
  const path = resolve(context.currentDirectory, folder)
  const { workspace, details, warning } = await context.withHost(async (client) => {
    await refuseOtherWorkspace(context, folder, await client.workspaces.list({ all: true }))
    const added = await client.workspaces.add({ path, trust: options.trust === true })
    const shown = await client.workspaces.trust({ id: added.id })
    const found = await client.setup.inspect({ path: added.path })
    return { workspace: added, details: shown, warning: found.warning }
  })
  if (warning !== null) context.output.remark(warning)
  await remarkHollow(context, workspace.path)
  context.output.answer(workspace, () => [
    `Added ${workspace.path} as ${workspace.id}.`,
    ...(workspace.trust === 'approved' ? [] : trustAdvice(workspace, details)),
  ])
  return 0
}

async function remarkHollow({ machine, output }: CommandContext, directory: string): Promise<void> {
  const file = await machine.readContract(join(directory, 'HEARTBEAT.md'))
  if (!file.ok) return
  const { names } = await machine.readProbeNames(directory)
  const contract = parseContract(file.text, { probeNames: names })
  for (const { message } of await machine.hollowHints(contract, directory, names)) output.remark(message)
}

async function trust(context: CommandContext, folder: string): Promise<0> {
  const { workspace, details } = await context.withHost(async (client) => {
    const found = await workspaceAt(context, client, folder)
    const shown = await client.workspaces.trust({ id: found.id })
    // Only if it isn't approved yet: an approved one may be shown again, even if its check files were edited since or a saved copy was
    // lost.
    if (shown.state !== 'approved') refuseIfUnusable(found, shown)
    const approved = await client.workspaces.approve({ id: found.id, hash: shown.hash ?? '' })
    return { workspace: found, details: approved }
  })
  context.output.answer(details, () => [
    `Approved ${workspace.path}/pulseward.toml.`,
    ...commandLines(details),
    ...checkLines(details),
  ])
  return 0
}

/** Returns the workspace of a folder. Approving an unknown folder adds it too. */
async function workspaceAt(context: CommandContext, client: ApiClient, folder: string): Promise<Workspace> {
  const workspaces = await client.workspaces.list({ all: true })
  await refuseOtherWorkspace(context, folder, workspaces)
  const known = await findWorkspace(workspaces, folder, context.currentDirectory)
  if (known !== undefined) return known
  const path = resolve(context.currentDirectory, folder)
  return client.workspaces.add({ path, trust: false })
}

function refuseIfUnusable(workspace: Workspace, { state, reason, problems }: Trust): void {
  if (state === 'missing') throw usageError(reason ?? `There is no ${workspace.path}/pulseward.toml.`)
  const [problem] = problems
  if (problem === undefined) return
  const more = problems.length === 1 ? '' : ` And ${problems.length - 1} more.`
  throw new CliError(
    2,
    'UNPROCESSABLE_CONTENT',
    `${workspace.path}/pulseward.toml:${problem.line}:${problem.column}: ${problem.message}${more}`,
  )
}

function trustAdvice(workspace: Workspace, details: Trust): string[] {
  if (details.state === 'missing') return [details.reason ?? 'It has no pulseward.toml yet.']
  const problems = details.problems.map(
    ({ line, column, message }) => `${workspace.path}/pulseward.toml:${line}:${column}: ${message}`,
  )
  if (problems.length > 0) return problems
  return [
    'Nothing runs until you approve its pulseward.toml:',
    ...commandLines(details),
    ...checkLines(details),
    `Approve it with: ${shellCommand(['pulseward', 'trust', workspace.path])}`,
  ]
}

function commandLines({ commands }: Trust): string[] {
  return columns(
    commands.map(({ purpose, command }) => [visibleText(`  ${purpose}:`), command.map(quoted).join(' ')]),
  )
}

/** Lists the check files. What the checks execute is pinned with the approval; what they only read is not. */
function checkLines({ checks }: Trust): string[] {
  return checks
    .flatMap(({ check, executes, reads, unresolved }) => [
      ...(executes.length === 0 ? [] : [`  ${check} executes ${executes.join(', ')}`]),
      ...(reads.length === 0
        ? []
        : [
            `${executes.length === 0 ? `  ${check}` : '    and'} only reads ${reads.join(', ')}: put it under \`protected\` if an agent must not change it`,
          ]),
      ...unresolved.map((what) => `    not followed: ${what}`),
    ])
    .map(visibleText)
}

/**
 * Returns the word as one would type it: with quotes if it has spaces or special characters. Invisible and direction-changing characters
 * are escaped.
 */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : visibleText(JSON.stringify(word))
}

async function list(context: CommandContext): Promise<0> {
  const { workspaces, unopened } = await context.withHost(async (client) => ({
    workspaces: await client.workspaces.list({ all: true }),
    unopened: (await client.status()).unopened,
  }))
  context.output.answer({ workspaces, unopened }, (paint) => [
    ...(workspaces.length === 0
      ? ['No workspace yet. Add a folder with `pulseward add DIR`.']
      : columns(
          workspaces.map((workspace) => [
            workspace.id,
            workspace.path,
            workspace.trust === 'approved' ? '' : workspace.trust,
            scoreLine(workspace.score, paint),
          ]),
        )),
    ...describeUnopened(unopened, paint),
  ])
  return 0
}

async function locate(context: CommandContext, folder: string): Promise<0> {
  const path = resolve(context.currentDirectory, folder)
  const moved = await context.withHost(async (client) => {
    const { id, path: before } = await movedWorkspace(context, client)
    return { before, workspace: await client.workspaces.move({ id, path }) }
  })
  const { before, workspace } = moved
  context.output.answer(workspace, () => [`${workspace.id} was ${before}, and is ${workspace.path} now.`])
  return 0
}

/** Returns the workspace that `--workspace` names, else the only one with a missing folder. */
async function movedWorkspace(context: CommandContext, client: ApiClient): Promise<Workspace> {
  if (context.workspaceArgument !== undefined) return chooseWorkspace(context, client)
  const workspaces = await client.workspaces.list({ all: true })
  const missing = workspaces.filter(({ notices }) => isFolderMissing(notices))
  const [only, ...others] = missing
  if (only === undefined) throw usageError('The folders of all workspaces are where they were.')
  if (others.length === 0) return only
  throw usageError(
    `Several folders are missing: name the workspace with --workspace. ${knownOnes(missing.map(({ id }) => id))}`,
  )
}

async function remove(context: CommandContext, folder: string): Promise<0> {
  const removed = await context.withHost(async (client) => {
    const workspaces = await client.workspaces.list({ all: true })
    await refuseOtherWorkspace(context, folder, workspaces)
    const { unopened } = await client.status()
    const path = resolve(context.currentDirectory, folder)
    const workspace =
      (await findWorkspace(workspaces, folder, context.currentDirectory)) ??
      unopened.find((each) => each.id === folder || each.path === path)
    if (workspace === undefined) {
      const known = knownOnes([...pathsOf(workspaces), ...unopened.map(({ id }) => id)])
      throw usageError(`${folder} is no workspace. ${known}`)
    }
    await client.workspaces.remove({ id: workspace.id })
    return workspace
  })
  context.output.answer({ removed: removed.id }, () => [
    `${removed.path || removed.name} is no longer supervised. The folder is unchanged.`,
  ])
  return 0
}
