import { mayContainExamples, withFormerExamples } from './doc-examples.ts'
import {
  codeOf,
  findBlockNamed,
  findTestBlocks,
  type Lines,
  linesOf,
  namesTests,
  type TestBlock,
} from './test-cases.ts'
import { isSameTest, type Located, matchTests, type TextChange } from './test-changes.ts'
import { withFormerCases } from './test-files.ts'
import { TEST_SYNTAXES } from './test-syntaxes.ts'

/** A source with the tests that it contains, and the examples of its documentation, as they were before. */
export interface FormerTests {
  readonly path: string
  readonly text: string
}

/** Returns whether sources of this kind can contain their own tests. */
export function containsTests(path: string): boolean {
  return TEST_SYNTAXES.some(({ files, own }) => own !== undefined && files.test(path))
}

/** Whether a file of this kind can declare tests, or contain examples that are executed as tests. */
export function mayContainTests(path: string): boolean {
  return namesTests(path) || mayContainExamples(path)
}

/**
 * Returns the sources in which a change did more to their own tests than add, move or rename some, or in whose documentation
 * an example was lost or changed, with these tests and examples as before. Omits removed tests, which are known by name.
 * Pure; never throws.
 */
export function findFormerTests(changes: readonly TextChange[]): readonly FormerTests[] {
  const { matched, added } = matchTests(changes)
  const elsewhere = [...matched].filter(
    ([before, now]) => isSameTest(before, now) && (before.path !== now.path || before.name !== now.name),
  )
  const went = elsewhere.map(([before]) => before)
  const came = [...added, ...elsewhere.map(([, now]) => now)]
  return changes.flatMap(({ path, before, after }): FormerTests[] => {
    if (before === null || after === null || before === after) return []
    const blocks = withFormerTests({ path, before, after }, linesIn(path, went), linesIn(path, came))
    const tests = withFormerCases(path, before, blocks)
    const text = withFormerExamples({ path, before, after: tests })
    return text === after ? [] : [{ path, text }]
  })
}

/**
 * Returns the sources whose tests came from another source and now require something else. A file that is built under another
 * one's name has the same test names. Pure; never throws.
 */
export function findChangedMoves(changes: readonly TextChange[]): readonly string[] {
  const blocks = new Map(changes.map(({ path, before }) => [path, findTestBlocks(path, before ?? '')]))
  const wasOwn = ({ path, line }: Located): boolean =>
    blocks.get(path)?.some(({ lines: { first, last } }) => line >= first && line <= last) === true
  const moved = [...matchTests(changes).matched].filter(
    ([before, now]) => before.path !== now.path && !isSameTest(before, now) && wasOwn(before),
  )
  return [...new Set(moved.map(([, { path }]) => path))]
}

function linesIn(path: string, tests: readonly Located[]): readonly Lines[] {
  return tests.flatMap((test) => (test.path === path ? [test.lines] : []))
}

interface BothTexts {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Returns the new text with each changed test block as before, minus the tests that are elsewhere now. */
function withFormerTests(
  { path, before, after }: BothTexts,
  went: readonly Lines[],
  came: readonly Lines[],
): string {
  return findTestBlocks(path, before).reduce((text, block) => {
    const now = findBlockNamed(path, text, block.name)
    // Restored blocks above may have moved lines, so the positions of new tests come from the new text.
    const inNow = findBlockNamed(path, after, block.name)
    if (now === undefined || inNow === undefined) return text
    const isSame = codeOf(path, before, block.lines, went) === codeOf(path, after, inNow.lines, came)
    return isSame ? text : replaced(text, now, linesOf(before, block.lines, went))
  }, after)
}

function replaced(text: string, { lines: { first, last } }: TestBlock, by: readonly string[]): string {
  const lines = text.split('\n')
  return [...lines.slice(0, first - 1), ...by, ...lines.slice(last)].join('\n')
}
