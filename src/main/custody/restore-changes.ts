import { dirname } from 'node:path'
import { removeFolderBeneath, withoutLinksIn } from '../files/beneath.ts'
import type { LeftAlone, UndoEffect } from '../ports/attempt-undo.ts'
import { CLOCK_STEP_MS } from './changes-of-attempt.ts'
import type { ContentStore, SavedFile } from './content-store.ts'
import type { UndoDocument } from './undo-document.ts'

/** Changes files from their state in `from` to that in `to`. Leaves files alone that have changed since, with the reason. */
export async function restoreTo(
  { directory, store }: { readonly directory: string; readonly store: ContentStore },
  document: UndoDocument,
  from: readonly SavedFile[],
  to: readonly SavedFile[],
): Promise<UndoEffect> {
  const paths = to.map(({ path }) => path)
  const present = new Map((await store.saveBefore(directory, paths)).map((saved) => [saved.path, saved]))
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

/** Returns whether two files are equal; a lost file equals none. */
export function isSame(one: SavedFile, other: SavedFile): boolean {
  if (one.kind === 'file')
    return other.kind === 'file' && one.hash === other.hash && one.isExecutable === other.isExecutable
  if (one.kind === 'link') return other.kind === 'link' && one.target === other.target
  return one.kind === other.kind && (one.kind === 'absent' || one.kind === 'led-out')
}

/** Removes folders that were made for files that are gone again; a folder that existed before stays, empty or not. */
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
    await removeFolderBeneath(
      withoutLinksIn(directory),
      folder,
      ({ birthtimeMs }) => birthtimeMs >= keptAtMs - CLOCK_STEP_MS,
    )
  }
}
