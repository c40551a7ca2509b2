import { join } from 'node:path'
import { changedPaths, isOperatorFile } from '../../core/verification/difference.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { lstat } from '../files/names.ts'
import type { CommittedFile, KeptFiles, UnsavedFile } from '../ports/attempt-undo.ts'
import type { LeftPath } from '../ports/custody.ts'
import { sequentialLookup } from '../process/sequential-lookup.ts'
import type { ContentStore, SavedFile } from './content-store.ts'
import type { UndoDocument } from './undo-document.ts'

/** How many files of a folder are kept before a run. In a repository only the uncommitted ones are kept; without one, all are. */
const MAX_KEPT_FILES = 5000
const MAX_CHANGED_FILES = 5000

/** Files that a run may change and that are kept nowhere else. */
export interface KeptBefore extends KeptFiles {
  readonly files: KeptByPath
  readonly left: readonly LeftPath[]
}

/** What was kept, and for which state; `null`: it must be read again next time. */
type KeptByPath = ReadonlyMap<string, { readonly state: string | null; readonly saved: SavedFile }>

/**
 * Keeps the files of a folder that are kept nowhere else, as they were when `files` was listed. A file that has not changed since is not
 * read again.
 */
export class UnsavedKeeper {
  #last: KeptByPath = new Map()

  async keep(store: ContentStore, directory: string, files: readonly UnsavedFile[]): Promise<KeptByPath> {
    const last = this.#last.keys()
    const areTheSame =
      files.length === this.#last.size && files.every(({ path }) => path === last.next().value)
    const before = sequentialLookup(this.#last)
    // Usually nearly all are unchanged: copying the whole map at once then keeps their order.
    const kept = new Map(areTheSame ? this.#last : [])
    const unread = new Map<string, string>()
    for (const { path, state } of files) {
      const known = before(path)
      if (state === null) kept.set(path, { state, saved: { path, kind: 'absent' } })
      else if (known?.state !== state) {
        // A placeholder until the file is read.
        kept.set(path, { state: null, saved: { path, kind: 'lost', reason: TOO_MANY } })
        if (unread.size < MAX_KEPT_FILES) unread.set(path, state)
      } else if (!areTheSame) kept.set(path, known)
    }
    for (const saved of await store.saveBefore(directory, [...unread.keys()]))
      kept.set(saved.path, { state: saved.kind === 'file' ? (unread.get(saved.path) ?? null) : null, saved })
    this.#last = kept
    return kept
  }
}

const TOO_MANY = 'too many files of the folder would have to be kept'

/** Returns what the attempts of a run changed, with the files before and now. */
export async function documentOf(
  { directory, store }: { readonly directory: string; readonly store: ContentStore },
  attemptIds: readonly string[],
  { keptAtMs, files, left }: KeptBefore,
  difference: FileDifference,
  committed: ReadonlyMap<string, CommittedFile>,
): Promise<UndoDocument> {
  const isNew = new Set([...difference.added, ...difference.renamed.map(({ to }) => to)])
  const paths = [...new Set(changedPaths(difference))].filter((path) => !isOperatorFile(path))
  const before: SavedFile[] = []
  for (const path of paths.slice(0, MAX_CHANGED_FILES)) {
    const held = committed.get(path)
    before.push(
      files.get(path)?.saved ??
        (held !== undefined
          ? await keepCommitted(store, path, held)
          : isNew.has(path)
            ? await wasAbsent(directory, path, keptAtMs)
            : { path, kind: 'lost', reason: 'its content before the attempt is unknown' }),
    )
  }
  for (const path of paths.slice(MAX_CHANGED_FILES))
    before.push({ path, kind: 'lost', reason: `more than ${MAX_CHANGED_FILES} files were changed` })
  // The executable bit is not part of the content.
  const known = new Set(paths)
  for (const path of (difference.otherwiseChanged ?? []).slice(0, MAX_CHANGED_FILES)) {
    const held = committed.get(path)
    if (isOperatorFile(path) || known.has(path)) continue
    const saved =
      files.get(path)?.saved ?? (held === undefined ? undefined : await keepCommitted(store, path, held))
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

/** Handles a file that git shows now. If it is older than the run, git ignored it before, so no undo may delete it. */
async function wasAbsent(directory: string, path: string, keptAtMs: number): Promise<SavedFile> {
  const stats = await lstat(join(directory, path)).catch(() => null)
  return stats !== null && stats.ctimeMs < keptAtMs - CLOCK_STEP_MS
    ? { path, kind: 'lost', reason: 'it was there before the attempt, and git ignored it' }
    : { path, kind: 'absent' }
}

/** File systems store times with a precision of down to 2 s. */
export const CLOCK_STEP_MS = 2000
