import { resolve } from 'node:path'
import type { CommandContext } from '../context.ts'

export interface HubOptions {
  readonly dir?: string
}

/** Returns the folder of the hub that the command is about. */
export function hubDirectory(
  { currentDirectory, dataDirectory }: CommandContext,
  { dir }: HubOptions,
): string {
  return dir === undefined ? resolve(dataDirectory, 'hub') : resolve(currentDirectory, dir)
}
