import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { readBoundedFile } from '../files/bounded-file.ts'
import { succeeds } from '../files/succeeds.ts'
import { ask, type Git, gitAt, tryAsk } from './git.ts'

/** The operator's repository, where attempts start and land. */
export interface Repository {
  /** Top of the work tree that contains the workspace; absolute, without links. */
  readonly top: string
  /** Git's folder that all work trees share. */
  readonly common: string
  /** Path of the workspace below the top, ending in `/`; empty if the workspace is the top. */
  readonly prefix: string
  readonly algorithm: 'sha1' | 'sha256'
  readonly isShallow: boolean
  readonly git: Git
}

/** Why a folder cannot be used with trees, and how to fix that. */
export interface Refusal {
  readonly reason: string
  readonly remedy: string
}

const IN_PLACE = 'or set isolation = "none" under [workspace] in pulseward.toml to work in the folder itself'

const REV_PARSE = [
  'rev-parse',
  '--path-format=absolute',
  '--is-inside-work-tree',
  '--show-object-format',
  '--is-shallow-repository',
  '--show-cdup',
  '--git-common-dir',
]

/** Returns the repository of a workspace, or why trees cannot be used there. */
export async function openRepository(directory: string): Promise<Repository | Refusal> {
  const git = gitAt({ directory })
  // One process for all of it. The path comes last: it alone may contain line ends.
  const said = await tryAsk(git, ...REV_PARSE)
  const [isInside, algorithm, isShallow, up = '', ...path] = said?.split('\n') ?? []
  if (isInside !== 'true')
    return {
      reason: 'isolation = "worktree" needs a git repository, and the workspace is in none',
      remedy: `Run \`git init\` there and commit, ${IN_PLACE}.`,
    }
  const old = await oldVersion(git)
  if (old !== null)
    return {
      reason: `landing needs git 2.38 or later, and this is ${old}`,
      remedy: `Update git, ${IN_PLACE}.`,
    }
  const below = await realpath(directory)
  const [real, common] = await Promise.all([realpath(resolve(below, up)), realpath(path.join('\n'))])
  const prefix = relative(real, below).split(sep).join('/')
  return {
    top: real,
    common,
    prefix: prefix === '' ? '' : `${prefix}/`,
    algorithm: algorithm === 'sha256' ? 'sha256' : 'sha1',
    isShallow: isShallow === 'true',
    git: gitAt({ directory: real }),
  }
}

/** How long an opened repository stays valid. */
const OPENED_MS = 10_000

/**
 * Returns a function that opens the repository of a workspace, or returns what it opened within the last ten seconds: a heartbeat and a
 * landing ask several times. A refusal is never kept.
 */
export function repositoryOpener(directory: string): () => Promise<Repository | Refusal> {
  let opened: { readonly repository: Repository; readonly atMs: number } | null = null
  return async () => {
    const nowMs = performance.now()
    if (opened !== null && nowMs - opened.atMs < OPENED_MS) return opened.repository
    const found = await openRepository(directory)
    opened = 'reason' in found ? null : { repository: found, atMs: nowMs }
    return found
  }
}

let isNewEnough = false

/** Returns the version of a git that is too old, or `null`. Once a git was new enough, its version is not read again. */
async function oldVersion(git: Git): Promise<string | null> {
  if (isNewEnough) return null
  const version = /(\d+)\.(\d+)/.exec((await tryAsk(git, '--version')) ?? '')
  isNewEnough = version !== null && Number(version[1]) * 1000 + Number(version[2]) >= 2038
  return isNewEnough ? null : (version?.[0] ?? 'another one')
}

/**
 * Returns why this commit cannot be checked out in a tree, or `null` if it can. Sparse checkouts and shallow clones work: a tree has all
 * files of the commit.
 */
export async function refusalOf({ git, common }: Repository, commit: string): Promise<Refusal | null> {
  const partial = await tryAsk(
    git,
    'config',
    '--get-regexp',
    '^(remote\\..*\\.promisor|extensions\\.partialclone)$',
  )
  if (partial !== null && partial !== '')
    return {
      reason: 'the repository is a partial clone: a tree would need objects that are not here',
      remedy: `Clone it again without --filter, ${IN_PLACE}.`,
    }
  // `-d` lists only folders and submodules.
  const modules = await ask(git, 'ls-tree', '-r', '-d', '--format=%(objectmode) %(path)', commit)
  const module = modules.split('\n').find((line) => line.startsWith('160000 '))
  if (module !== undefined)
    return {
      reason: `the repository has submodules (${module.slice(7)}), which separate work trees don’t contain`,
      remedy: `Remove the submodule, ${IN_PLACE}.`,
    }
  const filter = await filterOf({ git, common }, commit)
  if (filter !== null)
    return {
      reason: `files of the repository go through a filter (${filter}${filter === 'lfs' ? ', Git LFS' : ''}), which a tree does not run`,
      remedy: `Take the filter out of .gitattributes, ${IN_PLACE}.`,
    }
  return null
}

/** Returns a filter that the attributes of a commit or tree name, or `null`. Rejects if git fails. */
export async function filterOf(
  { git, common }: Pick<Repository, 'git' | 'common'>,
  treeish: string,
): Promise<string | null> {
  const where = ['--', ':(top,glob)**/.gitattributes']
  // `-a`: the attributes can declare their own file binary.
  const found = await git(['grep', '-a', '-h', '-E', '[[:space:]]filter=', treeish, ...where])
  if (!found.ok && found.exitCode !== 1) throw new Error(`git grep failed: ${found.error}`)
  const own = await readFile(join(common, 'info', 'attributes'), 'utf8').catch(() => '')
  const lines = `${found.stdout}\n${own}`.split('\n').filter((line) => !/^\s*#/.test(line))
  return lines.flatMap((line) => /\sfilter=(\S+)/.exec(line)?.[1] ?? [])[0] ?? null
}

/** Returns a digest of everything that makes git run programs or read other objects in all work trees; without settings of branches. */
export async function sharedStateOf({ git, common, top }: Repository): Promise<string> {
  const listed = (await tryAsk(git, 'config', '--local', '--includes', '--null', '--list')) ?? ''
  const settings = listed.split('\0').filter((entry) => !/^branch\./i.test(entry))
  const folders = [join(common, 'hooks'), ...(await hooksPaths(git)).map((path) => resolve(top, path))]
  const hooks = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder).catch(() => [])).toSorted().map((name) => join(folder, name)),
    ),
  )
  const files = ['config.worktree', 'info/attributes', 'info/grafts', 'objects/info/alternates']
  const hash = createHash('sha256').update(settings.join('\0'))
  for (const name of [...files.map((file) => join(common, file)), ...hooks.flat()]) {
    const reading = await readBoundedFile(name, MAX_SHARED_BYTES)
    hash.update(`\0${name}\0${reading.ok ? reading.mode : reading.code}\0`)
    if (reading.ok) hash.update(reading.bytes)
    else hash.update(String(reading.sizeBytes))
  }
  return hash.digest('hex')
}

/** Returns the operator's `core.hooksPath`, from all files that set it. The last one is our own. */
async function hooksPaths(git: Git): Promise<readonly string[]> {
  const listed = (await tryAsk(git, 'config', '--null', '--path', '--get-all', 'core.hooksPath')) ?? ''
  return listed.split('\0').slice(0, -2)
}

const MAX_SHARED_BYTES = 1024 * 1024

/** Where work lands. */
export interface Target {
  /** The configured name. */
  readonly name: string
  readonly branch: string
  /** Full name in the repository: `refs/heads/main`, `refs/remotes/origin/main`. */
  readonly ref: string
  /** The remote to push to; `null` for a local branch. */
  readonly remote: string | null
}

/** Returns the target for a name: on a remote if the name starts with one (`origin/main`), else a local branch. */
export async function findTarget({ git }: Repository, name: string): Promise<Target> {
  const local: Target = { name, branch: name, ref: `refs/heads/${name}`, remote: null }
  if (!name.includes('/')) return local
  const remotes = ((await tryAsk(git, 'remote')) ?? '').split('\n').filter((each) => each !== '')
  const remote = remotes.toSorted((a, b) => b.length - a.length).find((each) => name.startsWith(`${each}/`))
  if (remote === undefined) return local
  const branch = name.slice(remote.length + 1)
  return { name, branch, ref: `refs/remotes/${remote}/${branch}`, remote }
}

/** Returns the branch that is checked out in the workspace, or `null`. */
export async function branchOf({ git }: Pick<Repository, 'git'>): Promise<string | null> {
  // The short name begins with `heads/` if a tag has the same one.
  const ref = await tryAsk(git, 'symbolic-ref', '--quiet', 'HEAD')
  return ref?.replace(/^refs\/heads\//, '') || null
}

/** How long a remote that did not answer in time is not asked again: a heartbeat asks for each piece of work, and would wait each time. */
const SILENT_MS = 5 * 60_000
/** Until when remotes are not asked, in monotonic ms, and why. */
const silent = new Map<string, { readonly untilMs: number; readonly because: string }>()

/** Asks remotes that did not answer: the operator may have mended the connection. */
export function tryRemotesAgain(): void {
  silent.clear()
}

/**
 * Returns the target's commit. Fetches a remote target first; if that fails, `tip` is the last known commit and `stale` says why. A remote
 * that did not answer in time is asked again five minutes later.
 */
export async function tipOf(
  { git, common }: Pick<Repository, 'git' | 'common'>,
  { ref, remote, branch }: Target,
): Promise<{ readonly tip: string | null; readonly stale: string | null }> {
  const stale = remote === null ? null : await fetchTip(git, `${common}\0${remote}`, { ref, remote, branch })
  return { tip: await tryAsk(git, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`), stale }
}

/** Returns why the branch could not be fetched, or `null`. */
async function fetchTip(
  git: Git,
  key: string,
  { ref, remote, branch }: { readonly ref: string; readonly remote: string; readonly branch: string },
): Promise<string | null> {
  const known = silent.get(key)
  if (known !== undefined && performance.now() < known.untilMs) return known.because
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', remote]
  const { ok, timedOut, error } = await git([...words, `+refs/heads/${branch}:${ref}`])
  silent.delete(key)
  if (ok) return null
  const because = causeIn(error)
  if (timedOut) silent.set(key, { untilMs: performance.now() + SILENT_MS, because })
  return because
}

/** What git prints after the cause: what to do about it, and that it ends. */
const AFTERWORDS =
  /^(?:fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.|Another git process seems to be running|an editor opened by|are terminated then try again|may have crashed in this repository earlier:|remove the file manually to continue\.|hint: |error: failed to push some refs)/

/** Returns the last line of git's words that names a cause, as one line. */
export function causeIn(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.findLast((line) => !AFTERWORDS.test(line)) ?? lines.at(-1) ?? ''
}

/** Returns whether anything exists at a path. */
export async function isThere(path: string): Promise<boolean> {
  return succeeds(lstat(path))
}
