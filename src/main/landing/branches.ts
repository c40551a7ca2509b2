import { sha256 } from '../files/sha256.ts'
import { tryAsk } from './git.ts'
import { causeIn, type Repository } from './repository.ts'

/** Returns the branch's commit, `null` if there is no such branch, or `undefined` if the remote cannot be read. */
export async function branchAt(
  { git }: Repository,
  remote: string | null,
  branch: string,
): Promise<string | null | undefined> {
  const ref = `refs/heads/${branch}`
  if (remote === null) return tryAsk(git, 'rev-parse', '--verify', '--quiet', ref)
  const listed = await tryAsk(git, 'ls-remote', '--refs', remote, ref)
  if (listed === null) return undefined
  return listed.split('\t')[0] || null
}

/** Creates, moves or deletes a branch if it still is at `from`. Returns why it failed, or `null`. */
export async function setBranch(
  { git }: Repository,
  {
    remote,
    branch,
    from,
    to,
  }: {
    readonly remote: string | null
    readonly branch: string
    readonly from: string | null
    readonly to: string | null
  },
): Promise<string | null> {
  const ref = `refs/heads/${branch}`
  const local =
    to === null
      ? ['update-ref', '-d', ref, from ?? '']
      : ['update-ref', '-m', 'pulseward: offer', ref, to, from ?? '']
  const lease = `--force-with-lease=${ref}:${from ?? ''}`
  const done = await git(
    remote === null ? local : ['push', '--porcelain', '--no-verify', lease, remote, `${to ?? ''}:${ref}`],
  )
  return done.ok ? null : causeIn(done.error)
}

/** Returns the remote that a branch is published on if the target has none; `null` if there is none at all. */
export async function firstRemote({ git }: Repository): Promise<string | null> {
  const remotes = ((await tryAsk(git, 'remote')) ?? '').split('\n').filter((each) => each !== '')
  return remotes.includes('origin') ? 'origin' : (remotes[0] ?? null)
}

/**
 * Returns the text as part of a branch name. Appends a digest, so that names that differ only in characters not allowed in a branch stay
 * different.
 */
export function branchName(text: string): string {
  const name = text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return name === text ? name : `${name || 'work'}-${sha256(text).slice(0, 8)}`
}
