import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ApiClient } from '../api/client.ts'
import type { Workspace } from '../core/read-model/workspace.ts'
import { usageError } from './cli-error.ts'
import type { CommandContext } from './context.ts'

/**
 * The workspace a command is about: the one that `--workspace` names by folder or id, else that of the current folder, else
 * the only one. Rejects with a usage error that lists the workspaces.
 */
export async function chooseWorkspace(context: CommandContext, client: ApiClient): Promise<Workspace> {
  const workspaces = await client.workspaces.list({ all: true })
  const { workspaceArgument, currentDirectory } = context
  if (workspaceArgument !== undefined) {
    const named = await findWorkspace(workspaces, workspaceArgument, currentDirectory)
    if (named !== undefined) return named
    throw usageError(
      `${workspaceArgument} is no workspace. ${knownOnes(workspaces)}${await unopenedOnes(client)}`,
    )
  }
  const here = await findWorkspace(workspaces, '.', currentDirectory)
  if (here !== undefined) return here
  const [only, ...others] = workspaces
  if (only === undefined)
    throw usageError(
      `There is no workspace yet. Add a folder with \`pulseward add DIR\`.${await unopenedOnes(client)}`,
    )
  if (others.length > 0) {
    throw usageError(`There are several workspaces: name one with --workspace DIR. ${knownOnes(workspaces)}`)
  }
  return only
}

/** The workspace whose folder `argument` leads to (symbolic links followed), or whose id it is. */
export async function findWorkspace(
  workspaces: readonly Workspace[],
  argument: string,
  currentDirectory: string,
): Promise<Workspace | undefined> {
  const path = resolve(currentDirectory, argument)
  const real = await realpath(path).catch(() => path)
  return (
    workspaces.find((workspace) => workspace.path === real || workspace.path === path) ??
    workspaces.find((workspace) => workspace.id === argument)
  )
}

function knownOnes(workspaces: readonly Workspace[]): string {
  if (workspaces.length === 0) return 'None is known yet: add a folder with `pulseward add DIR`.'
  return `Known: ${workspaces.map(({ path }) => path).join(', ')}.`
}

/** What the host knows of and could not open, as further sentences. */
async function unopenedOnes(client: ApiClient): Promise<string> {
  const { unopened } = await client.status()
  return unopened.map(({ name, reason }) => ` ${name} could not be opened: ${reason}`).join('')
}
