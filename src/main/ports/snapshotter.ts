import type { FileDifference } from '../../core/verification/types.ts'

/** The state of a folder's files at one moment, by content. Opaque to everyone but the snapshotter. */
export interface Snapshot {
  readonly kind: 'git' | 'walk'
}

export interface Snapshotter {
  /** Reads the folder's state. Never rejects for odd files: what cannot be read is said in the difference. */
  take(directory: string): Promise<Snapshot>
  /** What changed between two snapshots of the same folder. */
  difference(before: Snapshot, after: Snapshot): Promise<FileDifference>
  /** Whether the repository had uncommitted changes; false where the folder is in none. */
  isDirty(snapshot: Snapshot): boolean
  /**
   * Whether a claimed path can be measured: inside the folder and not ignored by git; else why not, in words. What `difference`
   * shows has been measured, so nobody is asked about it: most claims cost nothing.
   */
  measurable(
    directory: string,
    paths: readonly string[],
    difference: FileDifference,
  ): Promise<readonly (true | string)[]>
}
