import { z } from 'zod'
import {
  OF_A_WHOLE,
  type RejectedReport,
  type TestCase,
  type TestStatus,
} from '../../../core/reports/test-report.ts'

/** The cases of a report, or a sentence that says why there are none. */
export type CasesReading = { readonly ok: true; readonly cases: readonly TestCase[] } | RejectedReport

/** Returns the reading of a run that says that all of its tests passed but names none. `what`: the option or plugin that
 * would have named them. */
export function unnamed(what: string): CasesReading {
  return {
    ok: false,
    isNothing: true,
    isUnnamed: true,
    reason: `it names no test, unlike what ${what} prints`,
  }
}

/** For Jest, and for Vitest, whose report has the same shape. */
const jestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string().optional(),
      status: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string().optional(),
          title: z.string().optional(),
          ancestorTitles: z.array(z.string()).optional(),
          status: z.string(),
        }),
      ),
    }),
  ),
})

/** For the plugin pytest-json-report. */
const pytestSchema = z.object({
  tests: z.array(z.object({ nodeid: z.string(), outcome: z.string() })).default([]),
  collectors: z.array(z.object({ nodeid: z.string(), outcome: z.string() })).default([]),
})

/** Reads the JSON of Vitest or Jest; names are `file > test`, with files relative to `root`. Never throws. */
export function readJestJson(text: string, root: string): CasesReading {
  const parsed = parseWith(jestSchema, text)
  if (!parsed.ok) return parsed
  const cases = parsed.value.testResults.flatMap(({ name = '', status, assertionResults }): TestCase[] => {
    const file = seenFrom(root, name)
    const inside = assertionResults.map((test) => ({
      name: `${file} > ${test.ancestorTitles ? [...test.ancestorTitles, test.title ?? ''].join(' > ') : (test.fullName ?? test.title ?? '')}`,
      status: statusOf(test.status),
    }))
    // A file that could not be loaded, or whose hooks failed, has no failed tests.
    const isRed = status === 'failed' && !inside.some((test) => test.status === 'failed')
    return isRed ? [...inside, { name: `${file} > ${OF_A_WHOLE.file}`, status: 'failed' }] : inside
  })
  return { ok: true, cases }
}

/** Reads the JSON of pytest-json-report. Never throws. */
export function readPytestJson(text: string): CasesReading {
  const parsed = parseWith(pytestSchema, text)
  if (!parsed.ok) return parsed
  const { tests, collectors } = parsed.value
  return {
    ok: true,
    cases: [
      ...tests.map(({ nodeid, outcome }) => ({ name: nodeid, status: statusOf(outcome) })),
      ...collectors
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ nodeid }) => ({ name: `${nodeid} > ${OF_A_WHOLE.collection}`, status: 'failed' as const })),
    ],
  }
}

const PASSED = new Set(['passed', 'xpassed', 'ok'])
const SKIPPED = new Set(['pending', 'skipped', 'todo', 'disabled', 'xfailed', 'ignored', 'deselected'])

/** An unknown status counts as failed. */
function statusOf(word: string): TestStatus {
  if (PASSED.has(word)) return 'passed'
  return SKIPPED.has(word) ? 'skipped' : 'failed'
}

/** Returns a path relative to `root`, with `/`; paths elsewhere stay unchanged. */
export function seenFrom(root: string, path: string): string {
  const plain = path.replaceAll('\\', '/')
  const top = `${root.replaceAll('\\', '/').replace(/\/$/, '')}/`
  return plain.startsWith(top) ? plain.slice(top.length) : plain
}

/** Parses JSON with a schema. Returns a value, or a sentence about the problem. */
export function parseWith<T>(
  schema: z.ZodType<T>,
  text: string,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string } {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: `it is not complete JSON (${words.slice(0, 120)})` }
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issue = parsed.error.issues[0]
  return {
    ok: false,
    reason: `it does not have the expected format: ${issue?.path.join('.')}: ${issue?.message}`,
  }
}
