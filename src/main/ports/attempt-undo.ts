import type { FileDifference } from '../../core/verification/types.ts'
import type { EarlierFiles } from './custody.ts'

/**
 * A file that exists only in the folder, at one moment. `state`: equal only if its content is equal; `null`: the file doesn't
 * exist.
 */
export interface UnsavedFile {
  readonly path: string
  readonly state: string | null
}

/** A file as the repository has it. */
export interface CommittedFile {
  readonly bytes: Buffer
  readonly kind: 'file' | 'program' | 'link'
}

/** Files as they were before a run. Opaque to everyone except the one that keeps them. */
export interface KeptFiles {
  readonly keptAtMs: number
}

/** A path that was not restored, and the reason in words. */
export interface LeftAlone {
  readonly path: string
  readonly reason: string
}

/** What can be restored of an attempt. */
export interface UndoableChanges {
  /** All attempts of the run: their changes can't be separated. */
  readonly attemptIds: readonly string[]
  readonly files: readonly string[]
  /** What was changed and can't be restored. */
  readonly lost: readonly LeftAlone[]
  readonly isUndone: boolean
}

/** The result of undoing changes, or of redoing them. */
export interface UndoEffect {
  readonly attemptIds: readonly string[]
  readonly putBack: readonly string[]
  readonly leftAlone: readonly LeftAlone[]
}

/**
 * The changes of attempts, so that they can be undone later. Paths are relative to the workspace, with `/`. A file that is not
 * as the attempt left it is someone else's and stays.
 */
export interface AttemptUndo {
  /** Keeps the files that would be lost once they are changed. Never rejects. */
  keepBefore(files: readonly UnsavedFile[]): Promise<KeptFiles>
  /** Records what the attempts of a run changed; `committed` are former contents that the repository had. Never rejects. */
  record(
    attemptIds: readonly string[],
    before: KeptFiles,
    difference: FileDifference,
    committed: ReadonlyMap<string, CommittedFile>,
  ): Promise<void>
  /** Returns `null` if nothing was changed, or the changes are no longer kept. Never rejects. */
  look(attemptId: string): Promise<UndoableChanges | null>
  /**
   * Returns the files as they were before the oldest of these attempts (newest first), if only these attempts have changed them
   * since; `later`: before the attempt that has just ended. `null`: they left nothing unchanged, or too many files. Never
   * rejects.
   */
  filesBefore(attemptIds: readonly string[], later: EarlierFiles): Promise<EarlierFiles | null>
  /** Restores the files to their state before the attempt; `null` as for `look`. */
  undo(attemptId: string): Promise<UndoEffect | null>
  /** Reverts an undo; `null` if there is none. */
  redo(attemptId: string): Promise<UndoEffect | null>
}
