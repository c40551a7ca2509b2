import { isAnalyzer, isStyleChecker, onlyAnalyzes, onlyChecksStyle } from '../custody/analyzers.ts'
import type { VerdictInput } from '../verification/types.ts'

/** Returns whether any check that passed has no report and executes sources: an approved command, a gate, or a probe. */
export function isByExitCodeAlone(input: VerdictInput): boolean {
  return hasUnreported(input, isAnalyzer, onlyAnalyzes)
}

/** Returns whether each check that passed has a report, or only judges how sources are written. */
export function isReportedButForStyle(input: VerdictInput): boolean {
  return !hasUnreported(input, isStyleChecker, onlyChecksStyle)
}

function hasUnreported(
  { after, criteria = [], gates }: VerdictInput,
  isExempt: (words: readonly string[]) => boolean,
  areExempt: (command: string) => boolean,
): boolean {
  return (
    gates.some(({ report, command }) => report === undefined && !isExempt(command)) ||
    [after, ...criteria.map((one) => one.after)].some(
      ({ expression, probes }) =>
        (expression?.kind === 'value' &&
          (expression.byExitCodeAlone ?? []).some((command) => !areExempt(command))) ||
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
