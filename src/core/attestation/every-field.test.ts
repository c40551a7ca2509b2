import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildStatements } from './build-statements.ts'
import { type Alteration, checkAttestation, type OpenedEnvelope } from './check-attestation.ts'
import type { VerdictFacts } from './facts.ts'
import type { TrustedKey } from './keys.ts'
import { SVR, TEST_RESULT, VERDICT } from './statement.ts'

/*
 * Changes every value of every statement, one at a time, and checks which alteration is reported: once with a broken signature, as anyone
 * could, and once signed again with the same key, as only someone who stole it could.
 */

const KEYID = 'pulseward-2026-11-25-0123456789abcdef'
const COMMIT = 'a'.repeat(40)
const TREE = 'b'.repeat(40)
const LINE = 'e'.repeat(64)
const policy = (name: string, digit: string) => ({
  name,
  digest: { sha256: digit.repeat(64) },
  annotations: { commit: COMMIT, path: name },
})
const facts: VerdictFacts = {
  source: 'heartbeat',
  verifier: { id: 'https://pulseward.dev/verifier/v1', version: '1.2.3' },
  timeCreated: '2026-11-25T21:00:00.000Z',
  subject: { name: 'git+https://github.com/acme/job', commit: COMMIT, tree: TREE },
  base: { commit: COMMIT, tree: TREE },
  verdict: 'verified',
  measuredVerdict: 'verified',
  decidedBy: 'measurement',
  contradiction: false,
  fault: null,
  held: null,
  reasons: ['claimed mails = 3, measured 3'],
  claims: [{ text: 'I counted 3 mails.', subject: 'mails', claimed: '3', measured: '3', equal: true }],
  checks: [
    { name: 'check mails', passed: true },
    { name: 'gate lint', passed: true },
  ],
  testsLost: 0,
  task: { id: 'count', sha256: 'c'.repeat(64) },
  policies: [policy('HEARTBEAT.md', '1'), policy('pulseward.toml', '2')],
  record: { workspace: 'job', attempt: 'a-1', seq: 7, lineSha256: LINE },
}
const refused: VerdictFacts = {
  ...facts,
  verdict: 'not_verified',
  measuredVerdict: 'not_verified',
  contradiction: true,
  fault: 'agent',
  held: { because: 'check', files: ['check.sh'] },
  claims: [{ text: null, subject: 'mails', claimed: '3', measured: '1', equal: false }],
  checks: [
    { name: 'check mails', passed: false },
    { name: 'gate lint', passed: null },
  ],
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const key: TrustedKey = {
  keyid: KEYID,
  publicKey: '',
  createdAt: null,
  retiredAt: null,
  revoked: [],
  verifier: null,
  repositories: null,
}

function check(payloads: readonly string[], forged: number | null) {
  const opened = payloads.map(
    (payload, index): OpenedEnvelope => ({
      line: index + 1,
      keyid: KEYID,
      payload,
      signedBy: index === forged ? [] : [key],
    }),
  )
  return checkAttestation(opened, {
    trusted: [key],
    expected: { commit: COMMIT, tree: TREE },
    treeOf: () => TREE,
    fileOf: (_commit, path) => facts.policies.find(({ name }) => name === path)?.digest.sha256 ?? null,
    lineOf: () => LINE,
    sha256,
  })
}

type Path = readonly (string | number)[]
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Returns the paths of all values that are not objects, of empty lists, and of every list and object as a whole. */
function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([name, each]) =>
    pathsOf(each, [...path, Array.isArray(value) ? Number(name) : name]),
  )
  return Array.isArray(value) && path.length > 0 ? [path, ...inner] : inner
}

/** Returns another value that a forger might write; for a list, the same one without its last item, or with one more. */
function other(value: Json): Json {
  if (value === null) return 'agent'
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.length > 0 ? value.slice(0, -1) : ['more']
  if (typeof value === 'object') return {}
  if (/^[0-9a-f]{40,64}$/.test(value)) return '9'.repeat(value.length)
  if (/^\d{4}-/.test(value)) return '2020-01-01T00:00:00.000Z'
  return OTHER[value] ?? `${value}x`
}

/** Maps a value from a fixed set to another of the set, so that the statement stays well-formed. */
const OTHER: Readonly<Record<string, string>> = {
  verified: 'unclear',
  not_verified: 'verified',
  measurement: 'operator',
  heartbeat: 'change',
  PASSED: 'FAILED',
  FAILED: 'PASSED',
  agent: 'environment',
  check: 'protected',
  PULSEWARD_CHECKS_HOLD_WITH_BASE_INSTRUMENTS: 'PULSEWARD_TESTS_KEPT',
  PULSEWARD_TESTS_KEPT: 'PULSEWARD_CLAIMS_MEASURED',
  PULSEWARD_CLAIMS_MEASURED: 'PULSEWARD_TESTS_KEPT',
}

function changed(document: Json, [name, ...rest]: Path): Json {
  if (name === undefined) return other(document)
  if (Array.isArray(document))
    return document.map((each, index) => (index === name ? changed(each, rest) : each))
  const object = document as { [name: string]: Json }
  return { ...object, [name]: changed(object[name] ?? null, rest) }
}

/** The alteration that a change at a path must be reported as; the longest matching path comes first. */
const NAMES: readonly (readonly [string, string, readonly Alteration[]])[] = [
  ['', '_type', ['statement']],
  ['', 'predicateType', ['statement']],
  ['', 'subject.0.annotations.keyid', ['key']],
  ['', 'subject.0.annotations', ['subject', 'statement']],
  ['', 'subject', ['subject', 'statement']],
  [VERDICT, 'predicate.policies', ['policy', 'statement']],
  [VERDICT, 'predicate.claims', ['claims', 'statement']],
  [VERDICT, 'predicate.record', ['record', 'statement']],
  [VERDICT, 'predicate.seals.value.subject', ['subject']],
  [VERDICT, 'predicate.seals.value.policy', ['policy']],
  [VERDICT, 'predicate.seals.value.claims', ['claims']],
  [VERDICT, 'predicate.seals.value.record', ['record']],
  [VERDICT, 'predicate.seals.value.tests', ['tests', 'statement']],
  [VERDICT, 'predicate.seals.value.properties', ['properties', 'statement']],
  [VERDICT, 'predicate', ['verdict', 'statement']],
  [TEST_RESULT, 'predicate.configuration', ['policy']],
  [TEST_RESULT, 'predicate', ['tests']],
  [SVR, 'predicate.verifier.policies', ['policy']],
  [SVR, 'predicate.properties', ['properties', 'statement']],
  [SVR, 'predicate', ['statement']],
]

describe.each([
  ['verified', facts],
  ['refused', refused],
] as const)('the statements of a %s verdict', (_verdict, given) => {
  const payloads = buildStatements(given, KEYID, sha256).map((each) => JSON.stringify(each))
  const cases = payloads.flatMap((payload, at) => {
    const document: Json = JSON.parse(payload)
    const type = String((document as { predicateType: string }).predicateType)
    return pathsOf(document).map((path) => [type, path.join('.'), at, path] as const)
  })

  it('are authentic if unchanged', () => {
    expect(check(payloads, null)).toMatchObject({ problems: [], notCompared: [] })
    expect(check(payloads, null).sound).toHaveLength(payloads.length)
  })

  it.each(cases)('%s: names a change of %s by its meaning', (type, where, at, path) => {
    const document: Json = JSON.parse(payloads[at] ?? '')
    const altered = payloads.map((payload, index) =>
      index === at ? JSON.stringify(changed(document, path)) : payload,
    )
    expect(altered[at]).not.toBe(payloads[at])
    const [, , names = []] =
      NAMES.find(([of, prefix]) => (of === '' || of === type) && `${where}.`.startsWith(`${prefix}.`)) ?? []
    const named = (forged: number | null): readonly Alteration[] =>
      check(altered, forged).problems.map(({ what }) => what)
    expect(named(at)).toContain('signature')
    for (const forged of [at, null]) {
      const found = named(forged)
      expect(
        names.some((name) => found.includes(name)),
        `${where}: ${found.join(', ')}`,
      ).toBe(true)
    }
  })
})

it('checks statements of earlier versions, whose verdicts name no results or properties', () => {
  const payloads = buildStatements(facts, KEYID, sha256).map((each) => {
    const document = JSON.parse(JSON.stringify(each))
    if (document.predicateType !== VERDICT) return JSON.stringify(document)
    const { tests: _tests, properties: _properties, ...seals } = document.predicate.seals.value
    document.predicate.seals.value = seals
    return JSON.stringify(document)
  })
  expect(check(payloads, null).problems).toEqual([])
})

it.each([
  ['the last one recorded', 7, 8],
  ['the last one recorded, wherever it is', 8, 7],
])('takes of verdicts that were signed together %s', (_title, earlier, later) => {
  const of = (given: VerdictFacts, seq: number): readonly string[] =>
    buildStatements(
      { ...given, record: { workspace: 'job', attempt: `a-${seq}`, seq, lineSha256: LINE } },
      KEYID,
      sha256,
    )
      .filter(({ predicateType }) => predicateType === VERDICT)
      .map((each) => JSON.stringify(each))
  const { problems, verdict } = check([...of(facts, earlier), ...of(refused, later)], null)
  expect(problems).toEqual([])
  expect(verdict?.predicate.verdict.value).toBe(later > earlier ? 'not_verified' : 'verified')
})
