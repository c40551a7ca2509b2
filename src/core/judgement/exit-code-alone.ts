import { isAnalyzer, onlyAnalyzes } from '../custody/analyzers.ts'
import type { VerdictInput } from '../verification/types.ts'

/** Returns whether any check that passed has no report and executes sources: an approved command, a gate, or a probe. */
export function isByExitCodeAlone({ after, criteria = [], gates }: VerdictInput): boolean {
  return (
    gates.some(({ report, command }) => report === undefined && !isAnalyzer(command)) ||
    [after, ...criteria.map((one) => one.after)].some(
      ({ expression, probes }) =>
        (expression?.kind === 'value' &&
          (expression.byExitCodeAlone ?? []).some((command) => !onlyAnalyzes(command))) ||
        probes.some((probe) => probe.kind === 'value' && probe.report === undefined),
    )
  )
}

/**
 * Returns whether a report's test passed because a whole program exited with success: those of ctest, which are named twice,
 * and files that contain no tests, which `node --test` runs.
 */
export function isOfProgram(name: string): boolean {
  return /^(.+) > \1$/.test(name) || /^[^\s>]+\.[cm]?[jt]sx?$/.test(name)
}
