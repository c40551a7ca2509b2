import type { AttemptUndo, KeptFiles, UndoEffect, UnsavedFile } from '../ports/attempt-undo.ts'
import type { Custody, LeftPath } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import { documentOf, type KeptBefore, UnsavedKeeper } from './changes-of-attempt.ts'
import type { ContentStore, SavedFile } from './content-store.ts'
import { filesBeforeAll } from './files-before.ts'
import { restoreTo } from './restore-changes.ts'
import { isUndone, readUndo, type UndoDocument, viewOf, writeUndo } from './undo-document.ts'

export interface AttemptUndoOptions {
  /** The workspace's folder. */
  readonly directory: string
  /** The folder with the logs of attempts; what can be restored is recorded next to them. */
  readonly attemptsDirectory: string
  readonly store: ContentStore
  /** Knows what earlier attempts left different from the baseline, and is told when an undo leaves files that way again. */
  readonly custody: Pick<Custody, 'leftNow' | 'leftAgain'>
  readonly log: Log
  readonly nowMs: () => number
}

/** Records the changes of a workspace's attempts: contents in the store, and a document next to the log of each attempt. */
export function createAttemptUndo(options: AttemptUndoOptions): AttemptUndo {
  const { directory, attemptsDirectory, store, custody, log } = options
  const keeper = new UnsavedKeeper()
  const read = (attemptId: string): Promise<UndoDocument | null> => readUndo(attemptsDirectory, attemptId)
  /** Turns files from `from` into `to`, and tells custody which attempt left each of them. */
  const putBack = async (
    document: UndoDocument,
    [from, to]: readonly [readonly SavedFile[], readonly SavedFile[]],
    leftBy: (path: string) => string | undefined,
  ): Promise<UndoEffect> => {
    const effect = await restoreTo(options, document, from, to)
    const restored = new Set(effect.putBack)
    await custody.leftAgain(
      to.flatMap((saved) => {
        const by = leftBy(saved.path)
        return by !== undefined && restored.has(saved.path) ? asLeft(saved, by) : []
      }),
    )
    return effect
  }
  return {
    keepBefore: async (files: readonly UnsavedFile[]): Promise<KeptFiles> => {
      const kept: KeptBefore = {
        files: await keeper.keep(store, directory, files),
        keptAtMs: options.nowMs(),
        left: custody.leftNow(),
      }
      return kept
    },
    record: async (attemptIds, before, difference, committed) => {
      try {
        // The port keeps this opaque; `keepBefore` creates every one.
        const document = await documentOf(options, attemptIds, before as KeptBefore, difference, committed)
        if (document.before.length > 0) await writeUndo(attemptsDirectory, document)
      } catch (error) {
        log.warn('Could not keep what an attempt changed, so it cannot be undone', { error: String(error) })
      }
    },
    look: async (attemptId) => {
      const document = await read(attemptId)
      return document === null ? null : viewOf(document)
    },
    filesBefore: async (attemptIds, later) => {
      const documents: UndoDocument[] = []
      for (const attemptId of attemptIds) {
        // The attempts of one run share one document.
        if (documents.some((known) => known.attemptIds.includes(attemptId))) continue
        const document = await read(attemptId)
        if (document !== null) documents.push(document)
      }
      return filesBeforeAll(options, documents, later).catch((error: unknown) => {
        log.warn('The state of the files before earlier attempts is unknown', { error: String(error) })
        return null
      })
    },
    undo: async (attemptId) => {
      const document = await read(attemptId)
      if (document === null || isUndone(document)) return null
      const left = new Map(document.left.map((one) => [one.path, one.attemptId]))
      const effect = await putBack(document, [document.after, document.before], (path) => left.get(path))
      // If nothing was restored, undo can be requested again.
      if (effect.putBack.length > 0)
        await writeUndo(attemptsDirectory, { ...document, undone: [...effect.putBack] })
      return effect
    },
    redo: async (attemptId) => {
      const document = await read(attemptId)
      if (document === null || !isUndone(document)) return null
      const meant = new Set(document.undone)
      const after = document.after.filter(({ path }) => meant.has(path))
      const effect = await putBack(document, [document.before, after], () => attemptId)
      if (effect.putBack.length > 0) await writeUndo(attemptsDirectory, { ...document, undone: null })
      return effect
    },
  }
}

/** Converts a saved file to custody's form. What could not be kept can't be restored either. */
function asLeft(saved: SavedFile, attemptId: string): (LeftPath & { readonly content: string | null })[] {
  const { path } = saved
  if (saved.kind === 'lost') return []
  if (saved.kind === 'absent' || saved.kind === 'led-out') return [{ path, attemptId, content: null }]
  const content =
    saved.kind === 'link' ? `link:${saved.target}` : `${saved.hash}${saved.isExecutable ? ':x' : ''}`
  return [{ path, attemptId, content }]
}
