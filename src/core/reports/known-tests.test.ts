import { expect, test } from 'vitest'
import { afterOperator } from './known-tests.ts'
import { OF_A_WHOLE, type TestNames, type TestReport } from './test-report.ts'

const known = { names: ['a.test.js > adds', 'b.test.js > cuts'], gone: [] }

function report(names: Partial<TestNames>): TestReport {
  const all = { passed: [], failed: [], skipped: [], ...names }
  const [passed, failed, skipped] = [all.passed.length, all.failed.length, all.skipped.length]
  return {
    passed,
    failed,
    skipped,
    executed: passed + failed,
    total: passed + failed + skipped,
    names: all,
    areNamesCut: false,
  }
}

const ADDS = 'a.test.js > adds'
const CUTS = 'b.test.js > cuts'

test.each<readonly [string, Partial<TestNames>, boolean, readonly string[]]>([
  ['the operator removed a test', { passed: [ADDS] }, true, [ADDS]],
  ['the operator skipped a test', { passed: [ADDS], skipped: [CUTS] }, true, [ADDS]],
  ['a test skips itself, and no file was touched', { passed: [ADDS], skipped: [CUTS] }, false, known.names],
  ['the run ended at its first failure, and no file was touched', { failed: [ADDS] }, false, known.names],
  ['the operator broke one test and removed another', { failed: [ADDS] }, true, [ADDS]],
  [
    'a file could not be loaded',
    { passed: [ADDS], failed: [`b.test.js > ${OF_A_WHOLE.file}`] },
    true,
    known.names,
  ],
  ['the run was killed by a signal', { passed: [ADDS], failed: ['(ended by a signal)'] }, true, known.names],
])('updates the known tests after a time without agents: %s', (_case, names, isTouched, expected) => {
  expect(afterOperator(known, known.names, report(names), isTouched).names).toEqual(expected)
})
