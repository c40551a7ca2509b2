import { lstatSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findTop, type GitOutput, runGit } from '../snapshot/git-command.ts'
import { commonDirectory, realGitDirectory } from '../snapshot/git-folder.ts'

/** The repository that a change is read from, with a work tree or bare. */
export interface Repository {
  /** The git directory of this work tree, and the one that all work trees share. */
  readonly gitDirectory: string
  readonly common: string
  /** `null`: the repository is bare. */
  readonly top: string | null
  readonly algorithm: 'sha1' | 'sha256'
  readonly isShallow: boolean
  readonly run: (args: readonly string[], input?: Buffer) => Promise<GitOutput>
}

/** A problem that the caller has to fix by changing the request; the message says how. */
export class ChangeProblem extends Error {
  override readonly name = 'ChangeProblem'
  /** 2: usage, policy or consent; 3: the request is not possible here. */
  readonly exitCode: 2 | 3
  constructor(exitCode: 2 | 3, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * Returns the repository that a folder is in, or that it is. Rejects with a `ChangeProblem` if there is none. If it is still
 * the `known` one, does not ask git for its format again.
 */
export async function openRepository(directory: string, known?: Repository): Promise<Repository> {
  const folder = await realpath(directory).catch(() => directory)
  const top = findTop(folder)
  const gitDirectory = top === null ? findBare(folder) : realGitDirectory(join(top, '.git'))
  if (gitDirectory === null)
    throw new ChangeProblem(
      2,
      `${directory} is in no git repository. Run this in one, or name it with --workspace.`,
    )
  if (known?.gitDirectory === gitDirectory && known.top === top) return known
  const place = { gitDirectory, top: top ?? gitDirectory }
  const run: Repository['run'] = (args, input) =>
    runGit(place.top, args, { repository: place, ...(input !== undefined && { input }) })
  const asked = await run(['rev-parse', '--show-object-format', '--is-shallow-repository'])
  const [algorithm = '', isShallow = ''] = asked.stdout.toString('utf8').split('\n')
  if (!asked.ok || (algorithm !== 'sha1' && algorithm !== 'sha256'))
    throw new ChangeProblem(
      3,
      `Git cannot read the repository at ${directory}: ${asked.error || 'unknown format'}`,
    )
  return {
    gitDirectory,
    common: commonDirectory(gitDirectory),
    top,
    algorithm,
    isShallow: isShallow === 'true',
    run,
  }
}

function findBare(directory: string): string | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    const isThere = ['HEAD', 'objects', 'refs'].every(
      (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
    )
    if (isThere) return folder
    if (folder === dirname(folder)) return null
  }
}
