import { lstat, mkdir, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { changedPaths, isOperatorFile } from '../../core/verification/difference.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import type {
  AttemptUndo,
  CommittedFile,
  KeptFiles,
  LeftAlone,
  UndoableChanges,
  UndoEffect,
  UnsavedFile,
} from '../ports/attempt-undo.ts'
import type { Custody, LeftPath } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import type { ContentStore, SavedFile } from './content-store.ts'

/** Kept of one folder before a run: in a repository few files are not committed; without one it is all of them. */
const MAX_KEPT_FILES = 5000
const MAX_CHANGED_FILES = 5000
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024

export interface AttemptUndoOptions {
  /** The workspace. */
  readonly directory: string
  /** Where the logs of attempts are: what can be put back is noted beside them. */
  readonly attemptsDirectory: string
  readonly store: ContentStore
  /** What earlier attempts have left otherwise than it is in the base, and how it is told that it stands so again. */
  readonly custody: Pick<Custody, 'leftNow' | 'leftAgain'>

  readonly log: Log
  readonly nowMs: () => number
}

interface KeptBefore extends KeptFiles {
  readonly files: ReadonlyMap<string, SavedFile>
  readonly left: readonly LeftPath[]
}

const savedSchema = z.discriminatedUnion('kind', [
  z.object({ path: z.string(), kind: z.literal('absent') }),
  z.object({ path: z.string(), kind: z.literal('file'), hash: z.string(), isExecutable: z.boolean() }),
  z.object({ path: z.string(), kind: z.literal('link'), target: z.string() }),
  z.object({ path: z.string(), kind: z.literal('lost'), reason: z.string() }),
])
const documentSchema = z.object({
  $schema: z.literal('pulseward.undo.v1'),
  attemptIds: z.array(z.string()),
  keptAtMs: z.number(),
  before: z.array(savedSchema),
  after: z.array(savedSchema),
  /** Left by earlier attempts, and not the base. */
  left: z.array(z.object({ path: z.string(), attemptId: z.string() })),
  /** Put back, and not made again since. */
  undone: z.array(z.string()).nullable(),
})
type Document = z.infer<typeof documentSchema>

/** The changes of a workspace's attempts: contents in the store, and a document beside the log of each attempt. */
export function createAttemptUndo(options: AttemptUndoOptions): AttemptUndo {
  const { directory, attemptsDirectory, store, custody, log } = options
  /** By path, what was kept last and of what state: unchanged files are read once. */
  const known = new Map<string, { readonly state: string; readonly saved: SavedFile }>()
  const place = (attemptId: string): string => join(attemptsDirectory, `${attemptId}.undo`)

  async function read(attemptId: string): Promise<Document | null> {
    const reading = await readBoundedFile(place(attemptId), MAX_DOCUMENT_BYTES)
    if (!reading.ok) return null
    try {
      return documentSchema.parse(JSON.parse(reading.bytes.toString('utf8')))
    } catch {
      return null
    }
  }

  async function write(document: Document): Promise<void> {
    await mkdir(attemptsDirectory, { recursive: true, mode: 0o700 })
    for (const attemptId of document.attemptIds)
      await replaceFile(place(attemptId), JSON.stringify(document), 0o600)
  }

  async function keepBefore(files: readonly UnsavedFile[]): Promise<KeptBefore> {
    const kept = new Map<string, SavedFile>()
    const unread: string[] = []
    for (const { path, state } of files) {
      const before = known.get(path)
      if (state === null) kept.set(path, { path, kind: 'absent' })
      else if (before?.state === state) kept.set(path, before.saved)
      else if (unread.length < MAX_KEPT_FILES) unread.push(path)
      else
        kept.set(path, { path, kind: 'lost', reason: 'too many files of the folder would have to be kept' })
    }
    known.clear()
    for (const saved of await store.saveBefore(directory, unread)) kept.set(saved.path, saved)
    for (const { path, state } of files) {
      const saved = kept.get(path)
      if (state !== null && saved?.kind === 'file') known.set(path, { state, saved })
    }
    return { keptAtMs: options.nowMs(), files: kept, left: custody.leftNow() }
  }

  async function restoreTo(
    document: Document,
    from: readonly SavedFile[],
    to: readonly SavedFile[],
  ): Promise<UndoEffect> {
    const present = new Map(
      (
        await store.saveBefore(
          directory,
          to.map(({ path }) => path),
        )
      ).map((saved) => [saved.path, saved]),
    )
    const expected = new Map(from.map((saved) => [saved.path, saved]))
    const leftAlone: LeftAlone[] = []
    const wanted: SavedFile[] = []
    const asWanted: string[] = []
    for (const saved of to) {
      const { path } = saved
      const [now, then] = [present.get(path), expected.get(path)]
      if (saved.kind === 'lost') leftAlone.push({ path, reason: saved.reason })
      else if (now !== undefined && isSame(now, saved)) asWanted.push(path)
      else if (now === undefined || then === undefined || !isSame(now, then))
        leftAlone.push({ path, reason: 'it has been changed since' })
      else wanted.push(saved)
    }
    const { restored, failed } = await store.restore(directory, wanted)
    const gone = wanted.filter(({ path, kind }) => kind === 'absent' && restored.includes(path))
    await removeEmptyFolders(
      directory,
      gone.map(({ path }) => path),
      document.keptAtMs,
    )
    const putBack = [...restored, ...asWanted].toSorted()
    return { attemptIds: document.attemptIds, putBack, leftAlone: [...leftAlone, ...failed] }
  }

  return {
    keepBefore,
    record: async (attemptIds, before, difference, committed) => {
      try {
        // The port keeps them opaque; every one that comes back was made by `keepBefore`.
        const document = await documentOf(options, attemptIds, before as KeptBefore, difference, committed)
        if (document.before.length > 0) await write(document)
      } catch (error) {
        log.warn('What an attempt changed could not be kept for putting it back', { error: String(error) })
      }
    },
    look: async (attemptId) => {
      const document = await read(attemptId)
      return document === null ? null : viewOf(document)
    },
    undo: async (attemptId) => {
      const document = await read(attemptId)
      if (document === null || document.undone !== null) return null
      const effect = await restoreTo(document, document.after, document.before)
      const restored = new Set(effect.putBack)
      const saved = new Map(document.before.map((one) => [one.path, one]))
      await custody.leftAgain(
        document.left.flatMap(({ path, attemptId: by }) => {
          const one = saved.get(path)
          return one !== undefined && restored.has(path) ? asLeft(one, by) : []
        }),
      )
      await write({ ...document, undone: [...effect.putBack] })
      return effect
    },
    redo: async (attemptId) => {
      const document = await read(attemptId)
      if (document === null || document.undone === null) return null
      const meant = new Set(document.undone)
      const after = document.after.filter(({ path }) => meant.has(path))
      const effect = await restoreTo(document, document.before, after)
      const restored = new Set(effect.putBack)
      await custody.leftAgain(
        after.flatMap((saved) => (restored.has(saved.path) ? asLeft(saved, attemptId) : [])),
      )
      await write({ ...document, undone: null })
      return effect
    },
  }
}

/** In the words of custody; what could not be kept is not put back either. */
function asLeft(saved: SavedFile, attemptId: string): (LeftPath & { readonly content: string | null })[] {
  const { path } = saved
  if (saved.kind === 'lost') return []
  if (saved.kind === 'absent') return [{ path, attemptId, content: null }]
  const content =
    saved.kind === 'link' ? `link:${saved.target}` : `${saved.hash}${saved.isExecutable ? ':x' : ''}`
  return [{ path, attemptId, content }]
}

function viewOf({ attemptIds, before, undone }: Document): UndoableChanges {
  return {
    attemptIds,
    files: before.filter(({ kind }) => kind !== 'lost').map(({ path }) => path),
    lost: before.flatMap((saved) =>
      saved.kind === 'lost' ? [{ path: saved.path, reason: saved.reason }] : [],
    ),
    isUndone: undone !== null,
  }
}

async function documentOf(
  { directory, store }: AttemptUndoOptions,
  attemptIds: readonly string[],
  { keptAtMs, files, left }: KeptBefore,
  difference: FileDifference,
  committed: ReadonlyMap<string, CommittedFile>,
): Promise<Document> {
  const isNew = new Set([...difference.added, ...difference.renamed.map(({ to }) => to)])
  const paths = [...new Set(changedPaths(difference))].filter((path) => !isOperatorFile(path))
  const before: SavedFile[] = []
  for (const path of paths.slice(0, MAX_CHANGED_FILES)) {
    const held = committed.get(path)
    before.push(
      files.get(path) ??
        (held !== undefined
          ? await keepCommitted(store, path, held)
          : isNew.has(path)
            ? await wasAbsent(directory, path, keptAtMs)
            : { path, kind: 'lost', reason: 'its content before the attempt is not known' }),
    )
  }
  for (const path of paths.slice(MAX_CHANGED_FILES))
    before.push({ path, kind: 'lost', reason: `more than ${MAX_CHANGED_FILES} files were changed` })
  // The executable bit, which is no content.
  const known = new Set(paths)
  for (const path of (difference.otherwiseChanged ?? []).slice(0, MAX_CHANGED_FILES)) {
    const held = committed.get(path)
    if (isOperatorFile(path) || known.has(path)) continue
    const saved = files.get(path) ?? (held === undefined ? undefined : await keepCommitted(store, path, held))
    if (saved !== undefined) before.push(saved)
  }
  const after = await store.saveBefore(
    directory,
    before.map(({ path }) => path),
  )
  const changed = new Set(before.map(({ path }) => path))
  return {
    $schema: 'pulseward.undo.v1',
    attemptIds: [...attemptIds],
    keptAtMs,
    before,
    after: [...after],
    left: left.filter(({ path }) => changed.has(path)).map((one) => ({ ...one })),
    undone: null,
  }
}

async function keepCommitted(
  store: ContentStore,
  path: string,
  { bytes, kind }: CommittedFile,
): Promise<SavedFile> {
  if (kind === 'link') return { path, kind: 'link', target: bytes.toString('utf8') }
  const hash = await store.keep(bytes)
  return hash === null
    ? { path, kind: 'lost', reason: 'it is too large, or could not be kept' }
    : { path, kind: 'file', hash, isExecutable: kind === 'program' }
}

/** A file that came into sight and is older than the run was ignored before: it is nobody's to take away. */
async function wasAbsent(directory: string, path: string, keptAtMs: number): Promise<SavedFile> {
  const stats = await lstat(join(directory, path)).catch(() => null)
  return stats !== null && stats.ctimeMs < keptAtMs - CLOCK_STEP_MS
    ? { path, kind: 'lost', reason: 'it was there before the attempt, and git ignored it' }
    : { path, kind: 'absent' }
}

/** File systems keep times in steps of up to 2 s. */
const CLOCK_STEP_MS = 2000

function isSame(one: SavedFile, other: SavedFile): boolean {
  if (one.kind === 'file')
    return other.kind === 'file' && one.hash === other.hash && one.isExecutable === other.isExecutable
  if (one.kind === 'link') return other.kind === 'link' && one.target === other.target
  return one.kind === 'absent' && other.kind === 'absent'
}

/** Folders that were made for files that are gone again; a folder that was there before stays, empty or not. */
async function removeEmptyFolders(
  directory: string,
  paths: readonly string[],
  keptAtMs: number,
): Promise<void> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.' && folder !== '/'; folder = dirname(folder))
      folders.add(folder)
  for (const folder of [...folders].toSorted((one, other) => other.length - one.length)) {
    const stats = await lstat(join(directory, folder)).catch(() => null)
    const isOfTheAttempt = stats?.isDirectory() === true && stats.birthtimeMs >= keptAtMs - CLOCK_STEP_MS
    // One that still holds something is refused by the system.
    if (isOfTheAttempt) await rmdir(join(directory, folder)).catch(() => undefined)
  }
}
