import { describe, expect, it } from 'vitest'
import { isRedAsInBase, lostNames } from '../../../core/reports/lost-names.ts'
import {
  NOTHING_EXECUTED,
  type ReportFormat,
  type TestReport,
  valueOfReport,
  withExitCode,
} from '../../../core/reports/test-report.ts'
import { readReports } from './read-report.ts'

function read(format: ReportFormat, text: string): TestReport {
  const reading = readReports(format, [text], '/work/project')
  if (!reading.ok) throw new Error(reading.reason)
  return reading.report
}

function refusal(format: ReportFormat, text: string): string {
  const reading = readReports(format, [text], '/work/project')
  return reading.ok ? 'it was read' : reading.reason
}

const vitest = (assertions: readonly object[], more: object = {}): string =>
  JSON.stringify({
    testResults: [{ name: '/work/project/a.test.ts', status: 'passed', assertionResults: assertions }],
    ...more,
  })
const test = (title: string, status: string): object => ({ ancestorTitles: ['sum'], title, status })
const junit = (inside: string): string => `<testsuites><testsuite name="s">${inside}</testsuite></testsuites>`
const goEvents = (...events: readonly (readonly [string, string?])[]): string =>
  events.map(([Action, Test]) => JSON.stringify({ Action, Package: 'p', Test })).join('\n')

/** The same run in each format: one passed, one failed, one skipped. */
const forms: readonly (readonly [ReportFormat, string, string])[] = [
  ['vitest', vitest([test('a', 'passed'), test('b', 'failed'), test('c', 'skipped')]), 'a.test.ts > sum > a'],
  ['jest', vitest([test('a', 'passed'), test('b', 'failed'), test('c', 'todo')]), 'a.test.ts > sum > a'],
  [
    'junit',
    junit(
      '<testcase classname="C" name="a"/><testcase classname="C" name="b"><failure/></testcase><testcase classname="C" name="c"><skipped/></testcase>',
    ),
    's > C > a',
  ],
  ['tap', 'TAP version 13\n1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n', 'a'],
  [
    'pytest',
    JSON.stringify({
      tests: [
        { nodeid: 't.py::a', outcome: 'passed' },
        { nodeid: 't.py::b', outcome: 'error' },
        { nodeid: 't.py::c', outcome: 'xfailed' },
      ],
    }),
    't.py::a',
  ],
  [
    'cargo-test',
    'running 3 tests\ntest tests::a ... ok\ntest tests::b ... FAILED\ntest tests::c ... ignored, later\n\nfailures:\n\n---- tests::b stdout ----\ntest tests::d ... ok\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n',
    'tests::a',
  ],
  [
    'prove',
    't/a.t .. \nok 1 - a\nnot ok 2 - b\n#   Failed test\nok 3 - c # skip later\n1..3\nDubious, test returned 1 (wstat 256, 0x100)\nFailed 1/3 subtests \n\t(less 1 skipped subtest: 1 okay)\n\nTest Summary Report\n-------------------\nt/a.t (Wstat: 256 Tests: 3 Failed: 1)\nFiles=1, Tests=3,  0 wallclock secs\nResult: FAIL\n',
    't/a.t > a',
  ],
  [
    'minitest',
    'Run options: -v --seed 1\n\n# Running:\n\nTestCart#test_a = said something\n0.00 s = .\nTestCart#test_b = 0.00 s = F\nTestCart#test_c = 0.00 s = S\n\nFinished in 0.1s.\n\n3 runs, 2 assertions, 1 failures, 0 errors, 1 skips\n',
    'TestCart#test_a',
  ],
  [
    'rspec',
    JSON.stringify({
      examples: ['passed', 'failed', 'pending'].map((status, index) => ({
        full_description: `cart ${'abc'[index]}`,
        status,
        file_path: './spec/cart_spec.rb',
      })),
      summary: { errors_outside_of_examples_count: 0 },
    }),
    'spec/cart_spec.rb > cart a',
  ],
  [
    'exunit',
    'Running ExUnit with seed: 0, max_cases: 1\n\nCartTest [test/cart_test.exs]\n  * test a [L#3]\r  * test a (0.1ms) [L#3]\n  * test b (1.2ms) [L#5]\n\n  1) test b (CartTest)\n     test/cart_test.exs:5\n\n  * test c (skipped) [L#9]\n\nFinished in 0.1 seconds (0.00s async, 0.1s sync)\n3 tests, 1 failure, 1 skipped\n',
    'CartTest > a',
  ],
  [
    'trx',
    '<?xml version="1.0" encoding="utf-8"?><TestRun><Results><UnitTestResult testName="Cart.a" outcome="Passed"/><UnitTestResult testName="Cart.b" outcome="Failed"><Output/></UnitTestResult><UnitTestResult testName="Cart.c" outcome="NotExecuted"/></Results><ResultSummary outcome="Failed"/></TestRun>',
    'Cart.a',
  ],
  [
    'unittest',
    "test_a (t.T.test_a) ... ok\ntest_b (t.T.test_b) ... FAIL\ntest_c (t.T.test_c)\nSays what. ... skipped 'later'\n\n====\nFAIL: test_b (t.T.test_b)\n----\nRan 3 tests in 0.1s\n\nFAILED (failures=1, skipped=1)\n",
    't.T.test_a',
  ],
  [
    'go-test',
    goEvents(['run', 'A'], ['pass', 'A'], ['run', 'B'], ['fail', 'B'], ['run', 'C'], ['skip', 'C'], ['fail']),
    'p > A',
  ],
  [
    'nextest',
    [
      '{"type":"suite","event":"started","test_count":3}',
      '{"type":"test","event":"ok","name":"c$a"}',
      '{"type":"test","event":"failed","name":"c$b"}',
      '{"type":"test","event":"ignored","name":"c$c"}',
    ].join('\n'),
    'c$a',
  ],
]

describe('a report', () => {
  it.each(forms)('of %s is counted by its cases, with their names', (format, text, passed) => {
    const report = read(format, text)
    expect(valueOfReport(report)).toEqual({ passed: 1, failed: 1, skipped: 1, executed: 2, total: 3 })
    expect(report.names.passed).toEqual([passed])
  })

  it.each([
    ['vitest', vitest([]), 'a file without tests'],
    ['vitest', JSON.stringify({ testResults: [], success: true }), 'no file'],
    ['vitest', vitest([test('a', 'skipped')]), 'all skipped'],
    ['junit', '<testsuites tests="12" failures="0"/>', 'a summary alone'],
    ['tap', '1..0 # skip nothing here\n', 'an empty plan'],
    ['go-test', goEvents(['start'], ['skip']), 'a package without tests'],
    ['nextest', '{"type":"suite","event":"ok","passed":40}', 'a summary alone'],
  ] as const)('of %s fails if nothing was executed (%s: %s)', (format, text, _what) => {
    const report = read(format, text)
    expect(report).toMatchObject({ executed: 0, passed: 0, names: { failed: [NOTHING_EXECUTED] } })
    expect(report.failed).toBe(1)
    expect(report.passed).not.toBe(report.total)
  })

  it('ignores a summary that claims more than its cases, or nonsense', () => {
    const more = { numPassedTests: 400, numFailedTests: 0, numTotalTests: Number.NaN, success: true }
    const said = vitest([test('a', 'passed'), test('b', 'failed')], more)
    expect(valueOfReport(read('vitest', said))).toMatchObject({ passed: 1, failed: 1, total: 2 })
    const xml =
      '<testsuites tests="NaN" failures="-1"><testsuite name="s" tests="99"><testcase name="a"/></testsuite></testsuites>'
    expect(valueOfReport(read('junit', xml))).toMatchObject({ passed: 1, total: 1 })
  })

  it('counts an unknown status as failed', () => {
    expect(read('vitest', vitest([test('a', 'splendid')]))).toMatchObject({ passed: 0, failed: 1 })
  })

  it('fails if a file could not be loaded, a suite broke, or a package did not compile', () => {
    const unloaded = JSON.stringify({
      testResults: [{ name: '/work/project/x.ts', status: 'failed', assertionResults: [] }],
    })
    expect(read('vitest', unloaded).names.failed).toContain('x.ts > (the file itself)')
    expect(read('junit', junit('<testcase name="a"/><error>hook</error>'))).toMatchObject({
      passed: 1,
      failed: 1,
    })
    expect(read('go-test', goEvents(['start'], ['output'], ['fail'])).names.failed).toContain(
      'p > (the package itself)',
    )
  })

  it('fails if tests began and did not end', () => {
    expect(read('go-test', goEvents(['run', 'A'], ['pass', 'A'], ['run', 'B']))).toMatchObject({
      passed: 1,
      failed: 2,
    })
    expect(read('tap', '1..3\nok 1 - a\n')).toMatchObject({ passed: 1, failed: 1 })
    expect(read('tap', '1..2\nok 1 - a\nBail out! no database\n').failed).toBeGreaterThan(0)
  })

  it('counts every case of one name, and the name has the worst result', () => {
    const report = read('vitest', vitest([test('a', 'passed'), test('a', 'failed'), test('a', 'passed')]))
    expect(report).toMatchObject({
      passed: 2,
      failed: 1,
      total: 3,
      names: { passed: [], failed: ['a.test.ts > sum > a'] },
    })
  })

  it('does not count a repeated try that succeeded in the end, nor a failure in printed text', () => {
    const flaky =
      '<testcase name="a"><flakyFailure>once</flakyFailure><system-out>&lt;failure/&gt;</system-out></testcase>'
    expect(read('junit', junit(flaky))).toMatchObject({ passed: 1, failed: 0 })
  })

  it('of nested TAP counts the tests and not the suites around them', () => {
    const nested =
      '# Subtest: suite\n    # Subtest: a\n    ok 1 - a\n    # Subtest: b\n    ok 2 - b\n    1..2\nok 1 - suite\n1..1\n'
    expect(read('tap', nested)).toMatchObject({
      passed: 2,
      total: 2,
      names: { passed: ['suite > a', 'suite > b'] },
    })
  })

  it('of TAP fails if its plan is broken after a duplicate number, but not for such a number alone', () => {
    expect(read('tap', 'ok 1 - a\nok 2 - b\nok 2 - c\n1..3\n')).toMatchObject({ passed: 3, failed: 0 })
    expect(read('tap', 'ok 1 - a\nok 1 - b\n1..3\n').failed).toBe(1)
  })

  it('requires a successful exit code as well', () => {
    const green = read('vitest', vitest([test('a', 'passed')]))
    expect(withExitCode(green, 0).failed).toBe(0)
    expect(withExitCode(green, 1)).toMatchObject({
      failed: 1,
      executed: 1,
      names: { failed: ['(exit code 1)'] },
    })
  })
})

describe('rejects a hostile report with the reason', () => {
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuites><testcase name="&b;"/></testsuites>'
  it.each([
    ['junit', bomb, /document type/],
    ['junit', '<testsuites><testcase name="&b;"/></testsuites>', /not complete XML/],
    ['junit', `<testsuites>${'<testsuite name="s">'.repeat(100_000)}`, /nested deeper/],
    ['junit', '<testsuites><testsuite name="s"><testcase name="a"/>', /not complete XML/],
    ['junit', '<html><testcase name="a"/></html>', /begins with <html>/],
    ['junit', junit('<testcase name="a"><testcase name="b"/></testcase>'), /inside another/],
    ['vitest', vitest([test('a', 'passed')]).slice(0, -10), /not complete JSON/],
    ['vitest', `${'['.repeat(200_000)}`, /JSON/],
    ['vitest', '{"numPassedTests": 12, "success": true}', /expected format/],
    ['vitest', 'null', /expected format/],
    ['tap', 'all 12 tests passed\n', /contains no TAP/],
    ['tap', `${' '.repeat(4000)}ok 1\n`, /nested deeper/],
    ['go-test', 'ok  \tp\t0.01s\nPASS\n', /no event/],
    ['nextest', 'Summary: 12 passed', /no event/],
    ['pytest', '', /empty/],
  ] as const)('%s: %#', (format, text, words) => {
    expect(refusal(format, text)).toMatch(words)
  })

  it("of a hundred thousand cases is read well within its check's timeout, with limited names", () => {
    const cases = Array.from({ length: 100_000 }, (_, index) => test(`case ${index}`, 'passed'))
    const report = read('vitest', vitest(cases))
    expect(report.passed).toBe(100_000)
    expect(report.names.passed).toHaveLength(20_000)
    expect(report.areNamesCut).toBe(true)
  })
})

describe('lost names', () => {
  const base = read('vitest', vitest([test('a', 'passed'), test('b', 'failed'), test('c', 'skipped')]))

  it('are those that the baseline executed and this run did not, skipped or gone', () => {
    const now = read('vitest', vitest([test('a', 'skipped'), test('c', 'passed'), test('d', 'passed')]))
    expect(lostNames(base, now)).toEqual(['a.test.ts > sum > a', 'a.test.ts > sum > b'])
  })

  it('are none if all ran again, whatever their results, and if what was skipped is gone', () => {
    const now = read('vitest', vitest([test('a', 'failed'), test('b', 'passed')]))
    expect(lostNames(base, now)).toEqual([])
  })

  it('do not include names after the end of a truncated list', () => {
    const many = Array.from({ length: 30_000 }, (_, index) =>
      test(`case ${String(index).padStart(5, '0')}`, 'passed'),
    )
    const whole = read('vitest', vitest(many))
    expect(lostNames(whole, whole)).toEqual([])
    expect(lostNames(whole, read('vitest', vitest(many.slice(1))))).toEqual(['a.test.ts > sum > case 00000'])
  })

  it('distinguish a run with the baseline’s failures from one with others', () => {
    const same = read('vitest', vitest([test('b', 'failed'), test('x', 'passed')]))
    const other = read('vitest', vitest([test('b', 'failed'), test('a', 'failed')]))
    expect([isRedAsInBase(base, same), isRedAsInBase(base, other)]).toEqual([true, false])
  })
})

describe('what unittest prints', () => {
  it.each([
    ['before Python 3.11', 'test_a (t.T) ... ok\n'],
    ['after test output', 'loading...test_a (t.T.test_a) ... WARNING: slow\nok\n'],
    ['before a docstring', 'test_a (t.T.test_a)\nAdds. ... ok\n'],
  ])('gives its tests the same names %s', (_, lines) => {
    const { names, failed } = read('unittest', `${lines}\n---\nRan 1 test in 0.1s\n\nOK\n`)
    expect({ passed: names.passed, failed }).toEqual({ passed: ['t.T.test_a'], failed: 0 })
  })

  it('fails if something ended the interpreter, whatever had passed', () => {
    expect(read('unittest', 'test_a (t.T.test_a) ... ok\n').failed).toBe(1)
    expect(read('unittest', 'test_a (t.T.test_a) ... ok\n---\nRan 1 test in 0.1s\n').failed).toBe(1)
    expect(read('unittest', '---\nRan 0 tests in 0.0s\n\nOK\n').failed).toBe(1)
  })

  it('is not a report if it has none of a report’s parts', () => {
    expect(refusal('unittest', 'Traceback (most recent call last):')).toMatch(/not what unittest prints/)
  })
})

describe('tests whose module does not exist yet', () => {
  const repaired = {
    unittest: ['test_a (t.T.test_a) ... ok\n---\nRan 1 test in 0s\n\nOK\n'],
    pytest: [
      '<testsuites><testsuite name="pytest"><testcase classname="t" name="a"/></testsuite></testsuites>',
    ],
    vitest: [vitest([test('a', 'passed')])],
    tap: ['TAP version 13\nok 1 - a\n1..1\n'],
    'go-test': [goEvents(['run', 'A'], ['pass', 'A'], ['pass'])],
  }
  it.each([
    [
      'unittest',
      't (unittest.loader._FailedTest.p.t) ... ERROR\nERROR: p.t (unittest.loader._FailedTest.p.t)\n---\nRan 1 test in 0s\n\nFAILED (errors=1)\n',
    ],
    [
      'pytest',
      '<testsuites><testsuite name="pytest"><testcase classname="" name="t"><error message="collection failure"/></testcase></testsuite></testsuites>',
    ],
    [
      'vitest',
      JSON.stringify({
        testResults: [{ name: '/work/project/a.test.ts', status: 'failed', assertionResults: [] }],
      }),
    ],
    ['tap', 'TAP version 13\nnot ok 1 - /work/project/a.test.mjs\n1..1\n'],
    ['tap', 'TAP version 13\nnot ok 1 - test/a.test.mjs\n  ---\n  exitCode: 1\n  signal: ~\n  ...\n1..1\n'],
    ['go-test', goEvents(['start'], ['output'], ['fail'])],
  ] as const)('are not lost by the fix that lets them run: %s', (format, before) => {
    const [base, now] = [read(format, before), read(format, repaired[format][0] ?? '')]
    expect(base.failed).toBeGreaterThan(0)
    expect(lostNames(base, now)).toEqual([])
  })
})

it('recognizes a test of node:test that is named like a file', () => {
  const text = "TAP version 13\nnot ok 1 - src/a.js\n  ---\n  error: 'no'\n  ...\n1..1\n"
  expect(read('tap', text).names.failed).toEqual(['src/a.js'])
})

it('reads points of TAP whatever their diagnostics contain', () => {
  const block = (line: string): string => `  ---\n${line.repeat(2000)}  ...\n`
  const text = `TAP version 13\nnot ok 1 - a\n${block('  x: [}: y: z\n')}ok 2 - b\n${block('  ok 3 - c\n')}1..2\n`
  expect(read('tap', text).names).toMatchObject({ passed: ['b'], failed: ['a'] })
})

describe('JUnit as its writers produce it, with text that tests print', () => {
  const counts = (text: string) => {
    const { passed, failed, total } = read('junit', text)
    return { passed, failed, total }
  }
  const suite = (inside: string): string =>
    junit(`<testcase name="a">${inside}</testcase><testcase name="b"><failure>x</failure></testcase>`)
  const once = { passed: 1, failed: 1, total: 2 }

  it.each<[string, string]>([
    ['an escape character in the output', suite('<system-out>\u001b[31mred</system-out>')],
    ['an escape character in CDATA', suite('<system-out><![CDATA[\u001b[31mred & green]]></system-out>')],
    [
      'an escape character in a name',
      junit('<testcase name="a\u001b"/><testcase name="b"><failure/></testcase>'),
    ],
    ['a reference to an escape character', suite('<system-out>&#27;[31m &#x1b; &#0; &#xFFFE;</system-out>')],
    [
      'NUL, backspace, U+FFFE and half a surrogate pair',
      suite('<system-out>\u0000\b\ufffe\ud800</system-out>'),
    ],
    ['a lone &', suite('<system-out>a && b &c & d</system-out>')],
    [
      'a byte order mark and a blank line before the declaration',
      `\ufeff\n <?xml version="1.0"?>${suite('')}`,
    ],
  ])('is read with %s', (_, text) => expect(counts(text)).toEqual(once))

  it('keeps apart two names that differ only by an invalid letter', () => {
    const names = read('junit', junit('<testcase name="a\u0001b"/><testcase name="ab"/>')).names.passed
    expect(names).toHaveLength(2)
  })

  it('cannot be forged by what a test printed: an invalid letter does not become markup', () => {
    const forged = ']]\u0001></system-out></testcase><testcase name="forged"/><testcase name="x"><system-out>'
    const text = suite(`<system-out><![CDATA[${forged}]]></system-out>`)
    expect(counts(text)).toEqual(once)
  })

  it.each([
    junit('<testcase name="a">'),
    `<!DOCTYPE x [<!ENTITY e "f">]>${suite('&e;')}`,
    suite('<system-out>a < b</system-out>'),
  ])('is still rejected if it is incomplete: %#', (text) => {
    expect(refusal('junit', text)).not.toBe('it was read')
  })
})

/** Real reports, shortened. */
describe('a report written by', () => {
  it.each<readonly [string, ReportFormat, string, object]>([
    [
      'Deno, with steps',
      'junit',
      '<testsuites name="deno test" tests="4" failures="2"><testsuite name="./a_test.ts" tests="4" disabled="1"><testcase name="adds" classname="./a_test.ts"></testcase><testcase name="off" classname="./a_test.ts"><skipped/></testcase><testcase name="steps" classname="./a_test.ts"><failure message="1 test step failed">x</failure></testcase><testcase name="steps &gt; one" classname="./a_test.ts"></testcase></testsuite></testsuites>',
      {
        passed: ['./a_test.ts > adds', './a_test.ts > steps > one'],
        failed: ['./a_test.ts > steps'],
        skipped: ['./a_test.ts > off'],
      },
    ],
    [
      'Bun, with a group and a todo',
      'junit',
      '<testsuites name="bun test"><testsuite name="a.test.ts" file="a.test.ts"><testcase name="adds" classname="" file="a.test.ts" assertions="1" /><testsuite name="g" file="a.test.ts"><testcase name="red" classname="g" file="a.test.ts"><failure type="AssertionError">x</failure></testcase></testsuite><testcase name="later" classname="" file="a.test.ts"><skipped message="TODO" /></testcase></testsuite></testsuites>',
      { passed: ['a.test.ts > adds'], failed: ['a.test.ts > g > red'], skipped: ['a.test.ts > later'] },
    ],
    [
      'ctest, with a disabled test and a skipped one',
      'junit',
      '<testsuite name="(empty)" tests="4" failures="1" disabled="1" skipped="1"><testcase name="adds" classname="adds" status="run"><system-out></system-out></testcase><testcase name="red" classname="red" status="fail"><failure message=""/></testcase><testcase name="off" classname="off" status="disabled"/><testcase name="sk" classname="sk" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase></testsuite>',
      { passed: ['adds > adds'], failed: ['red > red'], skipped: ['off > off', 'sk > sk'] },
    ],
    [
      'PHPUnit, with data sets and a test that asserts nothing',
      'junit',
      '<testsuites><testsuite name="CartTest" file="/work/project/CartTest.php"><testcase name="testAdds" class="CartTest" classname="CartTest" file="/work/project/CartTest.php"/><testcase name="testOff" class="CartTest" classname="CartTest" file="/work/project/CartTest.php"><skipped/></testcase><testsuite name="CartTest::testP"><testcase name="testP with data set &quot;one&quot;" class="CartTest" classname="CartTest" file="/work/project/CartTest.php"/></testsuite><testcase name="testRisky" class="CartTest" classname="CartTest" file="/work/project/CartTest.php"><error type="PHPUnit\\Framework\\RiskyTestError">This test did not perform any assertions</error></testcase></testsuite></testsuites>',
      {
        passed: [
          'CartTest.php > CartTest > CartTest::testP > testP with data set "one"',
          'CartTest.php > CartTest > testAdds',
        ],
        failed: [],
        skipped: ['CartTest.php > CartTest > testOff', 'CartTest.php > CartTest > testRisky'],
      },
    ],
    [
      'bats, with a skip',
      'tap',
      '1..3\nok 1 adds\nok 2 off # skip later\nnot ok 3 red\n# (in test file a.bats, line 3)\n',
      { passed: ['adds'], failed: ['red'], skipped: ['off'] },
    ],
    [
      'mix test, with tags and a module that could not be set up',
      'exunit',
      'CartTest [test/cart_test.exs]\n  * test later [L#7]\r  * test later (skipped) [L#7]\n  * test adds [L#3]\r  * test adds (0.00ms) [L#3]\n\nBTest [test/b_test.exs]\n  * test broken [L#6]\r  * test broken (0.00ms) [L#6]\n\n  1) BTest: failure on setup_all callback, all tests have been invalidated\n     ** (RuntimeError) no\n\nCTest [test/c_test.exs]\n  * test slow [L#4]\r  * test slow (excluded) [L#4]\n\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n4 tests, 0 failures, 1 excluded, 1 invalid, 1 skipped\n',
      {
        passed: ['CartTest > adds'],
        failed: ['BTest > broken'],
        skipped: ['CTest > slow', 'CartTest > later'],
      },
    ],
  ])('%s is read with its names', (_, format, text, names) => {
    expect(read(format, text).names).toMatchObject(names)
  })
})

it('reads specs of minitest in groups that are called by methods', () => {
  const printed =
    'Cart::#total#test_0001_adds = 1 = 0.00 s = .\n#size#test_0002_counts = 0.00 s = F\nCart::.new#test_0001_is = 0.00 s = .\n'
  expect(
    read('minitest', `${printed}3 runs, 3 assertions, 1 failures, 0 errors, 0 skips\n`).names,
  ).toMatchObject({
    passed: ['Cart::#total#test_…_adds = 1', 'Cart::.new#test_…_is'],
    failed: ['#size#test_…_counts'],
  })
})

it('reads minitest specs, whose names are sentences', () => {
  const SUM = '\n3 runs, 3 assertions, 1 failures, 0 errors, 0 skips\n'
  const printed = [
    'a cart::with a = b#test_0001_adds x = 1 to y = 0.00 s = .',
    'Cart#test_0002_allows <%|== and <%| = said',
    'by the test',
    '0.01 s = F',
    'CartTest#test_adds = 0.00 s = .',
  ].join('\n')
  expect(read('minitest', printed + SUM).names).toMatchObject({
    passed: ['CartTest#test_adds', 'a cart::with a = b#test_…_adds x = 1 to y'],
    failed: ['Cart#test_…_allows <%|== and <%|'],
  })
  expect(read('minitest', printed.replace(/^a cart.*\n/, '') + SUM).names.failed.join()).toMatch(
    /did not come/,
  )
})

describe('a total without a test', () => {
  const CARGO = 'running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n'
  const PROVE =
    't/a.t ....... ok\nt/b.t ....... ok\nt/net.t ..... skipped: no network\nAll tests successful.\nFiles=3, Tests=2, 0 secs\nResult: PASS\n'
  it.each<[ReportFormat, string]>([
    ['minitest', 'Run options: --seed 1\n\n..\n\n2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n'],
    [
      'minitest',
      '2 tests, 2 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n100% passed\n',
    ],
    ['cargo-test', CARGO],
    ['exunit', '..\n\nFinished in 0.1 seconds\n2 tests, 0 failures\n'],
    ['unittest', `..\n${'-'.repeat(70)}\nRan 2 tests in 0.001s\n\nOK\n`],
    ['unittest', 's.\nRan 2 tests in 0.001s\n\nOK (skipped=1)\n'],
    ['prove', PROVE],
  ])('does not count for any test if it is green, so no agent is blamed: %s', (format, text) => {
    expect(readReports(format, [text], '/work/project')).toMatchObject({
      ok: false,
      isNothing: true,
      isUnnamed: true,
    })
  })

  it.each<[ReportFormat, string]>([
    ['minitest', '2 runs, 2 assertions, 1 failures, 0 errors, 0 skips\n'],
    ['cargo-test', CARGO.replace(': ok', ': FAILED')],
    ['exunit', '2 tests, 1 failure\n'],
    ['unittest', 'E.\nRan 2 tests in 0.001s\n\nFAILED (errors=1)\n'],
    ['unittest', '\nRan 0 tests in 0.000s\n\nOK\n'],
    ['prove', PROVE.replace('b.t ....... ok', 'b.t ....... Failed 1/2 subtests').replace('All', 'Not all')],
    [
      'prove',
      't/a.t .. \nok 1 - a\n1..1\nok\nt/b.t .. ok\nAll tests successful.\nFiles=2, Tests=2, 0 secs\n',
    ],
  ])('fails if it is red: %s', (format, text) => {
    expect(read(format, text).failed).toBeGreaterThan(0)
  })
})

describe('a runner’s output, cut short or made up', () => {
  it.each<[ReportFormat, string, RegExp]>([
    ['cargo-test', 'running 2 tests\ntest a ... ok\n', /did not come to its end/],
    [
      'cargo-test',
      'running 2 tests\ntest a ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
      /did not come to its end/,
    ],
    ['prove', 't/a.t .. \nok 1 - a\n1..1\nok\n', /prove did not come to its end/],
    [
      'prove',
      't/a.t .. \nok 1 - a\n1..2\nDubious, test returned 255\nFailed 1/2 subtests \nFiles=1, Tests=1, 0 secs\n',
      /plan/,
    ],
    [
      'prove',
      't/c.t .. \nDubious, test returned 2\nNo subtests run \nFiles=1, Tests=0, 0 secs\n',
      /t\/c\.t > \(the file itself\)/,
    ],
    ['minitest', 'TestCart#test_a = 0.00 s = .\n', /minitest did not come to its end/],
    ['minitest', 'T#a = 0.0 s = .\n2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n', /did not come/],
    [
      'exunit',
      'CartTest [test/cart_test.exs]\n  * test a (0.1ms) [L#3]\n',
      /mix test did not come to its end/,
    ],
    [
      'rspec',
      JSON.stringify({ examples: [], summary: { errors_outside_of_examples_count: 1 } }),
      /file itself/,
    ],
    [
      'trx',
      '<TestRun><Results><UnitTestResult testName="a" outcome="Passed"/></Results></TestRun>',
      /nobody says/,
    ],
  ])('%s fails: %j', (format, text, name) => {
    expect(read(format, text).names.failed.join()).toMatch(name)
  })
})

describe('what tests print between the lines of prove -v', () => {
  const printed = (own: string): string =>
    `t/cart.t ... \n${own}\nok 2 - a\n1..${/^(?:not )?ok/.test(own) ? 2 : 1}\nok\nt/a.t ...... \nok 1 - b\n1..1\nok\nAll tests successful.\nFiles=2, Tests=2,  0 wallclock secs\nResult: PASS\n`

  it.each(['Loading ...', '# Subtest: goes up with ..', 'ok 1 - goes up with ...', 'see t/other.t ..... '])(
    'does not count as a file: %s',
    (own) => {
      const { names, failed } = read('prove', printed(own))
      expect([names.passed.slice(0, 2), failed]).toEqual([['t/a.t > b', 't/cart.t > a'], 0])
    },
  )

  it('hides no failure', () => {
    const { names } = read('prove', printed('not ok 2 - goes up with ..'))
    expect(names.failed).toEqual(['t/cart.t > goes up with ..'])
  })
})

describe('what test-unit prints with -v', () => {
  const rule = '='.repeat(79)
  const fault = (mark: string, words: string): string => `${mark}\n${rule}\n${words}\n${rule}\n: (0.000351)\n`
  const printed = [
    'Loaded suite test_cart\nStarted\nCartTest: \n',
    '  test: with words here:\t\t\t\tnoise = 1\n.: (0.000175)\n',
    `  test_bad:\t\t\t\t\t\t${fault('F', "Failure: test_bad(CartTest)\n     1: require 'test/unit'\n<1> expected but was\n<2>")}`,
    '  test_data[a]:\t\t\t\t\t\t.: (0.000049)\n',
    `  test_err:\t\t\t\t\t\t${fault('E', 'Error: test_err(CartTest): RuntimeError: x')}`,
    `  test_note:\t\t\t\t\t\t${fault('N', 'Notification: n [test_note(CartTest)]').replace(/: \(/, '.: (')}`,
    `  test_omit:\t\t\t\t\t\t${fault('O', 'Omission: later [test_omit(CartTest)]')}`,
    `  test_pend:\t\t\t\t\t\t${fault('P', 'Pending: test_pend(CartTest): later')}`,
    '  inner group: \n    test: in it:\t\t\t\t\t.: (0.000110)\n\n',
  ].join('')
  const sum =
    'Finished in 0.007 seconds.\n8 tests, 7 assertions, 1 failures, 1 errors, 1 pendings, 1 omissions, 1 notifications\n'

  it('names each test, with its group and its result', () => {
    expect(read('minitest', printed + sum).names).toEqual({
      passed: [
        'CartTest#test: with words here',
        'CartTest#test_data[a]',
        'CartTest#test_note',
        'CartTest::inner group#test: in it',
      ],
      failed: ['CartTest#test_bad', 'CartTest#test_err'],
      skipped: ['CartTest#test_omit', 'CartTest#test_pend'],
    })
  })

  it('fails as a whole if the lines and the total differ', () => {
    expect(read('minitest', printed + sum.replace('8 tests', '9 tests')).names.failed).toContain(
      '(test-unit did not come to its end)',
    )
    expect(
      read('minitest', printed.replace(/ {2}test_bad[\s\S]*?(?= {2}test_data)/, '') + sum).names.failed,
    ).toContain('(test-unit did not come to its end)')
  })
})
