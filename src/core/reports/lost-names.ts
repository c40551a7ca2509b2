import { isOfAWhole, type TestReport } from './test-report.ts'

/**
 * The names that the base executed and this run did not, in order: skipped, gone or never reached. Where one of the reports
 * kept only the first names of many, only those before its end are compared.
 */
export function lostNames(base: TestReport, now: TestReport): readonly string[] {
  return namesNotExecuted(executedNames(base), now)
}

/** Returns those of the names that this run did not execute, in order. */
export function namesNotExecuted(names: readonly string[], now: TestReport): readonly string[] {
  const executedNow = new Set(executedNames(now))
  const end = now.areNamesCut ? lastName(now) : null
  return names.filter((name) => !executedNow.has(name) && (end === null || name < end)).sort()
}

/** Whether `now` is red by exactly the names that were red in the base: then it is not this attempt's doing. */
export function isRedAsInBase(base: TestReport, now: TestReport): boolean {
  if (now.failed === 0 || base.areNamesCut || now.areNamesCut) return false
  const before = new Set(base.names.failed)
  return before.size === now.names.failed.length && now.names.failed.every((name) => before.has(name))
}

/** Whether `now` passes every test that the base executed, and nothing else of it is red. A base without tests asks for none. */
export function passesAllOf(base: TestReport, now: TestReport): boolean {
  if (base.areNamesCut || now.areNamesCut) return false
  if (base.executed === 0) return now.executed === 0
  const passed = new Set(now.names.passed)
  return now.failed === 0 && executedNames(base).every((name) => passed.has(name))
}

/** Returns the names of the tests that ran. Where a file could not be loaded, the names of its tests come with the repair, and that of the file goes. */
export function executedNames({ names }: TestReport): readonly string[] {
  return [...names.passed, ...names.failed.filter((name) => !isOfAWhole(name))]
}

function lastName({ names }: TestReport): string {
  return [...names.passed, ...names.failed, ...names.skipped].reduce(
    (one, other) => (one > other ? one : other),
    '',
  )
}
