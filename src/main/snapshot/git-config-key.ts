import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { realpathSync } from '../files/names.ts'
import { findTop } from './git-command.ts'
import { commonDirectory, readRegular, realGitDirectory } from './git-folder.ts'

/*
 * To ask git what is configured takes as long as a third of a `git status`, and nobody changes it between most looks. What git said is kept
 * by the bytes of all files that it reads for it, which no program can change without their being others: no time of a file is
 * believed here.
 */

/** A longer one is asked about every time. */
const MAX_BYTES = 1024 * 1024
/** Where distributions have git look for what holds for the whole machine. */
const OF_THE_SYSTEM = ['/etc/gitconfig', '/usr/etc/gitconfig', '/usr/local/etc/gitconfig']
/** A file that names others is not all there is. */
const INCLUDES = /include/i

/** What everything depends on that git's configuration says of a folder; `null` where that cannot be known, or git is built otherwise. */
export function configKey(directory: string): string | null {
  const top = findTop(directory)
  if (top === null || process.platform !== 'linux') return null
  const gitDirectory = realGitDirectory(join(top, '.git'))
  const common = commonDirectory(gitDirectory)
  const ofTheUser = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  const files = [
    join(common, 'config'),
    join(common, 'config.worktree'),
    join(gitDirectory, 'config.worktree'),
    join(homedir(), '.gitconfig'),
    join(ofTheUser, 'git', 'config'),
    ...OF_THE_SYSTEM,
  ].map((path) => readRegular(path, MAX_BYTES))
  const folder = realPathOf(directory)
  if (folder === null) return null
  const hash = createHash('sha256').update(`${folder}\0${top}\0${gitDirectory}\0${common}`)
  for (const bytes of files) {
    if (bytes !== null && (bytes.length >= MAX_BYTES || INCLUDES.test(bytes.toString('latin1')))) return null
    hash.update(`\0${bytes?.length ?? 'none'}\0`).update(bytes ?? '')
  }
  return hash.digest('hex')
}

function realPathOf(directory: string): string | null {
  try {
    return realpathSync.native(directory)
  } catch {
    return null
  }
}

/** More than there are workspaces. */
const MAX_KEPT = 2000

/** Keeps answers by what they depend on; the oldest go first. */
export class KeptAnswers<Answer> {
  readonly #answers = new Map<string, Answer>()

  /** What is known under `key`, or what `ask` answers; kept where `isLasting` says so. With no key it is asked every time. */
  async get(
    key: string | null,
    ask: () => Promise<Answer>,
    isLasting: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const known = key === null ? undefined : this.#answers.get(key)
    if (known !== undefined) return known
    const answer = await ask()
    if (key === null || !isLasting(answer)) return answer
    this.#answers.set(key, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_KEPT) break
      this.#answers.delete(oldest)
    }
    return answer
  }
}
