import type { DifferenceKind } from '../vocabulary/evidence.ts'

/** Which check executes a file: a probe by its name, some gate, an approved command, the judge. */
export type CheckName = `probe ${string}` | 'gate' | 'command' | 'judge'

/** A file that steers checks and differs from the baseline. Paths are from the workspace, with `/`; above it with `..`. */
export interface BaseDifference {
  readonly path: string
  readonly kind: DifferenceKind
  readonly isProtected: boolean
  readonly executedBy: readonly CheckName[]
  /** The attempt that left it like this; `null`: it changed after the last attempt ended. `operator`: waits for approval. */
  readonly attemptId: string | null | 'operator'
  /** Of git's index: the files that are still there and that git no longer shows. */
  readonly hides?: readonly string[]
  /** A new file by whose mere existence a check does less: named like a target, or like a program that it shadows. */
  readonly standsIn?: true
}

/** A source that reaches for what runs its tests since an attempt changed it, and waits for the operator. The path is from the workspace. */
export interface ReachingSource {
  readonly path: string
  /** For what, in words. */
  readonly words: readonly string[]
  readonly attemptId: string
}
