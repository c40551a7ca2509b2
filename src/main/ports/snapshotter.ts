import type { ProtectedChange } from '../../core/verification/protected-files.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import type { CommittedFile, UnsavedFile } from './attempt-undo.ts'
import type { EarlierFiles } from './custody.ts'

/** The state of a folder's files at one moment, by content. Opaque to everyone but the snapshotter. */
export interface Snapshot {
  readonly kind: 'git' | 'walk'
}

/** What the operator's protected files asked for at one moment. Opaque to everyone but the snapshotter. */
export interface ProtectedFiles {
  readonly isProtected: (path: string) => boolean
}

/** The texts of files before they were changed. Opaque to everyone but the snapshotter. */
export interface KeptTexts {
  readonly snapshot: Snapshot
}

/** What git would commit of a work tree. */
export interface TreeState {
  /** The commit that is checked out. */
  readonly commit: string
  readonly tree: string
  /** The tree is another than the commit's. */
  readonly isDirty: boolean
}

export interface Snapshotter {
  /** The folder will be looked at in a moment: what git runs in is made meanwhile. Never rejects. */
  expectLook(directory: string): Promise<void>
  /**
   * Reads the folder's state. Never rejects for odd files: what cannot be read is said in the difference. `patterns`: those that
   * `takeProtected` will be asked for; what tells them is made ready while git is at work. `asked`: paths that a check goes by, which
   * are read where git ignores them, too.
   */
  take(directory: string, patterns?: readonly string[], asked?: readonly string[]): Promise<Snapshot>
  /** What changed between two snapshots of the same folder. */
  difference(before: Snapshot, after: Snapshot): Promise<FileDifference>
  /** Notes what the files under `patterns` (globs) ask for at the moment of `snapshot`. Never rejects. */
  takeProtected(snapshot: Snapshot, patterns: readonly string[]): Promise<ProtectedFiles>
  /** The protected files of a difference, with what they asked for before and ask for now. Never rejects. */
  protectedChanges(before: ProtectedFiles, difference: FileDifference): Promise<readonly ProtectedChange[]>
  /** Keeps the texts of files at the moment of `snapshot` that could not be read again once they are changed. Never rejects. */
  keepTexts(snapshot: Snapshot): Promise<KeptTexts>
  /** The difference as unified patches of at most `maxBytes`, one below the other. Never rejects. */
  patch(before: KeptTexts, difference: FileDifference, maxBytes: number): Promise<string>
  /** What a difference changed, as it was before; `null` where that is not known of all of it. Never rejects. */
  filesBefore(before: KeptTexts, difference: FileDifference): Promise<EarlierFiles | null>
  /** The files that nothing but the folder held at the moment of `snapshot`. */
  unsaved(snapshot: Snapshot): Promise<readonly UnsavedFile[]>
  /** What of a difference the repository held at that moment, by path. Never rejects. */
  committed(snapshot: Snapshot, difference: FileDifference): Promise<ReadonlyMap<string, CommittedFile>>
  /** Whether the repository had uncommitted changes; false where the folder is in none. */
  isDirty(snapshot: Snapshot): Promise<boolean>
  /**
   * Whether a claimed path can be measured: inside the folder and not ignored by git; else why not, in words. What `difference`
   * shows has been measured, so nobody is asked about it: most claims cost nothing.
   */
  measurable(
    directory: string,
    paths: readonly string[],
    difference: FileDifference,
  ): Promise<readonly (true | string)[]>
  /**
   * What stood in the folder at the moment of `snapshot` whose path ends in one of `ends`, by end; `too many` where there is too much to
   * look through. Never rejects.
   */
  endingIn(
    snapshot: Snapshot,
    ends: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]> | 'too many'>
  /** The tree of the folder's work tree as it stands; `null` where there is none, or git cannot tell. Never rejects. */
  treeNow(directory: string): Promise<TreeState | null>
  /** Nothing that was taken before is asked about any more. */
  done(): Promise<void>
}
