import type { ExitCodeChecks } from './exit-code-hint.ts'

export interface ParseOptions {
  /** Names of the configured probes; where they are not given, no name counts as unknown. */
  readonly probeNames?: readonly string[]
  /** Those of them that read a test report, whose keys are known. Left out: none. */
  readonly reportProbes?: readonly string[]
  /** Left out: nothing is said of hints that rest on exit codes. */
  readonly exitCodes?: ExitCodeChecks
}
