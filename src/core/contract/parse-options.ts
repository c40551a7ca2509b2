import type { ExitCodeChecks } from './exit-code-hint.ts'

export interface ParseOptions {
  /** Names of the configured probes. If omitted, no name counts as unknown. */
  readonly probeNames?: readonly string[]
  /** The probes that read a test report, whose keys are known. None if omitted. */
  readonly reportProbes?: readonly string[]
  /** If omitted, checks that depend only on exit codes are not reported. */
  readonly exitCodes?: ExitCodeChecks
}
