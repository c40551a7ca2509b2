import { z } from 'zod'
import { OF_A_WHOLE, type TestCase, type TestStatus } from '../../../core/reports/test-report.ts'
import { readJson } from '../../../core/text/json.ts'
import type { CasesReading } from './read-json-report.ts'

/*
 * Reports with one JSON object per line, mixed with output of other programs: `go test -json`
 * (https://pkg.go.dev/cmd/test2json) and nextest's `libtest-json`.
 */

const goEventSchema = z.object({
  Action: z.string(),
  Package: z.string().default(''),
  Test: z.string().optional(),
})
const libtestEventSchema = z.object({
  type: z.string(),
  event: z.string().optional(),
  name: z.string().optional(),
})

const GO_ENDINGS: Readonly<Record<string, TestStatus>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }
const LIBTEST_ENDINGS: Readonly<Record<string, TestStatus>> = {
  ok: 'passed',
  failed: 'failed',
  timeout: 'failed',
  ignored: 'skipped',
}

/**
 * Reads the stream of `go test -json`; names are `package > Test/subtest`. A test that began and did not end failed. So did a
 * package that failed without a failed test (it doesn't compile, or exited). Never throws.
 */
export function readGoTest(text: string): CasesReading {
  const cases: TestCase[] = []
  const running = new Set<string>()
  const packages = new Map<string, { began: boolean; ended: TestStatus | null; hasRedTest: boolean }>()
  for (const event of eventsOf(text, goEventSchema)) {
    const its = packages.get(event.Package) ?? { began: false, ended: null, hasRedTest: false }
    packages.set(event.Package, its)
    const ending = GO_ENDINGS[event.Action]
    if (event.Test === undefined) {
      its.began ||= event.Action === 'start' || event.Action === 'output'
      its.ended = ending ?? its.ended
      continue
    }
    const name = `${event.Package} > ${event.Test}`
    its.began = true
    if (event.Action === 'run') running.add(name)
    if (ending === undefined) continue
    running.delete(name)
    its.hasRedTest ||= ending === 'failed'
    cases.push({ name, status: ending })
  }
  if (packages.size === 0)
    return { ok: false, isNothing: true, reason: 'it contains no event of go test -json' }
  for (const name of running) cases.push({ name, status: 'failed' })
  for (const [name, { began, ended, hasRedTest }] of packages) {
    const isRed = (ended === 'failed' && !hasRedTest) || (began && ended === null)
    if (isRed) cases.push({ name: `${name} > ${OF_A_WHOLE.package}`, status: 'failed' })
  }
  return { ok: true, cases }
}

/** Reads the stream of nextest's (or libtest's) JSON. Never throws. */
export function readLibtestJson(text: string): CasesReading {
  const cases: TestCase[] = []
  const running = new Set<string>()
  let seen = false
  for (const { type, event = '', name = '' } of eventsOf(text, libtestEventSchema)) {
    seen ||= type === 'suite'
    if (type !== 'test') continue
    seen = true
    // nextest names a second try `name#2`: it is the same test, and its last result counts.
    const ending = LIBTEST_ENDINGS[event]
    if (event === 'started') running.add(name)
    if (ending === undefined) continue
    running.delete(name)
    cases.push({ name, status: ending })
  }
  if (!seen) return { ok: false, isNothing: true, reason: 'it contains no event of libtest-json' }
  for (const name of running) cases.push({ name, status: 'failed' })
  return { ok: true, cases }
}

/** Returns the events among the lines, in order; other lines are another program's. */
function* eventsOf<T>(text: string, schema: z.ZodType<T>): Generator<T> {
  for (const line of linesOf(text)) {
    if (!line.startsWith('{')) continue
    const event = readJson(schema, line)
    if (event !== null) yield event
  }
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end
    yield text.slice(at, next)
    at = next + 1
  }
}
