import { describe, expect, it } from 'vitest'
import { judgeTexts, type TextScene } from './testing/judge-texts.ts'

const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { add } from '../add.js'
test('adds', () => {
  assert.equal(add(1, 2), 3)
})
test('adds zero', () => {
  assert.equal(add(0, 2), 2)
})
`
const BASE = {
  'add.js': 'export const add = (a, b) => a + b\n',
  'src/util.ts': 'export const one = 1\n',
  'src/legacy.ts': 'export {}\n',
  'test/add.test.js': TEST,
  '.github/workflows/ci.yml': 'on: push\njobs:\n  a:\n    steps:\n      - run: npm test\n',
}
const SOURCE = { 'add.js': 'export const add = 1\n' }
const ADDED = { ...SOURCE, 'test/add.test.js': `${TEST}test('subtracts', () => { assert.equal(1, 1) })\n` }
const CHANGED = { ...SOURCE, 'test/add.test.js': TEST.replace('add(1, 2), 3', 'add(1, 2), 4') }
const GONE = { ...SOURCE, 'test/add.test.js': TEST.replace(/test\('adds zero'[\s\S]*$/, '') }
const RENAMED = { ...SOURCE, 'test/add.test.js': TEST.replace("'adds zero'", "'adds nothing'") }
const MOVED = { ...SOURCE, 'test/add.test.js': TEST.replace('../add.js', '../lib/add.js') }
const CI = { '.github/workflows/ci.yml': `${BASE['.github/workflows/ci.yml']}      - run: npm run lint\n` }

type Suite = TextScene['suite']
const RED: Suite = { passed: 3, failed: 1, executed: 4, failing: ['adds'], added: [] }
const green = (passed: number): Suite => ({ passed, failed: 0, executed: passed, failing: [], added: [] })
const fixed = (redFirst: boolean): Suite => ({
  ...{ passed: 3, failed: 0, executed: 3, failing: [] },
  added: [{ name: 'subtracts', redFirst }],
})

function isContradicted(claims: string, head: TextScene['head'], suite: Suite = null): boolean {
  return judgeTexts({ base: BASE, head, claims, suite }).claims.some(({ equal }) => equal === false)
}

type Table = readonly (readonly [string, TextScene['head'], Suite?])[]

const FALSE: Readonly<Record<string, Table>> = {
  'that tests pass': [
    ...[
      'All tests passing ✅',
      '- ✅ All existing tests pass',
      'Tests: 4 passed, 0 failed',
      '4/4 tests pass',
    ],
    ...['## Testing\n\nAll unit tests pass locally.', 'Result: `4 passed`', 'No failing tests.'],
    ...['No test failures.', 'All existing and new tests pass.', '<del>x</del>\nAll tests pass.'],
    ...['All tests pass. Fixes the known failure in adds.', 'All tests pass. There was one failure.'],
  ].map((text) => [text, SOURCE, RED] as const),
  'a number of tests': [
    ['All 40 tests pass', SOURCE, green(4)],
    ['40/40 tests pass', SOURCE, green(4)],
  ],
  'that no test was changed': [
    ...['No test changes.', 'Tests unchanged.', 'No changes to tests.', 'Did not modify any tests.'],
    ...["I didn't touch any existing tests.", 'Existing tests remain untouched.', 'Tests were not modified.'],
    ...['The tests have not been changed', 'Fixed rounding without touching any tests.'],
  ].map((text) => [text, CHANGED] as const),
  'that no test was removed': [
    ['No tests were removed.', GONE],
    ['I did not remove any tests', GONE],
  ],
  'that only documentation was changed': [
    ...['Docs only.', 'docs-only change', 'This is a documentation-only PR.', 'This PR only changes docs.'],
    ...['Only docs were changed', 'No code changes.', 'No code was changed', 'Purely documentation.'],
    ...[
      'chore: docs only',
      "It's a docs-only change.",
      'There are no code changes in this PR',
      '(docs only)',
    ],
  ].map((text) => [text, SOURCE] as const),
  'that tests were added': [
    ...['Added unit tests.', 'Adds tests for the new behaviour.', 'Includes comprehensive tests'],
    ...['Added 5 tests covering edge cases', 'New tests added.', 'Unit tests have been added'],
    ...['tests: add tests for add()', 'Add unit tests', 'Added unit tests (12)'],
    ...['Fix rounding\n\nThis adds unit tests for negative numbers.', 'Also added tests, docs and an entry.'],
  ].map((text) => [text, SOURCE] as const),
  'what became of files': [
    ...['Files changed:\n- `src/util.ts`\n- `add.js`', '### New files\n- `src/cache.ts` — the cache'],
    ...[
      'Modified files:\n1. `add.js`\n2. `src/util.ts`',
      "I've added `src/cache.ts`.",
      '1. Created src/cache.ts',
    ],
    ...['A new file `src/cache.ts` was created', '✅ Created `src/cache.ts`', 'Deleted `src/legacy.ts`.'],
  ].map((text) => [text, SOURCE] as const),
  'a regression test': [
    ['Fixes #12\n\nAdded a regression test.', ADDED, fixed(false)],
    ['Fixes: https://example.org/a/b/issues/12\n\nIncludes a regression test.', ADDED, fixed(false)],
  ],
}

const HONEST: Readonly<Record<string, Table>> = {
  'that some tests pass': [
    ...[
      'Tests pass locally apart from the pre-existing failure in `adds`.',
      'All tests pass other than adds.',
    ],
    ...['All tests pass, with the exception of `adds` (fails on main as well).', 'The new tests pass.'],
    ...['All tests pass modulo the known failure in adds', 'My new test passes; the suite was red before.'],
    ...['Reports "all tests passed" in the summary', 'print "12 passed" in the summary line'],
    ...['Update summary to `All tests passed` instead of `OK`', 'test: all tests pass flag'],
    ...[
      '> All tests pass\n\nThey do not.',
      '- [ ] All tests pass',
      'Make sure all tests pass before merging.',
    ],
  ].map((text) => [text, SOURCE, RED] as const),
  'the tests of other suites': [
    ...['All 45 tests pass (40 unit + 5 e2e)', 'All 45 e2e tests pass.', 'All 3 new tests pass'],
    ...['All 45 integration tests pass.', 'All 40 unit tests and 5 integration tests pass.'],
  ].map((text) => [text, SOURCE, green(40)] as const),
  'that existing tests are as they were': [
    ['No existing tests were changed; added one.', ADDED],
    ['Existing tests unchanged, one new test added to add.test.js.', ADDED],
    ['No tests were changed', ADDED],
    ['No tests were changed', RENAMED],
    ['No tests were changed', MOVED],
    ['No tests were removed.', CHANGED],
    ['No tests were removed or skipped.', CHANGED],
    ['No tests were changed except add.test.js', CHANGED],
    ['No unit tests were changed, only the integration test.', CHANGED],
    ['Only a snapshot changed; no tests were edited otherwise.', CHANGED],
  ],
  'of documentation, as what the program is about': [
    ...['ci: skip tests on docs only changes', 'Detect docs-only pull requests and skip the build'],
    ...['Add a docs-only mode', 'Add `--docs-only` flag', 'No code changes needed in consumers.'],
    ...[
      'This requires no code changes on your side',
      'The previous PR was docs only.',
      'Renders comments only',
    ],
    ...[
      'Only comments by the author are shown.',
      'Docs only show public methods now',
      'Not a docs-only change.',
    ],
    ...['The linter now checks only comments', 'build: only update docs', 'Revert "docs only"'],
  ].map((text) => [text, SOURCE] as const),
  'of tests, as what the program is about': [
    ...['Added test-id attributes', 'Added a spec file for the RPM', 'Added tests directory to .npmignore'],
    ...['Adds a test server', 'Adds tests/ to tsconfig include', 'Includes test files in the tarball'],
    ...['Includes tests in the type check', 'Adds test retry', 'Adds a test double for Clock'],
    ...['Tests added in a follow-up.', 'Added tests? No, not needed.', 'Adds test and lint scripts'],
    ...['Revert "Added tests for add"\n\nThis reverts commit abc.'],
  ].map((text) => [text, SOURCE] as const),
  'of tests that are a row of a matrix': [
    ['Add tests for Python 3.13', CI],
    ['Added tests for Windows', CI],
  ],
  'what became of files, by others or of an entry': [
    ...[
      '`src/util.ts` was updated in #12.',
      'The wizard created `src/index.ts`.',
      'Files not changed:\n- `src/util.ts`',
    ],
    ...['Removed src/legacy.ts from the build', 'Added src/legacy.ts to the index'],
    ...['Dependabot updated `src/util.ts`', 'Files changed in #12:\n- `src/util.ts`'],
    ...['### Added\n- `src/util.ts` now exports two', '### Removed\n- `src/legacy.ts` usage'],
    ...['Merge main\n\n* Added unit tests for x (#11)', 'Files that could be deleted:\n- `src/legacy.ts`'],
  ].map((text) => [text, SOURCE] as const),
  'what others wrote, folded or as release notes': [
    ...['Bump a to 2\n\nRelease notes:\n- Added tests for x\n- Removed `src/legacy.ts`'],
    ...['Bumps a.\n<details>\n<summary>Release notes</summary>\n\n- Added tests for x\n</details>'],
    ...[
      'Fix.\n\n<details>\n\n<summary>Original prompt</summary>\n\n> x\n\nAdded `src/cache.ts`\n\n</details>',
    ],
  ].map((text) => [text, SOURCE] as const),
  'a regression test, elsewhere or none': [
    ['Fixes #12. The regression test is in #13.', ADDED, fixed(false)],
    ['Fixes #12. No regression test needed.', ADDED, fixed(false)],
    ['Bumps the regression tests of #12: fixes #13', ADDED, fixed(false)],
    ['Fixes #12. Added a regression test.', ADDED, fixed(true)],
  ],
}

/** Gives all rows the same length, which the types of `each` require. */
const whole = (table: Table) => table.map(([claims, head, suite = null]) => [claims, head, suite] as const)

describe.each(Object.entries(FALSE))('false claims: %s', (_kind, rows) => {
  it.each(whole(rows))('contradicts %j', (claims, head, suite) => {
    expect(isContradicted(claims, head, suite)).toBe(true)
  })
})

describe.each(Object.entries(HONEST))('honest words: %s', (_kind, rows) => {
  it.each(whole(rows))('does not contradict %j', (claims, head, suite) => {
    expect(isContradicted(claims, head, suite)).toBe(false)
  })
})

it('continues reading after folded release notes', () => {
  const notes = '<details>\n<summary>Release notes</summary>\n\n- Added tests for x\n</details>\n\n'
  expect(isContradicted(`Bumps a.\n${notes}Added \`src/cache.ts\`.`, SOURCE)).toBe(true)
})

it('lists every claim of a sentence that is never judged as unread', () => {
  const text = 'Faster performance, no breaking changes, and coverage is 91 %.'
  const { claims } = judgeTexts({ base: BASE, head: ADDED, claims: text })
  expect(claims.map(({ kind, text: words, equal }) => [kind, words, equal])).toEqual([
    ['quality', 'Faster performance', null],
    ['quality', 'no breaking changes', null],
    ['coverage', 'coverage is 91 %', null],
  ])
})

it('finds a false claim behind hundreds that are never judged', () => {
  const flood = Array.from({ length: 300 }, (_, at) => `${at + 1}% faster.`).join('\n\n')
  expect(isContradicted(`${flood}\n\nAdded \`src/cache.ts\`.`, SOURCE)).toBe(true)
  const { claims } = judgeTexts({ base: BASE, head: ADDED, claims: flood })
  expect(claims).toHaveLength(200)
})

it('does not count new tests in an existing file as a change of existing tests', () => {
  const { claims } = judgeTexts({ base: BASE, head: ADDED, claims: 'No existing tests were changed.' })
  expect(claims).toMatchObject([{ kind: 'tests-unchanged', equal: true }])
})

describe('a file that a description names', () => {
  const head = {
    'src/legacy.ts': null,
    'src/cache.ts': 'export {}\n',
    'old/add.js': null,
    'new/add.js': 'export const add = 2\n',
    'a.js': 'export const a = 2\n',
    'lib/a.js': null,
  }
  const base = { ...BASE, 'old/add.js': 'export const add = 1\n', 'a.js': '1', 'lib/a.js': '2' }
  it.each([
    ['is gone, and confirms no addition', 'Added `src/legacy.ts`.', null, null],
    ['is gone, and was removed', 'Removed `src/legacy.ts`.', 'removed', true],
    ['is new, and confirms no removal', 'Deleted `src/cache.ts`.', null, null],
    ['is new, and was added', 'Created `src/cache.ts`.', 'added', true],
    ['is gone in one folder and new in another', 'Added `add.js` under new.', 'added', true],
    ['has the name of one that was removed', 'Removed `a.js`.', 'removed', true],
    ['is still there', 'Removed `src/util.ts`.', 'still there', false],
  ])('%s', (_name, claims, measured, equal) => {
    expect(judgeTexts({ base, head, claims }).claims).toMatchObject([{ kind: 'file', measured, equal }])
  })
})
