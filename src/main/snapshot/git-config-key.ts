import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { realpathSync } from '../files/names.ts'
import { findTop } from './git-command.ts'
import { commonDirectory, readRegular, realGitDirectory } from './git-folder.ts'

/*
 * Asking git for its configuration takes as long as a third of a `git status`, and it rarely changes between snapshots. The
 * answer is cached by the bytes of all files that git reads for it, which no program can change unnoticed; file times are not
 * trusted here.
 */

/** If a file is longer, git is asked every time. */
const MAX_BYTES = 1024 * 1024
/** Where distributions put git's system-wide configuration. */
const OF_THE_SYSTEM = ['/etc/gitconfig', '/usr/etc/gitconfig', '/usr/local/etc/gitconfig']
/** A file that includes others is incomplete. */
const INCLUDES = /include/i

/** Returns a key for everything that git's configuration of a folder depends on; `null` if unknown, or git is built differently. */
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

/** Caches answers under a key for everything they depend on; drops the oldest first. */
export class KeptAnswers<Answer> {
  readonly #answers = new Map<string, Answer>()

  /** Returns the answer cached under `key`, or asks and caches the answer if `isLasting` is true. Without a key it asks every time. */
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
