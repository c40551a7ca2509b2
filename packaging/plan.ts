import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is packaged, from which parts, and which time its files get. */
export interface Plan {
  readonly root: string
  /** The folder for all results. */
  readonly dist: string
  readonly version: string
  readonly arch: 'x64' | 'arm64'
  /** The modification time of every file and package, in seconds: `SOURCE_DATE_EPOCH`, otherwise the last commit's time. */
  readonly epoch: number
  /** The folder of the Electron runtime. */
  readonly electron: string
  readonly electronVersion: string
  /** The Node.js program that the package includes. */
  readonly node: string
}

const root = join(import.meta.dirname, '..')

/** Reads the plan of this machine and environment. Throws with the remedy if a part is missing. */
export function readPlan(environment: NodeJS.ProcessEnv): Plan {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const electron = environment.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist')
  const versionFile = join(electron, 'version')
  if (!existsSync(versionFile)) {
    throw new Error(
      `There is no Electron runtime in ${electron}. Get one with \`npx install-electron\`, or name its folder in ELECTRON_OVERRIDE_DIST_PATH.`,
    )
  }
  const node = environment.PULSEWARD_NODE ?? join(root, 'node_modules/node/bin', nodeName())
  if (!existsSync(node)) {
    throw new Error(`There is no Node.js at ${node}. Run \`npm ci\`, or name a program in PULSEWARD_NODE.`)
  }
  const arch = environment.PULSEWARD_ARCH ?? process.arch
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`PULSEWARD_ARCH is ${arch}; expected x64 or arm64.`)
  return {
    root,
    dist: join(root, 'dist'),
    version,
    arch,
    epoch: readEpoch(environment.SOURCE_DATE_EPOCH),
    electron,
    electronVersion: readFileSync(versionFile, 'utf8').trim().replace(/^v/, ''),
    node,
  }
}

/** Returns the Node.js program's name on this system. */
export function nodeName(): string {
  return process.platform === 'win32' ? 'node.exe' : 'node'
}

function readEpoch(given: string | undefined): number {
  const text = given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  const epoch = Number(text.trim())
  if (!Number.isSafeInteger(epoch) || epoch <= 0) {
    throw new Error(`SOURCE_DATE_EPOCH is ${JSON.stringify(text.trim())}; expected whole seconds since 1970.`)
  }
  return epoch
}
