import { ChangeProblem, type Repository } from './repository.ts'

export interface Revisions {
  /** The commit of the merge base. */
  readonly base: string
  readonly head: string
}

/** How many more commits to fetch if a shallow clone ends too soon. */
const DEEPEN_BY = 100

/**
 * Returns the commits to compare: `head`, and its merge base with `base`. Rejects with a `ChangeProblem` if one of them is missing, or the
 * history of a shallow clone ends before they meet.
 */
export async function findRevisions(
  repository: Repository,
  { base, head }: { readonly base: string | undefined; readonly head: string | undefined },
): Promise<Revisions> {
  const headCommit = await commitOf(repository, head ?? 'HEAD', 'Head')
  const named = base ?? (await defaultBase(repository))
  const baseCommit = await commitOf(repository, named, 'Base')
  const found = await repository.run(['merge-base', baseCommit, headCommit])
  const [mergeBase = ''] = found.stdout.toString('utf8').split('\n')
  if (found.ok && mergeBase !== '') return { base: mergeBase, head: headCommit }
  throw repository.isShallow
    ? new ChangeProblem(
        3,
        `This clone is shallow, and its history ends before ${named} and ${head ?? 'HEAD'} meet. Run \`git fetch --deepen=${DEEPEN_BY}\` (again, if that is not enough) and verify once more.`,
      )
    : new ChangeProblem(2, `${named} and ${head ?? 'HEAD'} have no commit in common. Name another base.`)
}

async function commitOf(repository: Repository, revision: string, side: string): Promise<string> {
  const found = await resolve(repository, revision)
  if (found !== null) return found
  throw repository.isShallow
    ? new ChangeProblem(
        3,
        `${side} ${revision} is not in this shallow clone. Run \`git fetch --deepen=${DEEPEN_BY}\`, or fetch that revision, and verify once more.`,
      )
    : new ChangeProblem(
        2,
        `${side} ${revision} is no commit of this repository. Fetch it, or name another one.`,
      )
}

async function resolve({ run }: Repository, revision: string): Promise<string | null> {
  if (revision.startsWith('-') || /[\0\n]/.test(revision)) return null
  const output = await run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  const [id = ''] = output.stdout.toString('utf8').split('\n')
  return output.ok && id !== '' ? id : null
}

/** Returns the upstream's default branch, otherwise `main` or `master`. */
export async function defaultBase(repository: Repository): Promise<string> {
  const remotes = (await repository.run(['remote'])).stdout.toString('utf8').split('\n').filter(Boolean)
  const upstream = await remoteOfBranch(repository)
  const ordered = [upstream, 'origin', ...remotes].filter(
    (remote) => remote !== null && remotes.includes(remote),
  )
  const candidates = [
    ...ordered.flatMap((remote) => [`refs/remotes/${remote}/HEAD`]),
    ...ordered.flatMap((remote) => [`refs/remotes/${remote}/main`, `refs/remotes/${remote}/master`]),
    'refs/heads/main',
    'refs/heads/master',
  ]
  for (const candidate of candidates) if ((await resolve(repository, candidate)) !== null) return candidate
  throw new ChangeProblem(
    2,
    'There is no upstream, and no branch main or master to compare with. Name the base.',
  )
}

/** Returns the full name of the ref that is checked out, such as `refs/heads/main`; `null` if none is. */
export async function checkedOutRef({ run }: Repository): Promise<string | null> {
  const output = await run(['symbolic-ref', '--quiet', 'HEAD'])
  return output.ok ? (output.stdout.toString('utf8').split('\n')[0] ?? null) : null
}

async function remoteOfBranch(repository: Repository): Promise<string | null> {
  const { run } = repository
  // The short name begins with `heads/` if a tag has the same one.
  const branch = (await checkedOutRef(repository))?.replace(/^refs\/heads\//, '') ?? ''
  if (branch === '') return null
  const remote = (await run(['config', '--get', `branch.${branch}.remote`])).stdout.toString('utf8').trim()
  return remote === '' || remote === '.' ? null : remote
}

/** Returns the trees of the commits; `''` for each if one of them cannot be read. */
export async function treesOf({ run }: Repository, { base, head }: Revisions): Promise<Revisions> {
  const output = await run(['rev-parse', `${base}^{tree}`, `${head}^{tree}`])
  const [baseTree = '', headTree = ''] = output.ok ? output.stdout.toString('utf8').split('\n') : []
  return { base: baseTree, head: headTree }
}

/** No pull request has more commits; any beyond this are ignored. */
const MAX_COMMITS = 500

/** Returns the paths that some commit between the two touched; none if the history is cut off. Never rejects. */
export async function touchedPaths(
  { run }: Repository,
  { base, head }: Revisions,
): Promise<ReadonlySet<string>> {
  const output = await run([
    'log',
    '--format=',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '-m',
    `--max-count=${MAX_COMMITS}`,
    `${base}..${head}`,
  ])
  return new Set(
    output.stdout
      .toString('utf8')
      .split('\0')
      .map((path) => path.replace(/^\n+/, ''))
      .filter(Boolean),
  )
}
