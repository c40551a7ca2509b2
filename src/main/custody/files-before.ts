import type { EarlierFiles } from '../ports/custody.ts'
import type { ContentStore, SavedFile } from './content-store.ts'
import { isSame } from './restore-changes.ts'
import { isUndone, type UndoDocument } from './undo-document.ts'

/** The same limits as for the files of one attempt: what goes into a room is held in memory. */
const MAX_FILES = 500
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Returns how files were before the oldest of these attempts (newest first), each as far back as nothing else changed it in between.
 * `later` is how they were before the attempt that has just ended. Returns `null` if no earlier attempt's files are still as it left them,
 * or there are too many. Omits links, because an agent's links are not put into a room.
 */
export async function filesBeforeAll(
  { directory, store }: { readonly directory: string; readonly store: ContentStore },
  documents: readonly UndoDocument[],
  later: EarlierFiles,
): Promise<EarlierFiles | null> {
  const states = new Map<string, SavedFile>()
  for (const { path, bytes, isExecutable } of later.write) {
    const hash = await store.keep(bytes)
    states.set(path, hash === null ? tooLarge(path) : { path, kind: 'file', hash, isExecutable })
  }
  for (const path of later.remove) states.set(path, { path, kind: 'absent' })
  const taken = new Map<string, SavedFile>()
  const others = new Set<string>()
  for (const document of documents) {
    if (isUndone(document)) continue
    const { before, after } = document
    const unseen = after.map(({ path }) => path).filter((path) => !states.has(path))
    for (const saved of await store.saveBefore(directory, unseen)) states.set(saved.path, saved)
    const former = new Map(before.map((saved) => [saved.path, saved]))
    for (const left of after) {
      const { path } = left
      const [now, then] = [states.get(path), former.get(path)]
      if (others.has(path)) continue
      if (now === undefined || then === undefined || !isSame(now, left)) others.add(path)
      else {
        states.set(path, then)
        taken.set(path, then)
      }
    }
  }
  return taken.size === 0 || taken.size > MAX_FILES ? null : withContents(store, [...taken.values()], later)
}

function tooLarge(path: string): SavedFile {
  return { path, kind: 'lost', reason: 'it is too large' }
}

async function withContents(
  store: ContentStore,
  files: readonly SavedFile[],
  later: EarlierFiles,
): Promise<EarlierFiles | null> {
  const paths = new Set(files.map(({ path }) => path))
  const write = later.write.filter(({ path }) => !paths.has(path))
  const remove = later.remove.filter((path) => !paths.has(path))
  let size = 0
  for (const saved of files) {
    if (saved.kind === 'absent') remove.push(saved.path)
    const bytes = saved.kind === 'file' ? await store.read(saved.hash) : null
    if (saved.kind !== 'file' || bytes === null) continue
    size += bytes.length
    if (size > MAX_BYTES) return null
    write.push({ path: saved.path, bytes, isExecutable: saved.isExecutable })
  }
  return { write, remove }
}
