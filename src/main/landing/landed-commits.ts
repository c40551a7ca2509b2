import type { LandingRecord } from '../../core/record/landing-record.ts'
import { branchAt } from './branches.ts'
import { SHARED_TRAILER } from './commit.ts'
import { ask, tryAsk } from './git.ts'
import { type Repository, type Target, tipOf } from './repository.ts'

/** Returns whether the target now has the commit, or `null` if it cannot be read. */
export async function isOnTarget(
  repository: Repository,
  target: Target,
  commit: string,
): Promise<boolean | null> {
  const stands = await branchAt(repository, target.remote, target.branch)
  if (stands === undefined) return null
  if (stands === null) return false
  // Fetch it, so that its history is known here.
  if (target.remote !== null) await tipOf(repository, target)
  if (stands === commit) return true
  const { exitCode } = await repository.git(['merge-base', '--is-ancestor', commit, stands])
  return exitCode === 0 ? true : exitCode === 1 ? false : null
}

/** How many commits are searched for a squash or rebase of the work. */
const MAX_COMMITS = '500'

/** Returns the target's commit that brought the work, or `null`. */
export async function findOn(
  { git }: Repository,
  { attemptId, base }: LandingRecord,
  { offered, tip }: { readonly offered: string | null; readonly tip: string },
): Promise<string | null> {
  if (offered !== null && (await git(['merge-base', '--is-ancestor', offered, tip])).ok) {
    if (offered === tip) return tip
    const onLine = await tryAsk(git, 'rev-list', '--first-parent', '-n', MAX_COMMITS, tip)
    if (onLine?.split('\n').includes(offered) === true) return offered
    return mergeOf(git, offered, tip)
  }
  const found = await tryAsk(
    git,
    'log',
    '-n',
    MAX_COMMITS,
    '--first-parent',
    '--format=%H',
    '--fixed-strings',
    `--grep=Pulseward-Attempt: ${attemptId}`,
    `${base}..${tip}`,
  )
  return found?.split('\n').find((line) => line !== '') ?? null
}

/** Returns the commits by which shared work landed, newest first. */
export async function landingsOf(
  { git }: Repository,
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly { readonly commit: string; readonly attempt: string; readonly task: string }[]> {
  const trailer = (key: string) => `%(trailers:key=${key},valueonly,separator=%x20)`
  const format = `${['Pulseward-Attempt', SHARED_TRAILER, 'Pulseward-Task'].map(trailer).join('%x00')}%x00%H`
  const listed = await tryAsk(
    git,
    ...['log', '-n', MAX_COMMITS, '--fixed-strings', `--grep=${SHARED_TRAILER}: ${name}`],
    ...[`--format=${format}`, `${from}..${to}`],
  )
  return (listed ?? '').split('\n').flatMap((line) => {
    const [attempt = '', shared = '', task = '', commit = ''] = line.split('\0')
    return shared === name ? [{ commit, attempt, task }] : []
  })
}

/** Returns the oldest commit on the target's line that contains `offered`: the commit that merged it. */
async function mergeOf(git: Repository['git'], offered: string, tip: string): Promise<string> {
  const line = (await ask(git, 'rev-list', '--first-parent', '--reverse', `${offered}..${tip}`)).split('\n')
  // Once a commit contains it, all later ones do.
  let [first, last] = [0, line.length - 1]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    const isIn = (await git(['merge-base', '--is-ancestor', offered, line[middle] ?? tip])).ok
    if (isIn) last = middle
    else first = middle + 1
  }
  return line[first] || tip
}
