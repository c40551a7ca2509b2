import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { searchPath } from '../agents/search-path.ts'
import { accessSync, constants } from '../files/names.ts'
import { ownNode } from '../process/own-node.ts'

const NAME = process.platform === 'win32' ? 'node.exe' : 'node'

/**
 * Lets agents and probes that are Node.js scripts (like the sample's) run on a machine without Node.js: if no `node` is found, adds the
 * folder of ours to the end of `PATH`. Changes `environment`, which is the process's own.
 */
export function offerOwnNode(
  environment: NodeJS.ProcessEnv,
  { program, env } = ownNode(),
  path = searchPath(homedir(), environment),
): void {
  // Electron in a checkout is not called `node`.
  if (Object.keys(env).length > 0) return
  const folders = path.split(delimiter)
  if (folders.some((folder) => isProgram(join(folder, NAME)))) return
  environment.PATH = [environment.PATH ?? '', dirname(program)].filter((part) => part !== '').join(delimiter)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
