import type { FileDifference } from '../../core/verification/types.ts'
import type { EarlierFiles } from './custody.ts'

/** A file that nothing but the folder itself holds, at one moment; `state`: equal exactly where its content is, `null`: it is not there. */
export interface UnsavedFile {
  readonly path: string
  readonly state: string | null
}

/** A file as the repository holds it. */
export interface CommittedFile {
  readonly bytes: Buffer
  readonly kind: 'file' | 'program' | 'link'
}

/** Files as they stood before a run. Opaque to everyone but who keeps them. */
export interface KeptFiles {
  readonly keptAtMs: number
}

/** A path that was not put back, and why in words. */
export interface LeftAlone {
  readonly path: string
  readonly reason: string
}

/** What can be put back of an attempt. */
export interface UndoableChanges {
  /** All attempts of the run: their changes cannot be told apart. */
  readonly attemptIds: readonly string[]
  readonly files: readonly string[]
  /** What was changed and cannot be put back. */
  readonly lost: readonly LeftAlone[]
  readonly isUndone: boolean
}

/** What came of putting changes back, or of making them again. */
export interface UndoEffect {
  readonly attemptIds: readonly string[]
  readonly putBack: readonly string[]
  readonly leftAlone: readonly LeftAlone[]
}

/**
 * The changes of attempts, to be taken back later. Paths are from the workspace, with `/`. Whatever stands at a path that is not as
 * the attempt left it is somebody else's and stays.
 */
export interface AttemptUndo {
  /** Keeps the files that could not be had from anywhere else once they are changed. Never rejects. */
  keepBefore(files: readonly UnsavedFile[]): Promise<KeptFiles>
  /** Notes what the attempts of a run changed; `committed` are former contents that the repository held. Never rejects. */
  record(
    attemptIds: readonly string[],
    before: KeptFiles,
    difference: FileDifference,
    committed: ReadonlyMap<string, CommittedFile>,
  ): Promise<void>
  /** `null`: nothing was changed, or it is no longer kept. Never rejects. */
  look(attemptId: string): Promise<UndoableChanges | null>
  /**
   * How files stood before the oldest of these attempts (newest first), each as far as nobody but they changed it since; `later`: before the
   * attempt that has ended now. `null`: they left none as it stands, or too many. Never rejects.
   */
  filesBefore(attemptIds: readonly string[], later: EarlierFiles): Promise<EarlierFiles | null>
  /** Puts the files back as they were before the attempt; `null` as with `look`. */
  undo(attemptId: string): Promise<UndoEffect | null>
  /** Takes an undo back; `null` where there is none. */
  redo(attemptId: string): Promise<UndoEffect | null>
}
