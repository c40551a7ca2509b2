import { isOfAWhole, type TestReport } from './test-report.ts'

/**
 * Returns the baseline's report once everything that failed in it has passed: if it fails again, the attempt that broke it is
 * responsible.
 */
export function afterGreen(base: TestReport): TestReport {
  const { names, skipped } = base
  const tests = names.failed.filter((name) => !isOfAWhole(name))
  return {
    ...base,
    passed: base.executed,
    failed: 0,
    total: base.executed + skipped,
    names: { ...names, passed: [...names.passed, ...tests].sort(), failed: [] },
  }
}
