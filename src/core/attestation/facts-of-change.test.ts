import { expect, it } from 'vitest'
import { propertiesOf } from './build-statements.ts'
import { attestableChangeSchema, factsOfChange } from './facts-of-change.ts'

type Side = { readonly status: 'passed' | 'failed'; readonly passed: number | null } | null

const read: Side = { status: 'passed', passed: 2 }
const unread: Side = { status: 'passed', passed: null }
const broken: Side = { status: 'failed', passed: null }

const hash = 'a'.repeat(40)
const side = { commit: hash, tree: hash }

const propertiesFor = (sides: readonly (readonly [base: Side, head: Side])[], lost: readonly string[]) => {
  const change = attestableChangeSchema.parse({
    ...{ verdict: 'verified', applicable: true, held: false, fault: null, reasons: [] },
    ...{ base: side, head: { ...side, dirty: false }, custody: [], claims: [], tests: { lost } },
    policy: { contract: null, config: null, source: 'detected', sha256: null },
    checks: sides.map(([base, head], index) => ({ name: `check ${index}`, base, head, cleanRoom: null })),
    verifier: { version: '1.2.3' },
  })
  const beside = { verifierId: 'v', name: 'job', nowIso: '2026-11-25T21:00:00Z', policies: [] }
  const facts = factsOfChange(change, beside)
  return facts === null ? null : propertiesOf(facts)
}

it.each<[string, readonly (readonly [Side, Side])[], readonly string[], boolean]>([
  ['both sides were read and none is missing', [[read, read]], [], true],
  [
    'a check besides them has no report on either side',
    [
      [read, read],
      [unread, unread],
    ],
    [],
    true,
  ],
  ['one is missing', [[read, read]], ['adds'], false],
  ['the base gave no report, as one that does not compile', [[broken, read]], [], false],
  ['the base was not run', [[null, read]], [], false],
  [
    'another check was read on the base alone',
    [
      [read, read],
      [read, unread],
    ],
    [],
    false,
  ],
  ['nothing was read', [[unread, unread]], [], false],
])('says whether all tests were kept if %s', (_title, sides, lost, isKept) => {
  expect(propertiesFor(sides, lost)?.includes('PULSEWARD_TESTS_KEPT')).toBe(isKept)
})
