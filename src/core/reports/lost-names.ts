import { isNotLoaded, isOfAWhole, type TestReport } from './test-report.ts'

/**
 * Returns the names that the baseline executed and this run did not, in order: skipped, gone or never reached. If one of the
 * reports kept only the first of many names, compares only the names before its end.
 */
export function lostNames(base: TestReport, now: TestReport): readonly string[] {
  return namesNotExecuted(executedNames(base), now)
}

/**
 * Returns the names that this run did not execute, in order. If the report was cut and its later names are not known, these are not
 * compared, unless the report has at least twice as many names as are asked about: then new tests that sort first could hide every missing
 * one.
 */
export function namesNotExecuted(names: readonly string[], now: TestReport): readonly string[] {
  const executedNow = new Set([...executedNames(now), ...(now.executedLater ?? [])])
  const isPadded = executedNow.size >= 2 * names.length
  const end = now.areNamesCut && now.executedLater === undefined && !isPadded ? lastName(now) : null
  return names.filter((name) => !executedNow.has(name) && (end === null || name < end)).sort()
}

/** Returns whether the failures of `now` are exactly those of the baseline. If so, this attempt didn't cause them. */
export function isRedAsInBase(base: TestReport, now: TestReport): boolean {
  if (now.failed === 0 || base.areNamesCut || now.areNamesCut) return false
  const before = new Set(base.names.failed)
  return before.size === now.names.failed.length && now.names.failed.every((name) => before.has(name))
}

/**
 * Returns the names that fail now and did not fail in the baseline; `null` if one of the reports kept only the first of many names. If
 * the baseline could not load a file, tests that it did not execute may be from there, and are no new failures.
 */
export function newlyFailing(base: TestReport, now: TestReport): readonly string[] | null {
  if (base.areNamesCut || now.areNamesCut) return null
  const [failed, passed] = [new Set(base.names.failed), new Set(base.names.passed)]
  const wasLoaded = !base.names.failed.some(isOfAWhole)
  return now.names.failed.filter(
    (name) => !failed.has(name) && (wasLoaded || passed.has(name) || isOfAWhole(name)),
  )
}

/**
 * Returns whether `now` passes every test that the baseline executed and nothing else fails. A baseline without tests requires
 * none; one whose tests could not be built or loaded has tests that were never seen to pass.
 */
export function passesAllOf(base: TestReport, now: TestReport): boolean {
  if (base.areNamesCut || now.areNamesCut) return false
  if (base.executed === 0) return now.executed === 0 && !couldNotLoad(base) && !couldNotLoad(now)
  const passed = new Set(now.names.passed)
  return now.failed === 0 && executedNames(base).every((name) => passed.has(name))
}

function couldNotLoad({ names }: TestReport): boolean {
  return names.failed.some(isNotLoaded)
}

/** Returns the names of the tests that ran. If a file could not be loaded, a fix adds the names of its tests and removes that of the file. */
export function executedNames({ names }: TestReport): readonly string[] {
  return [...names.passed, ...names.failed.filter((name) => !isOfAWhole(name))]
}

function lastName({ names }: TestReport): string {
  return [...names.passed, ...names.failed, ...names.skipped].reduce(
    (one, other) => (one > other ? one : other),
    '',
  )
}
