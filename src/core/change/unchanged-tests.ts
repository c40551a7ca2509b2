import { isOnlyDocumentation } from './documentation.ts'
import type { MeasuredChange } from './measured-change.ts'
import { findTestCases, namesTestsBesideOthers, type TestCaseSource } from './test-cases.ts'
import { isUnread, type TextChange } from './test-changes.ts'

/** What happened to tests that existed before. */
export interface FormerTests {
  /** Files in which one was changed or removed. */
  readonly altered: readonly string[]
  /** Files with only additions, or changes outside tests; whether that changes tests is a matter of wording. */
  readonly around: readonly string[]
  /** Files that were changed and could not be read, so nothing is known about their tests. */
  readonly unread: readonly string[]
}

/** Returns the files in which tests of the base were changed, and the other changed test files. Prefers precision. Pure. */
export function formerTests(measured: MeasuredChange): FormerTests {
  const altered: string[] = []
  const around: string[] = []
  const unread: string[] = []
  for (const change of measured.changes) {
    if (!measured.isTestFile(change.path)) continue
    const list = change.before !== null && isAltered(change, measured) ? altered : around
    if (isUnread(change)) unread.push(change.path)
    else list.push(change.path)
  }
  return { altered, around, unread }
}

function isAltered(change: TextChange, { tests, renamed }: MeasuredChange): boolean {
  const { path, before, after } = change
  if (before === null) return false
  const cases = findTestCases(path, before)
  if (after === null)
    return cases.length > 0
      ? tests.removed.some((test) => test.path === path)
      : !renamed.some(({ from }) => from === path)
  if (onlyAdds(before, after) && cases.length === 0) return false
  const now = findTestCases(path, after)
  const isKept = ({ name, body, isSkipped }: TestCaseSource): boolean =>
    now.some((each) => each.name === name && each.body === body && each.isSkipped === isSkipped)
  const isRenamed = ({ name }: TestCaseSource): boolean =>
    !now.some((each) => each.name === name) &&
    !tests.removed.some((test) => test.path === path && test.name === name)
  if (!cases.every((each) => isKept(each) || isRenamed(each))) return true
  if (cases.some(isRenamed) || onlyAdds(before, after) || namesTestsBesideOthers(path)) return false
  return !isOnlyDocumentation({ path, ...withoutImports(before, after) })
}

/** Returns whether every line is still there, in order. */
function onlyAdds(before: string, after: string): boolean {
  const lines = after.split('\n').map((line) => line.trim())
  let at = 0
  for (const line of before.split('\n')) {
    at = lines.indexOf(line.trim(), at) + 1
    if (at === 0) return false
  }
  return true
}

const IMPORT =
  /^[ \t]*(?:import\b|from\s+\S+\s+import\b|export\s.*\bfrom\b|use\s|using\s|package\s|#include\b|require\b|(?:const|let|var)\s.*\brequire\().*$/gm

/** Removes imports, which change when the tested code moves. */
function withoutImports(before: string, after: string): { readonly before: string; readonly after: string } {
  return { before: before.replace(IMPORT, ''), after: after.replace(IMPORT, '') }
}
