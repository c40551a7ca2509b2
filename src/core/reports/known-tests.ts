import { executedNames, namesNotExecuted } from './lost-names.ts'
import { isOfAWhole, type TestReport } from './test-report.ts'

/** How verified work since the baseline changed the tests of one check. */
export interface KnownTests {
  /** Executed by verified work. */
  readonly names: readonly string[]
  /** In the baseline or in verified work, and removed by later work that was verified or accepted. */
  readonly gone: readonly string[]
}

/** The tests by check. */
export type KnownByCheck = ReadonlyMap<string, KnownTests>

/** What one attempt did with the tests of one check. */
export interface TestsRun {
  readonly executed: readonly string[]
  /** Known names that it did not execute. */
  readonly lost: readonly string[]
}

export const NOTHING_KNOWN: KnownTests = { names: [], gone: [] }

/** More than any real test suite has; limits the size of the document. */
const MAX_NAMES = 20_000

/**
 * Returns the names that every run must execute: those of the baseline and of verified work since, without those that were
 * removed.
 */
export function namesToExecute(base: TestReport | undefined, { names, gone }: KnownTests): readonly string[] {
  const out = new Set(gone)
  const ofBase = base === undefined ? [] : executedNames(base).filter((name) => !out.has(name))
  return [...new Set([...ofBase, ...names])]
}

/** Returns what a run did with the names that it must execute. */
export function runOf(toExecute: readonly string[], now: TestReport): TestsRun {
  return { executed: executedNames(now), lost: namesNotExecuted(toExecute, now) }
}

/** Returns what is known after verified or accepted work. */
export function afterWork({ names, gone }: KnownTests, { executed, lost }: TestsRun): KnownTests {
  const isLost = new Set(lost)
  const isExecuted = new Set(executed)
  return {
    names: eachOnce([...names, ...executed].filter((name) => !isLost.has(name))),
    gone: eachOnce([...gone, ...lost].filter((name) => !isExecuted.has(name))),
  }
}

/** Returns what is known after an accepted loss is undone: the names must be executed again. */
export function afterUndo({ names, gone }: KnownTests, { lost }: TestsRun): KnownTests {
  const isLost = new Set(lost)
  return { names: eachOnce([...names, ...lost]), gone: gone.filter((name) => !isLost.has(name)) }
}

/**
 * Returns what is known after a time in which no agent ran: tests that the last attempt executed and that are gone were removed by the
 * operator. Ignores a truncated report, and a run in which something could not be loaded. If no guarded file was touched, also ignores a
 * red run, which may have ended early, and skipped tests, which the operator did not skip.
 */
export function afterOperator(
  known: KnownTests,
  last: readonly string[],
  now: TestReport,
  isTouched: boolean,
): KnownTests {
  if (now.areNamesCut || now.names.failed.some(isOfAWhole) || (now.failed > 0 && !isTouched)) return known
  const wasExecuted = new Set(last)
  const isThere = new Set([...executedNames(now), ...(isTouched ? [] : now.names.skipped)])
  const removed = (name: string): boolean => wasExecuted.has(name) && !isThere.has(name)
  return known.names.some(removed) ? { ...known, names: known.names.filter((name) => !removed(name)) } : known
}

function eachOnce(names: readonly string[]): readonly string[] {
  return [...new Set(names)].slice(0, MAX_NAMES)
}
