import type { Branches } from '../../api/procedures/changes.ts'
import { ChangeProblem, openRepository, type Repository } from './repository.ts'
import { checkedOutRef, defaultBase } from './revisions.ts'

/** No one chooses from a longer list, and other names can be typed. */
const MAX_BRANCHES = 200

/** Lists the branches of the repository around a folder. Rejects with a `ChangeProblem` if there is none. */
export async function readBranches(directory: string): Promise<Branches> {
  const repository = await openRepository(directory)
  const [current, base, local, remote] = await Promise.all([
    checkedOutRef(repository),
    defaultBase(repository).catch((error: unknown) => {
      if (error instanceof ChangeProblem) return null
      throw error
    }),
    namesBelow(repository, 'refs/heads'),
    namesBelow(repository, 'refs/remotes'),
  ])
  return {
    top: repository.top,
    current,
    base,
    local: local.slice(0, MAX_BRANCHES),
    remote: remote.slice(0, MAX_BRANCHES),
    hasMore: local.length > MAX_BRANCHES || remote.length > MAX_BRANCHES,
  }
}

async function namesBelow({ run }: Repository, refs: string): Promise<readonly string[]> {
  const output = await run([
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${MAX_BRANCHES + 50}`,
    '--format=%(refname)',
    refs,
  ])
  return output.stdout
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '' && !(refs === 'refs/remotes' && name.endsWith('/HEAD')))
}
