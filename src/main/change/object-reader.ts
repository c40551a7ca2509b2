import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { harmlessLine } from '../../core/text/harmless.ts'
import { collidingPath, isTreePath } from '../../core/text/tree-path.ts'
import { blobSizes, readBlobs } from '../snapshot/git-blobs.ts'
import { type GitOptions, type GitOutput, runGit } from '../snapshot/git-command.ts'
import { parseTreeChanges, type TreeChange } from '../snapshot/git-status.ts'
import { ALTERNATES, alternatesOf, makeRepository } from '../snapshot/own-repository.ts'
import { type RawPath, toText } from '../snapshot/raw-path.ts'
import { REPORT_PREFIX } from '../verifier/reports/report-folder.ts'
import { ChangeProblem, type Repository } from './repository.ts'

/** One entry of a whole tree. */
export interface TreeFile {
  readonly mode: string
  readonly id: string
}

/**
 * Reads a repository's objects through our own separate repository, so that none of its configuration, hooks, filters or grafts apply. New
 * objects (the tree of a work tree) are written there too, and are deleted with it.
 */
export interface ObjectReader {
  readonly folder: string
  readonly run: (
    args: readonly string[],
    options?: Pick<GitOptions, 'input' | 'settings'>,
  ) => Promise<GitOutput>
  /** Returns all files of a tree, by path with one character per byte. */
  readonly files: (tree: string) => Promise<ReadonlyMap<RawPath, TreeFile>>
  readonly changes: (from: string, to: string) => Promise<ReadonlyMap<RawPath, TreeChange>>
  /**
   * Returns contents by id, without those that are missing or larger than `maxBytes`. Rejects if they are more than can be read at once.
   * Texts are kept: an id names its content, and custody, plans and rooms read the same files.
   */
  readonly read: (ids: readonly string[], maxBytes?: number) => Promise<ReadonlyMap<string, Buffer>>
  readonly close: () => Promise<void>
}

interface ObjectPlaces {
  /** A folder of ours in which written objects stay for a later call; omitted: a temporary one. */
  readonly kept?: string
  /** Another such folder whose objects can be read too. */
  readonly borrowed?: string
  /** For tests. */
  readonly maxTotalBytes?: number
}

/** Limit for one read. A repository of a few megabytes can unpack to any size. */
const MAX_TOTAL_BYTES = 2 * 1024 ** 3
/** Limit for all contents that are kept. */
const MAX_KEPT_BYTES = 32 * 1024 ** 2

export async function openObjects(
  repository: Repository,
  { kept, borrowed, maxTotalBytes = MAX_TOTAL_BYTES }: ObjectPlaces = {},
): Promise<ObjectReader> {
  if (kept === undefined) await sweep()
  else await mkdir(kept, { recursive: true, mode: 0o700 })
  const folder = kept ?? (await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`)))
  const gitDirectory = join(folder, 'git')
  const top = repository.top ?? join(folder, 'none')
  if (repository.top === null) await mkdir(top, { recursive: true })
  const place = { gitDirectory, top }
  const known: KnownContents = { byId: new Map(), bytes: 0 }
  const run: ObjectReader['run'] = (args, options = {}) =>
    runGit(folder, args, { ...options, repository: place })
  const close = async (): Promise<void> => {
    if (kept === undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
  const alternates = alternatesOf([
    join(repository.common, 'objects'),
    ...(borrowed === undefined ? [] : [join(borrowed, 'git', 'objects')]),
  ])
  if (!(await isMade(gitDirectory, alternates, repository)))
    await makeRepository(gitDirectory, repository.algorithm, alternates, run).catch(async (error: Error) => {
      await close()
      throw new ChangeProblem(3, `No repository can be made in ${tmpdir()}: ${error.message}`)
    })
  return {
    folder,
    run,
    close,
    files: (tree) => listFiles(run, tree),
    changes: (...trees) => diff(run, ...trees),
    read: (ids, maxBytes = maxTotalBytes) => readAll(place, known, ids, { maxBytes, maxTotalBytes }),
  }
}

const PREFIX = 'pulseward-change-'

/** Returns whether a kept repository is complete and still belongs to the same original; the files read here are written last. */
async function isMade(gitDirectory: string, alternates: string, { algorithm }: Repository): Promise<boolean> {
  const [config, known] = await Promise.all(
    ['config', ALTERNATES].map((name) => readFile(join(gitDirectory, name), 'utf8').catch(() => null)),
  )
  return known === alternates && config != null && config.includes('sha256') === (algorithm === 'sha256')
}

/** Removes what killed commands left behind. */
async function sweep(): Promise<void> {
  const pattern = new RegExp(`^(?:${PREFIX}|${REPORT_PREFIX})(\\d+)-`)
  for (const name of await readdir(tmpdir())) {
    const pid = pattern.exec(name)?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Counts a process of another user, which may not be signaled, as running. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const TREE_ENTRY = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s

async function listFiles(run: ObjectReader['run'], tree: string): Promise<ReadonlyMap<RawPath, TreeFile>> {
  const output = await run(['ls-tree', '-r', '-z', '--full-tree', tree])
  if (!output.ok) throw missing(output)
  const files = new Map<RawPath, TreeFile>()
  for (const record of output.stdout.toString('latin1').split('\0')) {
    const [, mode, id, path] = TREE_ENTRY.exec(record) ?? []
    if (mode === undefined || id === undefined || path === undefined) continue
    if (files.has(path)) throw impossible(path)
    files.set(path, { mode, id })
  }
  mustBePossible(files.keys())
  const both = collidingPath(files.keys())
  if (both !== null) throw impossible(both)
  return files
}

async function diff(
  run: ObjectReader['run'],
  from: string,
  to: string,
): Promise<ReadonlyMap<RawPath, TreeChange>> {
  const output = await run([
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=none',
    from,
    to,
  ])
  const changes = output.ok ? parseTreeChanges(output.stdout) : null
  if (changes === null) throw missing(output)
  mustBePossible(changes.keys())
  const names = output.stdout
    .toString('latin1')
    .split('\0')
    .filter((_, at) => at % 2 === 1)
  const twice = names.length === changes.size ? null : collidingPath(names)
  if (twice !== null) throw impossible(twice)
  const written = [...changes].flatMap(([path, { after }]) => (after === null ? [] : [path]))
  const both = collidingPath(written)
  if (both !== null) throw impossible(both)
  return changes
}

/** Rejects paths that git lists but would not check out: writing them would lead out of the folder. */
function mustBePossible(paths: Iterable<RawPath>): void {
  for (const path of paths) if (!isTreePath(toText(path))) throw impossible(path)
}

function impossible(path: RawPath): ChangeProblem {
  return new ChangeProblem(
    3,
    `The change has a path that git refuses to check out: ${harmlessLine(toText(path), 200)}. Nothing of it was laid out or measured. \`git fsck\` names the tree; remove that entry from it.`,
  )
}

function missing({ error }: GitOutput): ChangeProblem {
  return new ChangeProblem(
    3,
    `Objects of the change cannot be read: ${toText(error).split('\n')[0] || 'git gave no reason'}. In a partial clone run \`git fetch --refetch --no-filter\`, in a shallow one \`git fetch --deepen=100\`.`,
  )
}

/** Returns the problem for a file of the change that is not in the repository, or is larger than can be read at once. */
export function unreadableFile(path: string): ChangeProblem {
  return new ChangeProblem(
    3,
    `The content of ${harmlessLine(path, 200)} cannot be read: it is missing (in a partial clone run \`git fetch --refetch --no-filter\`), or larger than ${inMegabytes(MAX_TOTAL_BYTES)}.`,
  )
}

interface KnownContents {
  readonly byId: Map<string, Buffer>
  bytes: number
}

async function readAll(
  place: { readonly gitDirectory: string; readonly top: string },
  known: KnownContents,
  ids: readonly string[],
  { maxBytes, maxTotalBytes }: { readonly maxBytes: number; readonly maxTotalBytes: number },
): Promise<ReadonlyMap<string, Buffer>> {
  const distinct = [...new Set(ids)]
  const contents = new Map<string, Buffer>()
  for (const id of distinct) {
    const bytes = known.byId.get(id)
    if (bytes !== undefined && bytes.length <= maxBytes) contents.set(id, bytes)
  }
  const unread = distinct.filter((id) => !known.byId.has(id))
  if (unread.length === 0) return contents
  const sizes = await blobSizes(place.gitDirectory, unread, place)
  const blobs = unread.flatMap((name, index) => {
    const size = sizes?.[index] ?? null
    return size === null || size > maxBytes ? [] : [{ name, size }]
  })
  const total = blobs.reduce((sum, { size }) => sum + size, 0)
  if (total > maxTotalBytes)
    throw new ChangeProblem(
      3,
      `The change unpacks to ${inMegabytes(total)}, more than the ${inMegabytes(maxTotalBytes)} that are read at once. Verify it in parts, or keep large files out of the repository.`,
    )
  let at = 0
  for await (const bytes of readBlobs(place.gitDirectory, blobs, place)) {
    // Copy the bytes: git's output is one buffer of up to 128 MB, which would stay in memory as long as any part of it.
    const [id, copy] = [blobs[at]?.name ?? '', Buffer.from(bytes)]
    contents.set(id, copy)
    if (known.bytes + copy.length <= MAX_KEPT_BYTES) {
      known.byId.set(id, copy)
      known.bytes += copy.length
    }
    at += 1
  }
  return contents
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`
}
