import { z } from 'zod'
import { OF_A_WHOLE, type TestCase, type TestStatus } from '../../../core/reports/test-report.ts'
import { type CasesReading, parseWith, seenFrom, unnamed } from './read-json-report.ts'

/*
 * Reads what runners print for each test, mixed with what the tests themselves print. The total at the end is compared with
 * what was read: a run that was cut short, or whose lines don't add up, fails as a whole.
 */

const NOTHING = (what: string): CasesReading => ({
  ok: false,
  isNothing: true,
  reason: `it is not what ${what} prints`,
})

/** Whether a green total names no tests, because the runner was not asked to name them; it says nothing about any single
 * test. */
function namesNone(cases: readonly TestCase[], isGreen: boolean, total: number): boolean {
  return cases.length === 0 && isGreen && total > 0
}

function withWhole(cases: readonly TestCase[], name: string | null): CasesReading {
  return { ok: true, cases: name === null ? cases : [...cases, { name, status: 'failed' }] }
}

const LIBTEST_RUNNING = /^running (\d+) tests?$/
const LIBTEST_TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/
const LIBTEST_RESULT = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/
const LIBTEST_STATUS: Readonly<Record<string, TestStatus>> = {
  ok: 'passed',
  FAILED: 'failed',
  ignored: 'skipped',
}

/** Reads what `cargo test` prints: a list for each test program, each followed by its result. Never throws. */
export function readLibtest(text: string): CasesReading {
  const cases: TestCase[] = []
  let open: { announced: number; read: TestCase[] } | null = null
  let hasList = false
  let isCutShort = false
  let isGreen = true
  let total = 0
  for (const line of text.split(/\r?\n/)) {
    const running = LIBTEST_RUNNING.exec(line)
    const result = LIBTEST_RESULT.exec(line)
    if (running !== null) {
      isCutShort ||= open !== null
      open = { announced: Number(running[1]), read: [] }
      hasList = true
    } else if (result !== null && open !== null) {
      const counted = [result[2], result[3], result[4]].reduce((sum, count) => sum + Number(count), 0)
      const isRed = result[1] === 'FAILED' && !open.read.some(({ status }) => status === 'failed')
      isCutShort ||= counted !== open.read.length || isRed
      isGreen &&= result[1] === 'ok'
      total += counted
      for (const one of open.read) cases.push(one)
      open = null
    } else if (open !== null && open.read.length < open.announced) {
      const [, name = '', word = ''] = LIBTEST_TEST.exec(line) ?? []
      const status = LIBTEST_STATUS[word]
      if (status !== undefined) open.read.push({ name, status })
    }
  }
  if (open !== null) cases.push(...open.read)
  if (!hasList) return NOTHING('cargo test')
  if (open === null && namesNone(cases, isGreen, total)) return unnamed('cargo test')
  return withWhole(cases, isCutShort || open !== null ? '(cargo test did not come to its end)' : null)
}

const MINITEST_BEGUN = /(?:^|\s)([A-Z]\w*(?:::\w+)*#\S+) = /
/** Names of specs are sentences, and may contain the separator between a name and its time; a group is often called
 * `#method`. */
const MINITEST_SPEC = /^\S.*?#test_\d{4}_./
const MINITEST_ENDED = /(?<!\d)\d+\.\d+ s = ([.FES])\s*$/
const MINITEST_SUM = /^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips/m
const MINITEST_STATUS: Readonly<Record<string, TestStatus>> = {
  '.': 'passed',
  F: 'failed',
  E: 'failed',
  S: 'skipped',
}

/** Reads what minitest or test-unit prints with `-v`; a command does not show which of them its files require. Never throws. */
export function readMinitest(text: string): CasesReading {
  if (TEST_UNIT_SUM.test(text)) return readTestUnit(text)
  const cases: TestCase[] = []
  let begun: string | null = null
  for (const line of text.split(/\r?\n/)) {
    const ended = MINITEST_ENDED.exec(line)
    begun = endedSpec(line, ended?.index) ?? MINITEST_BEGUN.exec(line)?.[1] ?? begunSpec(line) ?? begun
    const status = MINITEST_STATUS[ended?.[1] ?? '']
    if (begun === null || status === undefined) continue
    cases.push({ name: begun, status })
    begun = null
  }
  const sums = [...text.matchAll(new RegExp(MINITEST_SUM, 'gm'))]
  if (sums.length === 0 && cases.length === 0) return NOTHING('minitest')
  const add = (index: number): number => sums.reduce((sum, found) => sum + Number(found[index]), 0)
  if (namesNone(cases, add(2) + add(3) === 0, add(1))) return unnamed('minitest -v')
  const red = cases.filter(({ status }) => status === 'failed').length
  const isWhole = sums.length > 0 && add(1) === cases.length && add(2) + add(3) === red
  return withWhole(cases, isWhole ? null : '(minitest did not come to its end)')
}

/** Returns the name of the spec whose time is at this offset of its line. */
function endedSpec(line: string, time = 0): string | undefined {
  const name = line.slice(0, time).endsWith(' = ') ? line.slice(0, time - 3) : ''
  return MINITEST_SPEC.test(name) ? name : undefined
}

/** Returns the name of a spec whose time may be on a later line. */
function begunSpec(line: string): string | undefined {
  const start = MINITEST_SPEC.exec(line)?.[0].length
  const end = start === undefined ? -1 : line.indexOf(' = ', start)
  return end < 0 ? undefined : line.slice(0, end)
}

const TEST_UNIT_SUM =
  /^(\d+) tests, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) pendings, (\d+) omissions/m
const TEST_UNIT_GROUP = /^( *)(\S.*): $/
const TEST_UNIT_BEGUN = /^ +(\S.*?):\t+/
/** The test's mark, unless a failure was printed earlier, and how long it took. */
const TEST_UNIT_ENDED = /([.FEPON]?): \(\d+\.\d+\)$/
const TEST_UNIT_STATUS: Readonly<Record<string, TestStatus>> = {
  '.': 'passed',
  N: 'passed',
  F: 'failed',
  E: 'failed',
  P: 'skipped',
  O: 'skipped',
}

function readTestUnit(text: string): CasesReading {
  const cases: TestCase[] = []
  const groups: string[] = []
  let begun: { readonly name: string; mark: string } | null = null
  let last = ''
  for (const line of text.split(/\r?\n/)) {
    const [, indent = '', group] = TEST_UNIT_GROUP.exec(line) ?? []
    const name = TEST_UNIT_BEGUN.exec(line)?.[1]
    if (group !== undefined) groups.splice(indent.length / 2, groups.length, group)
    if (name !== undefined) begun = { name: `${groups.join('::')}#${name}`, mark: '' }
    // Details of a failure are between two such lines, with its mark before the first.
    if (begun !== null && /^={20,}$/.test(line) && /[FEPON]$/.test(last)) begun.mark ||= last.slice(-1)
    const ended = TEST_UNIT_ENDED.exec(line)
    if (begun !== null && ended !== null) {
      const faults = begun.mark === 'N' ? '' : begun.mark
      cases.push({ name: begun.name, status: TEST_UNIT_STATUS[faults || (ended[1] ?? '')] ?? 'failed' })
      begun = null
    }
    last = line
  }
  const sums = [...text.matchAll(new RegExp(TEST_UNIT_SUM, 'gm'))]
  const add = (index: number): number => sums.reduce((sum, found) => sum + Number(found[index]), 0)
  if (namesNone(cases, add(2) + add(3) === 0, add(1))) return unnamed('test-unit -v')
  const count = (status: TestStatus): number => cases.filter((one) => one.status === status).length
  const isWhole =
    add(1) === cases.length && add(2) + add(3) === count('failed') && add(4) + add(5) === count('skipped')
  return withWhole(cases, isWhole ? null : '(test-unit did not come to its end)')
}

const EXUNIT_TEST =
  /^\s+\* (?:test|doctest|property|feature) (.+?) \(((?:[\d.]+ms)|skipped|excluded|invalid)\)(?: \[L#\d+\])?\s*$/
const EXUNIT_MODULE = /^(\S+) \[(\S+\.exs)\]$/
const EXUNIT_RED = /^\s+\d+\) (?:test|doctest|property|feature) (.+) \((\S+)\)\s*$/
/** Its tests were printed as if they had run. */
const EXUNIT_INVALID = /^\s+\d+\) (\S+): failure on setup_all callback\b/
const EXUNIT_SUM =
  /^(?:.*, )?(\d+) (?:tests?|doctests?|properties|property|features?),(?:.*,)? (\d+) failures?\b/m

/** Reads what `mix test --trace` prints. Never throws. */
export function readExunit(text: string): CasesReading {
  const statuses = new Map<string, TestStatus>()
  const invalid = new Set<string>()
  let module = ''
  for (const line of text.split(/\r\n|\n|\r/)) {
    const red = EXUNIT_RED.exec(line)
    const broken = EXUNIT_INVALID.exec(line)?.[1]
    if (broken !== undefined) invalid.add(broken)
    const ended = EXUNIT_TEST.exec(line)
    if (red !== null) statuses.set(`${red[2]} > ${red[1]}`, 'failed')
    else if (ended !== null) {
      const name = `${module} > ${ended[1]}`
      const status = /ms$/.test(ended[2] ?? '') ? 'passed' : ended[2] === 'invalid' ? 'failed' : 'skipped'
      if (statuses.get(name) !== 'failed') statuses.set(name, status)
    } else module = EXUNIT_MODULE.exec(line)?.[1] ?? module
  }
  const sum = EXUNIT_SUM.exec(text)
  const [, total = 0, failures = 0] = (sum ?? []).map(Number)
  if (statuses.size === 0 && sum === null) return NOTHING('mix test --trace')
  if (statuses.size === 0 && failures === 0 && total > 0) return unnamed('mix test --trace')
  const cases = [...statuses].map(
    ([name, status]): TestCase => ({
      name,
      status: status === 'passed' && invalid.has(name.split(' > ')[0] ?? '') ? 'failed' : status,
    }),
  )
  const red = cases.filter(({ status }) => status === 'failed').length
  const isWhole = sum !== null && (failures === 0 && invalid.size === 0) === (red === 0)
  return withWhole(cases, isWhole ? null : '(mix test did not come to its end)')
}

const rspecSchema = z.object({
  examples: z.array(
    z.object({ full_description: z.string(), status: z.string(), file_path: z.string().default('') }),
  ),
  summary: z.object({ errors_outside_of_examples_count: z.number().default(0) }).optional(),
})
const RSPEC_STATUS: Readonly<Record<string, TestStatus>> = { passed: 'passed', pending: 'skipped' }

/** Reads RSpec's JSON; names are `file > description`. Never throws. */
export function readRspec(text: string, root: string): CasesReading {
  const parsed = parseWith(rspecSchema, text)
  if (!parsed.ok) return parsed
  const { examples, summary } = parsed.value
  const cases = examples.map(
    ({ full_description: name, status, file_path: file }): TestCase => ({
      name: [seenFrom(root, file).replace(/^\.\//, ''), name].filter((part) => part !== '').join(' > '),
      status: RSPEC_STATUS[status] ?? 'failed',
    }),
  )
  // A file that can't be loaded has no examples.
  const outside = summary?.errors_outside_of_examples_count ?? 0
  return withWhole(cases, outside > 0 ? `spec > ${OF_A_WHOLE.file}` : null)
}
