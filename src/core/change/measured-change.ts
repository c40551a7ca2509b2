import type { ProbeReading } from '../verification/types.ts'
import type { TestChanges, TextChange } from './test-changes.ts'
import type { AddedTest } from './types.ts'

/** What was measured of a change, as far as it was. */
export interface MeasuredChange {
  readonly changes: readonly TextChange[]
  /** Names that were renamed away, with where to; their paths count as changed too. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Whether a path is a file of the head, or of the base. */
  readonly isFileNow: (path: string) => boolean
  readonly isFileBefore: (path: string) => boolean
  /** Paths of all files of head and base that end so; empty if there are none. */
  readonly endingIn: (path: string) => readonly string[]
  /** Paths that some commit of the change touched, though nothing of that is left. */
  readonly touched: ReadonlySet<string>
  /** Whether git ignores it: then it cannot be part of a change. */
  readonly isIgnored: (path: string) => boolean
  readonly isTestFile: (path: string) => boolean
  readonly tests: TestChanges
  /** `null`: the checks were not run, or none of them reports. */
  readonly suite: {
    readonly passed: number
    readonly failed: number
    readonly executed: number
    readonly failing: readonly string[]
    readonly added: readonly AddedTest[]
  } | null
  /** Whether every check passed, with the base's check files too; `null`: it is not known. */
  readonly isGreen: boolean | null
  /** By the check's name, as results show it, whether it passed; `null`: it is not known. */
  readonly commands: ReadonlyMap<string, boolean | null>
  /** Of the policy's probes at head, as far as they were read. */
  readonly readings: readonly ProbeReading[]
  readonly probeNames: readonly string[]
  /** Of boxes that the policy maps to a check: whether that passed; `null`: not run. */
  readonly boxes: ReadonlyMap<string, { readonly check: string; readonly passed: boolean | null }>
}
