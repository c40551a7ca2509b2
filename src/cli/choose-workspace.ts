import type { ApiClient } from '../api/client.ts'
import type { Workspace } from '../core/read-model/workspace.ts'
import { usageError } from './cli-error.ts'
import type { CommandContext } from './context.ts'
import { pickWorkspace } from './find-workspace.ts'

/**
 * Returns the workspace that a command is about: the one that `--workspace` names by folder or id, else that of the current folder, else
 * the only one. Rejects with a usage error that lists the workspaces.
 */
export async function chooseWorkspace(context: CommandContext, client: ApiClient): Promise<Workspace> {
  const workspaces = await client.workspaces.list({ all: true })
  const chosen = await pickWorkspace(workspaces, context)
  if (chosen !== undefined) return chosen
  if (context.workspaceArgument !== undefined)
    throw usageError(
      `${context.workspaceArgument} is no workspace. ${knownOnes(pathsOf(workspaces))}${await unopenedOnes(client)}`,
    )
  if (workspaces.length === 0)
    throw usageError(
      `There is no workspace yet. Add a folder with \`pulseward add DIR\`.${await unopenedOnes(client)}`,
    )
  throw usageError(
    `There are several workspaces: name one with --workspace DIR. ${knownOnes(pathsOf(workspaces))}`,
  )
}

/** Lists the names that would be valid, or says what to do first if there are none. */
export function knownOnes(names: readonly string[]): string {
  if (names.length === 0) return 'None is known yet: add a folder with `pulseward add DIR`.'
  return `Known: ${names.join(', ')}.`
}

export function pathsOf(workspaces: readonly Workspace[]): string[] {
  return workspaces.map(({ path }) => path)
}

/** Describes the workspaces that the host knows but could not open, as further sentences. */
async function unopenedOnes(client: ApiClient): Promise<string> {
  const { unopened } = await client.status()
  return unopened.map(({ name, reason }) => ` ${name} could not be opened: ${reason}`).join('')
}
