import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Workspace } from '../core/read-model/workspace.ts'
import type { CommandContext } from './context.ts'

/** Returns the named workspace; if none is named, that of the current folder, else the only one. */
export async function pickWorkspace(
  workspaces: readonly Workspace[],
  { workspaceArgument, currentDirectory }: Pick<CommandContext, 'workspaceArgument' | 'currentDirectory'>,
): Promise<Workspace | undefined> {
  const found = await findWorkspace(workspaces, workspaceArgument ?? '.', currentDirectory)
  if (found !== undefined || workspaceArgument !== undefined) return found
  return workspaces.length === 1 ? workspaces[0] : undefined
}

/** Returns the workspace whose folder `argument` leads to (symbolic links followed), or that has this id. */
export async function findWorkspace<W extends Pick<Workspace, 'id' | 'path'>>(
  workspaces: readonly W[],
  argument: string,
  currentDirectory: string,
): Promise<W | undefined> {
  const path = resolve(currentDirectory, argument)
  const real = await realpath(path).catch(() => path)
  return (
    workspaces.find((workspace) => workspace.path === real || workspace.path === path) ??
    workspaces.find((workspace) => workspace.id === argument)
  )
}
