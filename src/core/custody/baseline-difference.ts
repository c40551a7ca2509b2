import type { DifferenceKind } from '../vocabulary/evidence.ts'
import type { ChangedLines } from './followed-renames.ts'
import type { MovedTest } from './moved-tests.ts'

/** The check that executes a file: a probe by its name, a gate, an approved command, or the judge. */
export type CheckName = `probe ${string}` | 'gate' | 'command' | 'judge'

/** A file that steers checks and differs from the baseline. Paths are relative to the workspace, with `/`; above it with `..`. */
export interface BaseDifference {
  readonly path: string
  readonly kind: DifferenceKind
  readonly isProtected: boolean
  readonly executedBy: readonly CheckName[]
  /** The attempt that left it in this state; `null` if it changed after the last attempt ended. `operator` if it waits for approval. */
  readonly attemptId: string | null | 'operator'
  /** For git's index: files that still exist but that git no longer shows. */
  readonly hides?: readonly string[]
  /** Set for a new file whose mere existence makes a check do less: it is named like a make target, or like a program that it shadows. */
  readonly standsIn?: true
  /** The lines of a test that differ, if they are few enough to only follow renamed sources or functions. */
  readonly lines?: ChangedLines
  /** For a new test: the deleted one that it may be. */
  readonly moved?: MovedTest
}

/**
 * A source that, since an attempt changed it, reaches for the program that runs its tests, and waits for the operator. The path is relative
 * to the workspace.
 */
export interface ReachingSource {
  readonly path: string
  /** What it reaches for, in words. */
  readonly words: readonly string[]
  readonly attemptId: string
}
