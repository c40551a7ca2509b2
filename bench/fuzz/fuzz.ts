import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STREAM_PROGRAMS } from '../../src/core/agents/programs.ts'
import { type CustodyPolicy, findCustody } from '../../src/core/change/custody-findings.ts'
import { findCommands } from '../../src/core/claims/evidence-commands.ts'
import { findEvidence } from '../../src/core/claims/evidence-references.ts'
import { extractClaims } from '../../src/core/claims/extract.ts'
import { findTestRuns } from '../../src/core/claims/prose-tests.ts'
import { NO_CLAIM } from '../../src/core/claims/types.ts'
import { parseContract } from '../../src/core/contract/parse.ts'
import { REPORT_FORMATS } from '../../src/core/reports/test-report.ts'
import { holdsSecret, withoutSecrets } from '../../src/core/text/secrets.ts'
import { createStreamReader } from '../../src/main/agents/streams/read-stream.ts'
import { parseWorkspaceConfig } from '../../src/main/config/parse-config.ts'
import { setTomlValue } from '../../src/main/config/toml-edit.ts'
import { decodeLine, readEvent } from '../../src/main/ledger/line.ts'
import { seededIndexes } from '../../src/main/testing/seeded-numbers.ts'
import { parseReading } from '../../src/main/verifier/parse-reading.ts'
import { readReports } from '../../src/main/verifier/reports/read-report.ts'

/*
 * Fuzzes everything that parses bytes from others: agents, files, runners. Whatever the input, a parser must not throw, must not take long,
 * and must keep its own promise. Inputs are pieces of valid ones, cut, joined, repeated and corrupted. A short piece that is
 * repeated until the input is as long as allowed shows expressions whose time grows with the square of their input.
 */

interface Target {
  readonly name: string
  readonly seeds: readonly string[]
  /** Reads the text; throws, or returns a sentence, if it breaks a promise. */
  read(text: string, number: (below: number) => number): string | null
}

/** An input that broke a promise. */
export interface Finding {
  readonly target: string
  readonly seed: number
  readonly problem: string
  readonly input: string
}

/** How inputs are made, and what is asked of their reading. */
export interface Trial {
  /** In characters. Texts of files are read up to 1 MiB. */
  readonly maxLength: number
  /** In milliseconds of processor time; `null` if other work of this process would be counted too, as in a test. */
  readonly tooLong: number | null
}

const root = join(import.meta.dirname, '../..')
const streams = join(root, 'src/main/agents/fixtures/streams')
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8')

const REPORT =
  '```heartbeat-report\n{"task_id": "a", "status": "done", "claims": {"n": 3}, "files": ["a.md"], "evidence": ["a.md:1-2 x"], "exit_signal": true}\n```\n'
const SAID =
  'I created `notes/a.md` and ran `npm test`: 12 passed, 1 failed.\nemail_count: 1,000\nEvidence: see a.md:3-9 "the words".\nEXIT_SIGNAL: true\n'
const CONFIG = read(root, 'resources/sample/pulseward.toml')
const RUNS = [
  '<testsuites><testsuite name="s"><testcase classname="a" name="b"/><testcase name="c"><failure message="m">x</failure></testcase></testsuite></testsuites>',
  'TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b # TODO\n  ---\n  x: 1\n  ...\n',
  '{"Action":"run","Package":"p","Test":"T"}\n{"Action":"pass","Package":"p","Test":"T"}\n',
  '{"testResults":[{"name":"/r/a.test.ts","assertionResults":[{"fullName":"a b","status":"passed"}]}],"success":true}',
  '{"tests":[{"nodeid":"a.py::t","outcome":"passed"}],"summary":{"total":1}}',
]
const LINE =
  '{"seq":1,"at":"2026-01-01T00:00:00Z","day":"2026-01-01","prev":"0000","type":"diagnostic-raised","code":"hollow-hint","taskId":null,"message":"m"}'
const SECRETS =
  'postgres://u:hunter2@h/db sk_live_51H8abcdefghijklmnopqrstuvwx ghp_abcdefghijklmnopqrstuvwxyz0123456789 AKIAABCDEFGHIJKLMNOP\n'

const PYTHON =
  '"""Adds."""\nimport pytest\n\n@pytest.mark.skip\ndef test_adds():\n    """\n    >>> 1 + 1\n    2\n    """\n    assert 1 == 1  # one\n'
const SCRIPT =
  "const test = require('node:test')\ntest('adds', (t) => {\n  t.assert.equal(1, 1) // one\n  process.exit(0)\n})\n/* int main(void) { return 0; } */\n"
const PATHS = [
  'test/a.test.js',
  'conftest.py',
  'pyproject.toml',
  '.github/workflows/ci.yml',
  'lib/a.py',
  'a.sh',
  'a_test.go',
  't/a.t',
]
const POLICY: CustodyPolicy = {
  isProtected: (path) => /test|conftest/.test(path),
  executed: new Map([['a.sh', [{ part: null, perhapsSubject: false }]]]),
  mayChange: () => false,
  isPolicy: () => false,
  isFile: () => true,
  isLoaded: () => true,
}

const TARGETS: readonly Target[] = [
  {
    name: 'contract',
    seeds: [
      read(root, 'resources/sample/HEARTBEAT.md'),
      '## Tasks\n- [ ] a | b \\| c | optional | verify: x > 1 | max_attempts: 2\n  - [x] d | verify: e\n```\n## Tasks\n```\n<!-- - [ ] z -->\n',
    ],
    read: (text) => {
      const { tasks, diagnostics } = parseContract(text)
      const outside = [...tasks, ...diagnostics].find(
        ({ range: { start, end } }) =>
          start.line < 1 || start.offset < 0 || end.offset < start.offset || end.offset > text.length,
      )
      return outside === undefined ? null : `${JSON.stringify(outside.range)} of ${text.length}`
    },
  },
  {
    name: 'claims',
    seeds: [REPORT, SAID],
    read: (text) => {
      const claims = extractClaims(text, { taskIds: ['a'], probeNames: ['email_count', 'n'] })
      const claim = claims.get('a') ?? NO_CLAIM
      findEvidence(claim, text)
      findTestRuns(claim, text)
      findCommands(text)
      return claims.size === 1 ? null : `${claims.size} claims of one task`
    },
  },
  {
    name: 'configuration',
    seeds: [CONFIG, '[probes.a]\ncommand = ["x"]\nparse = "number"\n[gates]\ncommands = [["npm", "test"]]\n'],
    read: (text, number) => {
      const parsed = parseWorkspaceConfig(text)
      if (!parsed.ok && parsed.problems.length === 0) return 'refused without a reason'
      if (parsed.ok) setTomlValue(text, ['heartbeat', 'interval_minutes'], number(60) + 1)
      return null
    },
  },
  {
    name: 'ledger line',
    seeds: [LINE],
    read: (text) => {
      const decoded = decodeLine(Buffer.from(text))
      if (!('broken' in decoded)) readEvent(decoded)
      return null
    },
  },
  {
    name: 'test report',
    seeds: RUNS,
    read: (text, number) => {
      const format = REPORT_FORMATS[number(REPORT_FORMATS.length)] ?? 'tap'
      const reading = readReports(format, [text], '/r')
      if (!reading.ok) return reading.reason === '' ? 'refused without a reason' : null
      const { passed, failed, skipped, total } = reading.report
      return passed + failed + skipped === total ? null : `${passed} + ${failed} + ${skipped} of ${total}`
    },
  },
  {
    name: 'stream',
    seeds: readdirSync(streams).map((name) => read(streams, name).slice(0, 20_000)),
    read: (text, number) => {
      const program = STREAM_PROGRAMS[number(STREAM_PROGRAMS.length)] ?? 'claude'
      const reader = createStreamReader(program, () => undefined)
      const cut = number(text.length + 1)
      reader.stdout(text.slice(0, cut))
      reader.stdout(text.slice(cut))
      reader.end()
      reader.reading()
      return null
    },
  },
  {
    name: 'reading',
    seeds: ['3', '-1.5e3', '{"a": {"b": [1, 2, null]}}', '\u001b[33m3\u001b[39m'],
    read: (text, number) => {
      const parse = (['number', 'text', 'json'] as const)[number(3)] ?? 'text'
      const reading = parseReading(text, { parse, path: number(2) === 0 ? null : 'a.b' })
      return reading.ok || reading.reason !== '' ? null : 'refused without a reason'
    },
  },
  {
    name: 'change',
    seeds: [PYTHON, SCRIPT, read(root, '.github/workflows/agents.yml'), CONFIG],
    read: (text, number) => {
      const path = PATHS[number(PATHS.length)] ?? 'a.js'
      const cut = text.slice(number(text.length + 1))
      const [before, after] = number(2) === 0 ? [text, cut] : [cut, text]
      findCustody([{ path, before, after, modeBefore: '100644', modeAfter: '100644' }], POLICY)
      return null
    },
  },
  {
    name: 'secrets',
    seeds: [SECRETS, SAID],
    read: (text) => (holdsSecret(withoutSecrets(text)) ? 'a secret is left' : null),
  },
]

const SPOILS = [
  '\0',
  '\ud800',
  '\u202e',
  '\r',
  '\n',
  '|',
  '`',
  '"',
  '\\',
  '{',
  '}',
  '[',
  '<',
  '&',
  '/',
  '../',
  '#',
  '-->',
  '__proto__',
  '9'.repeat(400),
  '\u001b[',
  'é',
  '💥',
  ' '.repeat(200),
]

function makeInput({ seeds }: Target, maxLength: number, number: (below: number) => number): string {
  const piece = (): string => {
    const text = seeds[number(seeds.length)] ?? ''
    if (number(3) === 0) return text
    const start = number(text.length)
    return text.slice(start, start + number(400))
  }
  let text = piece()
  for (let changes = number(8); changes > 0; changes -= 1) {
    const at = number(text.length + 1)
    const until = at + number(20)
    const spoil = SPOILS[number(SPOILS.length)] ?? ''
    const inserted =
      [piece(), spoil, spoil.repeat(number(50)), text.slice(at, at + 100).repeat(number(20))][number(4)] ?? ''
    text = `${text.slice(0, at)}${inserted}${text.slice(number(2) === 0 ? at : until)}`.slice(0, maxLength)
  }
  if (number(8) > 0) return text
  const at = number(text.length + 1)
  const pump = number(2) === 0 ? text.slice(at, at + 1 + number(12)) : (SPOILS[number(SPOILS.length)] ?? '')
  return (
    (text.slice(0, at) + pump.repeat(maxLength / Math.max(pump.length, 1))).slice(0, maxLength - 100) +
    text.slice(at).slice(0, 100)
  )
}

/** Reads the input of this seed; `null` if all is well. */
function tryInput(seed: number, { maxLength, tooLong }: Trial): Finding | null {
  const target = TARGETS[seed % TARGETS.length] as Target
  const number = seededIndexes(seed)
  const input = makeInput(target, maxLength, number)
  const finding = (problem: string): Finding => ({ target: target.name, seed, problem, input })
  const before = process.cpuUsage()
  try {
    const problem = target.read(input, number)
    if (problem !== null) return finding(problem)
  } catch (error) {
    return finding(`it threw ${error instanceof Error ? error.stack : String(error)}`)
  }
  const { user } = process.cpuUsage(before)
  return tooLong !== null && user / 1000 > tooLong ? finding(`it took ${user / 1000} ms`) : null
}

/** Reads `count` inputs, starting at `seed`; returns at most ten findings. */
export function fuzz(seed: number, count: number, trial: Trial): readonly Finding[] {
  const findings: Finding[] = []
  for (let index = 0; index < count && findings.length < 10; index += 1) {
    const finding = tryInput(seed + index, trial)
    if (finding !== null) findings.push(finding)
  }
  return findings
}
