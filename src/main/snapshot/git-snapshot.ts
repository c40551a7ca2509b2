import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { compareContents } from './compare.ts'
import {
  type Content,
  type ContentReader,
  createContentReader,
  type HashAlgorithm,
  type KnownContents,
  UNREADABLE,
} from './content.ts'
import { type GitOutput, runGit } from './git-command.ts'
import {
  type Committed,
  type GitStatus,
  parseGitStatus,
  parseTreeChanges,
  type TreeChange,
} from './git-status.ts'
import { fromText, isWithin, type RawPath, toText } from './raw-path.ts'
import { listFiles, named, readContents } from './walk-snapshot.ts'

/**
 * The state of a folder in a git work tree: HEAD, and the content of every path that differs from it. What git ignores is
 * not seen. Where a clean filter or line ending conversion applies, a file that becomes dirty with its bytes unchanged (by
 * `chmod`, or a reset of HEAD alone) counts as modified, because only the filtered form of its former content is kept.
 */
export interface GitSnapshot {
  readonly kind: 'git'
  readonly directory: string
  readonly place: WorkTreePlace
  /** `null` before the first commit. */
  readonly head: string | null
  readonly dirty: ReadonlyMap<RawPath, DirtyContent>
  readonly known: KnownContents
  readonly incomplete: string | null
}

interface DirtyContent {
  readonly committed: Content | null
  readonly content: Content | null
}

export interface WorkTreePlace {
  /** Path of the workspace below the top of the work tree; `''` where it is the top. */
  readonly prefix: RawPath
  readonly algorithm: HashAlgorithm
}

const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--untracked-files=all',
  '--ignore-submodules=none',
  '--no-renames',
]

/** Why git cannot serve: the folder is in no work tree (or in one that ignores it), or git failed. */
export interface NoGit {
  readonly kind: 'no-git'
  readonly reason: string
}

/** Reads the folder's state through git. Never rejects. */
export async function takeGit(
  directory: string,
  excluded: readonly RawPath[],
  previous: KnownContents,
): Promise<GitSnapshot | NoGit> {
  const [place, output] = await Promise.all([
    findWorkTree(directory),
    runGit(directory, [...STATUS, '--', '.']),
  ])
  if ('kind' in place) return place
  if (!output.ok) return { kind: 'no-git', reason: output.error }
  const status = parseGitStatus(output.stdout)
  if (status === null) return { kind: 'no-git', reason: 'the output of git status could not be understood' }

  const reader = createContentReader(directory, place.algorithm, previous)
  const { dirty, incomplete } = await readDirty(
    directory,
    below(status, place.prefix, excluded),
    excluded,
    reader,
  )
  return { kind: 'git', directory, place, head: status.head, dirty, known: reader.known(), incomplete }
}

/** Where the folder lies in its work tree. */
export async function findWorkTree(directory: string): Promise<WorkTreePlace | NoGit> {
  const [output, ignored] = await Promise.all([
    runGit(directory, ['rev-parse', '--is-inside-work-tree', '--show-object-format', '--show-cdup']),
    runGit(directory, ['check-ignore', '--quiet', '.']),
  ])
  if (!output.ok) return { kind: 'no-git', reason: output.error }
  const [isInside, algorithm, up = ''] = output.stdout.toString('utf8').split('\n')
  const hasKnownFormat = algorithm === 'sha1' || algorithm === 'sha256'
  if (isInside !== 'true' || !hasKnownFormat || !/^(\.\.\/)*$/.test(up))
    return { kind: 'no-git', reason: 'not in a git work tree' }
  if (up !== '' && ignored.ok) return { kind: 'no-git', reason: 'the work tree around it ignores it' }
  const names = (await realpath(directory)).split(sep)
  return { algorithm, prefix: fromText(names.slice(names.length - up.length / '../'.length).join('/')) }
}

/** What changed between two snapshots. Reads again the files that were dirty and are clean now. */
export async function differenceOfGit(before: GitSnapshot, after: GitSnapshot): Promise<FileDifference> {
  const headMoved = before.head === after.head ? null : { from: before.head, to: after.head }
  const changes = headMoved === null ? new Map() : await changesBetweenHeads(before, after)
  if (changes === null || before.place.prefix !== after.place.prefix) {
    const incomplete = 'the git repository is not the one it was before, so there is nothing to compare with'
    return { ...EMPTY_DIFFERENCE, headMoved, incomplete }
  }

  const paths = [...new Set([...before.dirty.keys(), ...after.dirty.keys(), ...changes.keys()])]
  const starts = new Map(paths.map((path) => [path, startOf(path, before, after, changes)]))
  const ends = await endsOf(paths, before, after, changes)
  const candidates = paths.map((path) => ({
    path,
    start: starts.get(path) ?? null,
    end: ends.get(path) ?? null,
  }))
  return { ...compareContents(candidates), headMoved, incomplete: after.incomplete ?? before.incomplete }
}

type TreeChanges = ReadonlyMap<RawPath, TreeChange>

function startOf(
  path: RawPath,
  before: GitSnapshot,
  after: GitSnapshot,
  changes: TreeChanges,
): Content | null {
  const dirty = before.dirty.get(path)
  if (dirty !== undefined) return dirty.content
  const change = changes.get(path)
  // Where the two HEADs do not differ, what the later one has was there before.
  return change === undefined ? (after.dirty.get(path)?.committed ?? null) : committedContent(change.before)
}

async function endsOf(
  paths: readonly RawPath[],
  before: GitSnapshot,
  after: GitSnapshot,
  changes: TreeChanges,
): Promise<Map<RawPath, Content | null>> {
  const ends = new Map<RawPath, Content | null>()
  const onDisk: RawPath[] = []
  for (const path of paths) {
    const dirty = after.dirty.get(path)
    const change = changes.get(path)
    const committed =
      change === undefined ? (before.dirty.get(path)?.committed ?? null) : committedContent(change.after)
    if (dirty !== undefined) ends.set(path, dirty.content)
    else if (committed !== null && (committed.startsWith('commit:') || !before.dirty.has(path)))
      ends.set(path, committed)
    // It was dirty, so its bytes are known and those on disk are compared, whatever filter the commit went through; or no
    // commit holds it any more, and it may still be there, ignored.
    else onDisk.push(path)
  }
  const reader = createContentReader(after.directory, after.place.algorithm, after.known)
  for (const [path, content] of await readContents(onDisk, reader)) ends.set(path, content)
  return ends
}

async function changesBetweenHeads(before: GitSnapshot, after: GitSnapshot): Promise<TreeChanges | null> {
  const { algorithm, prefix } = after.place
  const emptyTree = createHash(algorithm).update('tree 0\0').digest('hex')
  const output: GitOutput = await runGit(after.directory, [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-relative',
    '--ignore-submodules=none',
    before.head ?? emptyTree,
    after.head ?? emptyTree,
    '--',
    '.',
  ])
  const changes = output.ok ? parseTreeChanges(output.stdout) : null
  return changes === null
    ? null
    : new Map([...changes].map(([path, one]) => [withoutPrefix(path, prefix), one]))
}

/** The status as seen from the workspace. */
function below(status: GitStatus, prefix: RawPath, excluded: readonly RawPath[]): GitStatus {
  const isMeant = (path: RawPath): boolean => !excluded.some((one) => isWithin(path, one))
  return {
    head: status.head,
    dirty: new Map(
      [...status.dirty]
        .map(([path, one]) => [withoutPrefix(path, prefix), one] as const)
        .filter(([path]) => isMeant(path)),
    ),
    nested: status.nested.map((path) => withoutPrefix(path, prefix)).filter(isMeant),
  }
}

function withoutPrefix(path: RawPath, prefix: RawPath): RawPath {
  return prefix === '' ? path : path.slice(prefix.length + 1)
}

async function readDirty(
  directory: string,
  status: GitStatus,
  excluded: readonly RawPath[],
  reader: ContentReader,
): Promise<{ dirty: Map<RawPath, DirtyContent>; incomplete: string | null }> {
  const reasons: string[] = []
  const untracked: RawPath[] = []
  for (const folder of status.nested) {
    const listing = await listFiles(directory, folder, excluded)
    untracked.push(...listing.files)
    if (listing.cutAt !== null || listing.unreadable.length > 0)
      reasons.push(`the repository in ${toText(folder)} could not be looked at as a whole`)
  }
  const contents = await readContents([...status.dirty.keys(), ...untracked], reader)
  const dirty = new Map<RawPath, DirtyContent>()
  for (const path of untracked) dirty.set(path, { committed: null, content: contents.get(path) ?? null })
  for (const [path, { committed, isSubmodule }] of status.dirty) {
    const content = isSubmodule ? await submoduleContent(directory, path) : null
    dirty.set(path, {
      committed: committedContent(committed),
      content: content ?? contents.get(path) ?? null,
    })
  }
  const unread = [...dirty].filter(([, { content }]) => content === UNREADABLE).map(([path]) => path)
  if (unread.length > 0) reasons.push(`${named(unread, 'file')} could not be read`)
  return { dirty, incomplete: reasons.length === 0 ? null : reasons.join('; ') }
}

/** Its commit, and a digest of what differs from that; `null` where there is no repository any more. */
async function submoduleContent(directory: string, path: RawPath): Promise<Content | null> {
  const inside = await takeGit(join(directory, toText(path)), [], new Map())
  if (inside.kind !== 'git' || inside.place.prefix !== '') return null
  if (inside.dirty.size === 0) return `commit:${inside.head}`
  const changes = [...inside.dirty].map(([name, { content }]) => [name, content]).sort()
  return `commit:${inside.head}+${createHash('sha256').update(JSON.stringify(changes)).digest('hex')}`
}

function committedContent(committed: Committed | null): Content | null {
  if (committed === null) return null
  const kinds: Record<string, string> = { '120000': 'link', '160000': 'commit' }
  return `${kinds[committed.mode] ?? 'file'}:${committed.id}`
}
