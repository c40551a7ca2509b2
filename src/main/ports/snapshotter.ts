import type { ProtectedChange } from '../../core/verification/protected-files.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import type { CommittedFile, UnsavedFile } from './attempt-undo.ts'
import type { EarlierFiles } from './custody.ts'

/** The state of a folder's files at one moment, by content. Opaque to everyone except the snapshotter. */
export interface Snapshot {
  readonly kind: 'git' | 'walk'
}

/** What the operator's protected files required at one moment. Opaque to everyone except the snapshotter. */
export interface ProtectedFiles {
  readonly isProtected: (path: string) => boolean
}

/** The texts of files before they were changed. Opaque to everyone except the snapshotter. */
export interface KeptTexts {
  readonly snapshot: Snapshot
}

/** What git would commit from a work tree. */
export interface TreeState {
  /** The commit that is checked out. */
  readonly commit: string
  readonly tree: string
  /** True if the tree differs from the commit's. */
  readonly isDirty: boolean
}

/** Why a path that git ignores can't be measured. */
export const IGNORED_BY_GIT = 'git ignores it'

export interface Snapshotter {
  /** Announces that the folder will be read in a moment, so that the processes git runs in can be prepared. Never rejects. */
  expectLook(directory: string): Promise<void>
  /**
   * Reads the folder's state. Never rejects for odd files: the difference says what could not be read. `patterns`: those that
   * `takeProtected` will be called with; matching starts while git is at work. `asked`: paths that a check depends on, which
   * are read even if git ignores them.
   */
  take(directory: string, patterns?: readonly string[], asked?: readonly string[]): Promise<Snapshot>
  /** Returns what changed between two snapshots of the same folder. */
  difference(before: Snapshot, after: Snapshot): Promise<FileDifference>
  /** Records what the files under `patterns` (globs) require at the moment of `snapshot`. Never rejects. */
  takeProtected(snapshot: Snapshot, patterns: readonly string[]): Promise<ProtectedFiles>
  /** Returns the protected files in a difference, with what they required before and now. Never rejects. */
  protectedChanges(before: ProtectedFiles, difference: FileDifference): Promise<readonly ProtectedChange[]>
  /** Keeps the texts of files at the moment of `snapshot` that could not be recovered once they are changed. Never rejects. */
  keepTexts(snapshot: Snapshot): Promise<KeptTexts>
  /** Returns the difference as unified patches, at most `maxBytes` in all. Never rejects. */
  patch(before: KeptTexts, difference: FileDifference, maxBytes: number): Promise<string>
  /** Returns what a difference changed, as it was before; `null` if any of it is unknown. Never rejects. */
  filesBefore(before: KeptTexts, difference: FileDifference): Promise<EarlierFiles | null>
  /** Returns the files that existed only in the folder at the moment of `snapshot`. */
  unsaved(snapshot: Snapshot): Promise<readonly UnsavedFile[]>
  /** Returns those parts of a difference that the repository had at that moment, by path. Never rejects. */
  committed(snapshot: Snapshot, difference: FileDifference): Promise<ReadonlyMap<string, CommittedFile>>
  /** Returns the paths with uncommitted changes, in order, without embedded repositories; none if the folder is in no repository. */
  uncommitted(snapshot: Snapshot): Promise<readonly string[]>
  /** Returns the tracked paths without uncommitted changes; none if the folder is in no repository. */
  unchanged(snapshot: Snapshot): Promise<readonly string[]>
  /**
   * Returns whether a claimed path can be measured (inside the folder and not ignored by git), or why not, in words. What
   * `difference` shows has been measured already and isn't asked about, so most claims cost nothing.
   */
  measurable(
    directory: string,
    paths: readonly string[],
    difference: FileDifference,
  ): Promise<readonly (true | string)[]>
  /**
   * Returns the paths in the folder at the moment of `snapshot` that end in one of `ends`, by end; `too many` if there is too
   * much to search. Never rejects.
   */
  endingIn(
    snapshot: Snapshot,
    ends: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]> | 'too many'>
  /**
   * Returns the current tree of the folder's work tree; `null` if there is none, or git can't tell. Never rejects. `hasRun`: whether a
   * program, such as a check, may have changed files since the last `take`; otherwise that one already knows what differs.
   */
  treeNow(directory: string, hasRun: boolean): Promise<TreeState | null>
  /** Releases everything taken before. */
  done(): Promise<void>
}
