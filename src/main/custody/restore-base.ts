import { GIT_INDEX } from '../../core/custody/git-view.ts'
import type { AnswerEffect } from '../ports/custody.ts'
import type { ContentStore, SavedFile } from './content-store.ts'
import { besideTree } from './git-places.ts'
import type { IndexCustody } from './index-custody.ts'
import type { GuardedFile } from './scan.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Restores these files (paths from the top), and removes those with `null`; the effect's paths are from the workspace. */
export async function restoreBase(
  base: WorkspaceBase,
  index: IndexCustody,
  files: ReadonlyMap<string, GuardedFile | null>,
): Promise<AnswerEffect> {
  const { restored, failed } = await restoreFiles(base, files)
  const listing = files.get(GIT_INDEX) ?? null
  if (listing !== null) await index.restore(listing)
  return {
    restored: restored.map((path) => base.fromWorkspace(path)),
    failed: failed.map(({ path, reason }) => ({ path: base.fromWorkspace(path), reason })),
  }
}

/** Restores git's data separately if it is beside the tree. */
async function restoreFiles(
  { places, store, top }: WorkspaceBase,
  files: ReadonlyMap<string, GuardedFile | null>,
): ReturnType<ContentStore['restore']> {
  const isBeside = (path: string): boolean => besideTree(places, path) !== null
  const saved = (those: (path: string) => boolean) =>
    [...files].flatMap(([path, file]) => (path === GIT_INDEX || !those(path) ? [] : [{ path, file }]))
  const own = await store.restore(
    top,
    saved((path) => !isBeside(path)).map(({ path, file }) => savedAs(path, file)),
  )
  const beside = saved(isBeside)
  if (beside.length === 0 || places.beside === null) return own
  const names = new Map(beside.map(({ path }) => [besideTree(places, path) ?? path, path]))
  const other = await store.restore(
    places.beside.common,
    beside.map(({ path, file }) => savedAs(besideTree(places, path) ?? path, file)),
  )
  return {
    ...own,
    restored: [...own.restored, ...other.restored.map((path) => names.get(path) ?? path)],
    failed: [
      ...own.failed,
      ...other.failed.map((one) => ({ ...one, path: names.get(one.path) ?? one.path })),
    ],
  }
}

function savedAs(path: string, file: GuardedFile | null): SavedFile {
  if (file === null) return { path, kind: 'absent' }
  const { content } = file
  if (content.startsWith('link:')) return { path, kind: 'link', target: content.slice('link:'.length) }
  if (content.startsWith('large:')) return { path, kind: 'lost', reason: 'it was too large to be kept' }
  return { path, kind: 'file', hash: content.replace(/:x$/, ''), isExecutable: content.endsWith(':x') }
}
