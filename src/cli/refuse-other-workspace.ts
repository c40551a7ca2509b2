import { realpath } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { Workspace } from '../core/read-model/workspace.ts'
import { usageError } from './cli-error.ts'
import type { CommandContext } from './context.ts'
import { findWorkspace } from './find-workspace.ts'

type Named = Pick<CommandContext, 'workspaceArgument' | 'currentDirectory'>

/** Rejects with a usage error where `--workspace` names another folder than the argument does: one of the two would be ignored. */
export async function refuseOtherWorkspace(
  { workspaceArgument, currentDirectory }: Named,
  folder: string,
  known: readonly Workspace[] = [],
): Promise<void> {
  if (workspaceArgument === undefined) return
  const placeOf = async (argument: string) =>
    (await findWorkspace(known, argument, currentDirectory))?.path ??
    (await realPlace(resolve(currentDirectory, argument)))
  if ((await placeOf(workspaceArgument)) === (await placeOf(folder))) return
  throw usageError(
    `The command names ${folder}, and --workspace names ${workspaceArgument}: name one of the two, and leave the other out.`,
  )
}

/** The same for a file, which may lie anywhere within the workspace. */
export async function refuseOtherFile(
  { workspaceArgument, currentDirectory }: Named,
  file: string | undefined,
): Promise<void> {
  if (workspaceArgument === undefined || file === undefined) return
  const folder = await realPlace(resolve(currentDirectory, workspaceArgument))
  const place = await realPlace(resolve(currentDirectory, file))
  if (place === folder || place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return
  throw usageError(
    `${file} does not lie in ${workspaceArgument}, which --workspace names: name one of the two, and leave the other out.`,
  )
}

/** With links followed, as far as it is there. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null) return real
  const above = dirname(path)
  return above === path
    ? path
    : resolve(await realPlace(above), path.slice(above.length).replace(/^[/\\]+/, ''))
}
