import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** How to start a script of ours in a separate process. */
export interface OwnNode {
  readonly program: string
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>
}

/** Where the installed app has its bundled Node.js, in Electron's `resources`. */
const RUNTIME = process.platform === 'win32' ? 'runtime/node.exe' : 'runtime/node'

/**
 * Returns the Node.js for our own scripts: the one that runs us or, in the installed app, whose Electron refuses to run as
 * Node.js (a fuse), the bundled one. A checkout's Electron has no Node.js other than itself.
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
