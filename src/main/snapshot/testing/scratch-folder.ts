import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileDifference } from '../../../core/verification/types.ts'
import type { Log } from '../../ports/log.ts'
import { createSnapshotter } from '../snapshotter.ts'

/** A temporary folder to work in like an agent. */
export interface ScratchFolder {
  readonly path: string
  /** Writes a file, creating its folders. */
  write(name: string | Buffer, content: string | Buffer): void
  link(name: string, target: string): void
  remove(name: string): void
  /** Runs git in the folder, without the user's own configuration. */
  git(...args: readonly string[]): string
  /** Creates a repository with an identity; commits `files`. */
  makeRepository(files?: Readonly<Record<string, string>>): void
  commitAll(): void
  sh(script: string): void
  dispose(): void
}

const GIT_ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'file',
}

export function createScratchFolder(): ScratchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-snapshot-')))
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: path,
      env: GIT_ENVIRONMENT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const folder: ScratchFolder = {
    path,
    write: (name, content) => {
      if (typeof name === 'string') mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from(name)]), content)
    },
    link: (name, target) => symlinkSync(target, join(path, name)),
    remove: (name) => rmSync(join(path, name), { recursive: true }),
    git,
    makeRepository: (files = {}) => {
      git('init', '--quiet', '--initial-branch=main')
      git('config', 'user.name', 'Test')
      git('config', 'user.email', 'test@example.org')
      for (const [name, content] of Object.entries(files)) folder.write(name, content)
      if (Object.keys(files).length > 0) folder.commitAll()
    },
    commitAll: () => {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', 'work')
    },
    sh: (script) => {
      execFileSync('sh', ['-ec', script], { cwd: path, env: GIT_ENVIRONMENT, stdio: 'pipe' })
    },
    dispose: () => rmSync(path, { recursive: true, force: true }),
  }
  return folder
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Returns what a snapshotter says `act` changed in `directory`. */
export async function differenceMadeBy(
  act: () => void,
  directory: string,
  exclude: readonly string[] = [],
): Promise<FileDifference> {
  const snapshotter = createSnapshotter({ log: silentLog, exclude })
  const before = await snapshotter.take(directory)
  act()
  return snapshotter.difference(before, await snapshotter.take(directory))
}
