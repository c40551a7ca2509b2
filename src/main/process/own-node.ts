import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** How a script of ours is started beside us. */
export interface OwnNode {
  readonly program: string
  /** What its environment needs besides. */
  readonly env: Readonly<Record<string, string>>
}

/** Where the installed app keeps the Node.js that it brings along, below Electron's `resources`. */
const RUNTIME = process.platform === 'win32' ? 'runtime/node.exe' : 'runtime/node'

/**
 * The Node.js for our own scripts: the one that runs us; within the installed app, whose Electron refuses to run as Node.js (a fuse),
 * the one that it brings along. Within a checkout's Electron there is none besides Electron's own.
 */
export function ownNode(): OwnNode {
  if (process.versions.electron === undefined) return { program: process.execPath, env: {} }
  const installed = installedNode()
  return installed === null
    ? { program: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } }
    : { program: installed, env: {} }
}

function installedNode(): string | null {
  const { resourcesPath } = process as { resourcesPath?: string }
  if (resourcesPath === undefined) return null
  const path = join(resourcesPath, RUNTIME)
  return existsSync(path) ? path : null
}
