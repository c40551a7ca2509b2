import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitOptions, type GitOutput, runGit } from './git-command.ts'
import { gitRoom } from './git-room.ts'

/** Git with an empty repository of ours, to interpret `.gitignore` without using the folder's own repository. */
export interface ScratchRepository {
  /** The file with the rules that apply besides those of the work tree. */
  readonly excludeFile: string
  run(directory: string, args: readonly string[], options?: Pick<GitOptions, 'input'>): Promise<GitOutput>
}

/** Does `work` with a new empty repository over the work tree at `top`, and removes it. `excludes`: one character per byte. */
export async function withScratchRepository<T>(
  top: string,
  excludes: string,
  work: (repository: ScratchRepository) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join((await gitRoom()?.folder()) ?? tmpdir(), 'pulseward-git-'))
  try {
    const gitDirectory = join(folder, 'git')
    const excludeFile = join(folder, 'exclude')
    await writeFile(excludeFile, excludes, 'latin1')
    const repository = { gitDirectory, top }
    const settings = [['core.excludesFile', excludeFile]] as const
    const run: ScratchRepository['run'] = (directory, args, options = {}) =>
      runGit(directory, args, { ...options, settings, repository })
    await run(folder, ['init', '--quiet', '--template='])
    return await work({ excludeFile, run })
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
