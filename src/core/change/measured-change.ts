import type { ProbeReading } from '../verification/types.ts'
import type { TestChanges, TextChange } from './test-changes.ts'
import type { AddedTest } from './types.ts'

/** What was measured about a change; parts that were not measured are left out. */
export interface MeasuredChange {
  readonly changes: readonly TextChange[]
  /** Renamed paths, old and new; they count as changed too. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Whether a path is a file of head, or of the base. */
  readonly isFileNow: (path: string) => boolean
  readonly isFileBefore: (path: string) => boolean
  /** Returns the paths of head and base that end with this path; empty if there are none. */
  readonly endingIn: (path: string) => readonly string[]
  /** Paths that some commit of the change touched, although they are unchanged in the end. */
  readonly touched: ReadonlySet<string>
  /** Whether git ignores it, which means it can't be part of a change. */
  readonly isIgnored: (path: string) => boolean
  readonly isTestFile: (path: string) => boolean
  readonly tests: TestChanges
  /** `null`: the checks were not run, or none of them writes a report. */
  readonly suite: {
    readonly passed: number
    readonly failed: number
    readonly executed: number
    readonly failing: readonly string[]
    readonly added: readonly AddedTest[]
  } | null
  /** Whether every check passed, with the base's check files too; `null` if unknown. */
  readonly isGreen: boolean | null
  /** Whether each check passed, by its name as results show it; `null` if unknown. */
  readonly commands: ReadonlyMap<string, boolean | null>
  /** Readings of the policy's probes at head, if they were read. */
  readonly readings: readonly ProbeReading[]
  readonly probeNames: readonly string[]
  /** For boxes that the policy maps to a check, whether that check passed; `null` if it was not run. */
  readonly boxes: ReadonlyMap<string, { readonly check: string; readonly passed: boolean | null }>
}
