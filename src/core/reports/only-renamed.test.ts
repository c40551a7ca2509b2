import { expect, test } from 'vitest'
import { isOnlyRenamed, type RenamedTests } from './only-renamed.ts'

const same: RenamedTests = { executed: 3, required: 3, isFormerGreen: true }

test.each<readonly [string, readonly RenamedTests[], boolean, boolean]>([
  ['as many tests, and the old ones pass', [same], false, true],
  ['more tests', [{ ...same, executed: 4 }], false, true],
  ['fewer tests', [{ ...same, executed: 2 }], false, false],
  ['the old tests fail', [{ ...same, isFormerGreen: false }], false, false],
  [
    'another check has more tests',
    [
      { ...same, executed: 2 },
      { ...same, executed: 9 },
    ],
    false,
    false,
  ],
  ['the renamed file has fewer assertions', [same], true, false],
])('tests were only renamed: %s', (_case, checks, isWeakened, expected) => {
  expect(isOnlyRenamed(checks, isWeakened)).toBe(expected)
})
