import { findTestCases, type TestCaseSource } from './test-cases.ts'

/*
 * Tests in files that have no test's name or folder: they are passed to a runner (`mocha checks/cart.mjs`), or its
 * configuration finds them (`include`, `python_files`).
 */

interface Rule {
  readonly files: RegExp
  /** Matches a test that compares something. Without one, it may be a function of the work that just has a test's name. */
  readonly compares: RegExp
  /** Matches a file that also contains what others use, so that only its tests count. */
  readonly offers: RegExp
}

const NEVER = /(?!)/
const RULES: readonly Rule[] = [
  {
    files: /\.[cm]?[jt]sx?$/i,
    compares: /\bassert|\bexpect\b|\bshould\b|\bt\.\w+\s?\(|\b(?:deep)?equals?\s?\(/i,
    offers: /^[ \t]*(?:export\b(?!\s*\{\s*\})|module\.exports\b|exports\.)/m,
  },
  {
    files: /\.py$/i,
    compares: /\bassert|\braises\b/,
    offers:
      /^(?:(?:async[ \t]+)?def[ \t]+(?!_*test|set_?up|tear_?down)|class[ \t]+(?!\w*Test|\w+\([^)\n]*Test))/im,
  },
  { files: /\.rb$/i, compares: /\bassert|\bexpect\b|\bmust_|\bshould\b/, offers: /^class[ \t]+(?!\w*Test)/m },
  {
    files: /\.php$/i,
    compares: /->assert|::assert|\bexpect\(/,
    offers: /^(?!.*Test)[^*\n]*\bclass[ \t]+\w/m,
  },
  { files: /\.(?:java|kts?|groovy|scala|cs)$/i, compares: /assert|expect|should|verify/i, offers: NEVER },
  // Such frameworks let sources contain their tests.
  {
    files: /\.(?:c|cc|cpp|cxx)$/i,
    compares: /\b(?:EXPECT|ASSERT|CHECK|REQUIRE|BOOST)_?\w*\s?\(/,
    offers: /^/,
  },
]
/** How tests are declared. A file without any of these executes no tests, whatever it did before. */
const DECLARES = /test|\b(?:it|specify|example|scenario|fact|theory)\b/i

/** Returns whether a file of this kind may be tests, whatever it is called. */
export function mayConsistOfTests(path: string): boolean {
  return RULES.some(({ files }) => files.test(path))
}

/** Returns whether a text of such a file may declare tests. */
export function mayDeclareTests(text: string): boolean {
  return DECLARES.test(text)
}

/**
 * Returns the current text with its changed tests as before; the whole earlier text if the file only has tests. Omits removed
 * tests, because they are known by name. Pure; never throws.
 */
export function withFormerCases(path: string, before: string, after: string): string {
  const rule = RULES.find(({ files }) => files.test(path))
  if (rule === undefined || before === after) return after
  const former = findTestCases(path, before).filter(
    ({ isUncollected, body }) => !isUncollected && rule.compares.test(body),
  )
  if (former.length === 0) return after
  return rule.offers.test(before) ? withCases(path, former, before, after) : before
}

function withCases(path: string, former: readonly TestCaseSource[], before: string, after: string): string {
  const now = new Map(findTestCases(path, after).map((test) => [test.name, test]))
  const [old, lines] = [before.split('\n'), after.split('\n')]
  const changed = former.flatMap((was) => {
    const is = now.get(was.name)
    return is === undefined || isSame(was, is) ? [] : [{ was: was.lines, is: is.lines }]
  })
  // Start at the end, so that the positions of those above stay the same.
  let end = Number.POSITIVE_INFINITY
  for (const { was, is } of changed.sort((one, other) => other.is.first - one.is.first)) {
    if (is.last >= end) continue
    lines.splice(is.first - 1, is.last - is.first + 1, ...old.slice(was.first - 1, was.last))
    end = is.first
  }
  return lines.join('\n')
}

function isSame(one: TestCaseSource, other: TestCaseSource): boolean {
  return one.body === other.body && one.marks === other.marks && one.isSkipped === other.isSkipped
}
