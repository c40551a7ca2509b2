import { OF_A_WHOLE, type TestCase, type TestStatus } from '../../../core/reports/test-report.ts'
import { type CasesReading, unnamed } from './read-json-report.ts'

/*
 * Parses what Python's unittest prints with `-v` on stderr, where tests and the code under test may print as well:
 *
 *   test_adds (tests.test_cart.Cart.test_adds) ... ok          from 3.11 on; before, without the last name
 *   test_slow (tests.test_cart.Cart.test_slow)
 *   What the docstring says ... skipped 'too slow'
 *   ====
 *   FAIL: test_adds (tests.test_cart.Cart.test_adds)
 *   ----
 *   Ran 2 tests in 0.001s
 *
 *   FAILED (failures=1, skipped=1)
 */
/** Can be anywhere in a line: what a test printed without a line end comes before the next test's name. */
const BEGUN = /(?<=([A-Za-z_]\w*)) \(([\w<>]+(?:\.[\w<>]+)+)\)(?: \.\.\.|$)/
const RED = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S+) \(([\w.<>]+)\)/
const SKIPPED = /\.\.\. skipped\b|^skipped '/
const RAN = /^Ran (\d+) tests? in /m
const ENDED = /^(?:OK|FAILED|NO TESTS RAN)\b/m
const FAILED_TO_LOAD = 'unittest.loader._FailedTest'
const DID_NOT_END = '(unittest did not come to its end)'

/**
 * Reads the verbose output of unittest. Takes the failed tests from the list at its end. A run without that list, because
 * something ended the interpreter, fails as a whole. Never throws.
 */
export function readUnittest(text: string): CasesReading {
  const end = text.search(RAN)
  const statuses = new Map<string, TestStatus>()
  let last: string | null = null
  for (const line of (end < 0 ? text : text.slice(0, end)).split(/\r?\n/)) {
    const red = RED.exec(line)
    const begun = BEGUN.exec(line)
    if (red !== null) statuses.set(nameOf(red[1], red[2]), 'failed')
    else if (begun !== null && !begun[2]?.startsWith(FAILED_TO_LOAD)) {
      last = nameOf(begun[1], begun[2])
      if (!statuses.has(last)) statuses.set(last, 'passed')
    }
    if (last !== null && SKIPPED.test(line) && statuses.get(last) === 'passed') statuses.set(last, 'skipped')
  }
  if (end < 0 && statuses.size === 0)
    return { ok: false, isNothing: true, reason: 'it is not what unittest prints' }
  if (statuses.size === 0 && Number(RAN.exec(text)?.[1]) > 0 && /^OK\b/m.test(text.slice(end)))
    return unnamed('unittest -v')
  const cases = [...statuses].map(([name, status]): TestCase => ({ name, status }))
  const isWhole = end >= 0 && ENDED.test(text.slice(end))
  if (!isWhole) cases.push({ name: DID_NOT_END, status: 'failed' })
  const isRed =
    isWhole && /^FAILED\b/m.test(text.slice(end)) && !cases.some(({ status }) => status === 'failed')
  if (isRed) cases.push({ name: '(unittest says FAILED)', status: 'failed' })
  return { ok: true, cases }
}

function nameOf(test = '', place = ''): string {
  if (place.startsWith(FAILED_TO_LOAD)) return `${test} > ${OF_A_WHOLE.file}`
  if (/^(?:setUp|tearDown)(?:Class|Module)$/.test(test)) return `${place} > ${OF_A_WHOLE.suite}`
  return place === test || place.endsWith(`.${test}`) ? place : `${place}.${test}`
}
