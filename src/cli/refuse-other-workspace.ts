import { realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { Workspace } from '../core/read-model/workspace.ts'
import { usageError } from './cli-error.ts'
import type { CommandContext } from './context.ts'
import { findWorkspace } from './find-workspace.ts'

type Known = Pick<Workspace, 'id' | 'path'>
type Named = Pick<CommandContext, 'workspaceArgument' | 'currentDirectory' | 'dataDirectory' | 'machine'>

/**
 * Rejects with a usage error if `--workspace` and the argument name different folders, because one of the two would be ignored. `known`:
 * the host's workspaces; omitted if no host is asked.
 */
export async function refuseOtherWorkspace(
  context: Named,
  folder: string,
  known?: readonly Known[],
): Promise<void> {
  const { workspaceArgument, currentDirectory } = context
  if (workspaceArgument === undefined) return
  const workspaces = known ?? (await registered(context))
  const placeOf = (argument: string) => placeNamed(workspaces, argument, currentDirectory)
  if ((await placeOf(workspaceArgument)) === (await placeOf(folder))) return
  throw usageError(
    `The command names ${folder}, and --workspace names ${workspaceArgument}: name one of the two, and leave the other out.`,
  )
}

/** Does the same for a file, which may be anywhere within the workspace. */
export async function refuseOtherFile(context: Named, file: string | undefined): Promise<void> {
  const { workspaceArgument, currentDirectory } = context
  if (workspaceArgument === undefined || file === undefined) return
  const folder = await placeNamed(await registered(context), workspaceArgument, currentDirectory)
  const place = await realPlace(resolve(currentDirectory, file))
  if (place === folder || place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return
  throw usageError(
    `${file} does not lie in ${workspaceArgument}, which --workspace names: name one of the two, and leave the other out.`,
  )
}

/** Returns the folder of the workspace that the argument names by folder or id, else the folder at that path. */
async function placeNamed(
  workspaces: readonly Known[],
  argument: string,
  currentDirectory: string,
): Promise<string> {
  const found = await findWorkspace(workspaces, argument, currentDirectory)
  return found?.path ?? (await realPlace(resolve(currentDirectory, argument)))
}

/** Lists the registered workspaces without asking a host. Empty if the data folder can't be read: commands that need it report that. */
async function registered({ machine, dataDirectory }: Named): Promise<readonly Known[]> {
  const { inspectWorkspaces } = await machine.data()
  return inspectWorkspaces(dataDirectory).then(
    ({ workspaces }) => workspaces,
    () => [],
  )
}

/** Resolves links in a path as far as it exists. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null) return real
  const above = dirname(path)
  return above === path
    ? path
    : resolve(await realPlace(above), path.slice(above.length).replace(/^[/\\]+/, ''))
}
