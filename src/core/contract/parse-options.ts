import type { ExitCodeChecks } from './exit-code-hint.ts'

export interface ParseOptions {
  /** Names of the configured probes. If left out, no name counts as unknown. */
  readonly probeNames?: readonly string[]
  /** The probes that read a test report, whose keys are known. If left out: none. */
  readonly reportProbes?: readonly string[]
  /** If left out, checks that depend only on exit codes are not reported. */
  readonly exitCodes?: ExitCodeChecks
}
