import { z } from 'zod'
import { faultSchema } from '../vocabulary/fault.ts'
import { GATE_STATUSES } from '../vocabulary/gate.ts'
import { POLICY_SOURCES } from '../vocabulary/policy-source.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'
import type { FactualCheck, VerdictFacts } from './facts.ts'

const hash = z.string().regex(/^[0-9a-f]{40,64}$/)
const sideSchema = z
  .object({
    status: z.enum(GATE_STATUSES),
    /** The number of passed tests; `null`: no report was read. */
    passed: z.number().nullable().default(null),
  })
  .nullable()

/** The part of `pulseward verify --json` that is attested. */
export const attestableChangeSchema = z.object({
  verdict: verdictSchema.nullable(),
  applicable: z.boolean(),
  held: z.boolean(),
  groundTruthContradiction: z.boolean().default(false),
  fault: faultSchema.nullable(),
  reasons: z.array(z.string()),
  base: z.object({ commit: hash, tree: hash }),
  head: z.object({ commit: hash, tree: hash, dirty: z.boolean() }),
  policy: z.object({
    contract: z.string().nullable(),
    config: z.string().nullable(),
    source: z.enum(POLICY_SOURCES),
    sha256: z.string().nullable(),
  }),
  custody: z.array(z.object({ path: z.string() })),
  checks: z.array(z.object({ name: z.string(), base: sideSchema, head: sideSchema, cleanRoom: sideSchema })),
  tests: z.object({ lost: z.array(z.string()) }),
  claims: z.array(
    z.object({
      text: z.string(),
      subject: z.string(),
      claimed: z.string(),
      measured: z.string().nullable(),
      equal: z.boolean().nullable(),
    }),
  ),
  verifier: z.object({ version: z.string() }),
})

export type AttestableChange = z.infer<typeof attestableChangeSchema>

/** Returns what is attested about a judged change; `null` if nothing was judged. */
export function factsOfChange(
  change: AttestableChange,
  beside: {
    readonly verifierId: string
    /** The repository's name. */
    readonly name: string
    readonly nowIso: string
    readonly policies: VerdictFacts['policies']
  },
): VerdictFacts | null {
  const { verdict, applicable, held, head, base, tests, checks } = change
  if (!applicable || verdict === null) return null
  return {
    source: 'change',
    verifier: { id: beside.verifierId, version: change.verifier.version },
    timeCreated: beside.nowIso,
    subject: { name: beside.name, commit: head.dirty ? null : head.commit, tree: head.tree },
    base,
    verdict,
    measuredVerdict: verdict,
    decidedBy: 'measurement',
    contradiction: change.groundTruthContradiction || change.claims.some(({ equal }) => equal === false),
    fault: change.fault,
    held: held ? { because: null, files: [...new Set(change.custody.map(({ path }) => path))] } : null,
    reasons: change.reasons,
    claims: change.claims.map(({ text, subject, claimed, measured, equal }) => ({
      text,
      subject,
      claimed,
      measured,
      equal,
    })),
    checks: checks.map(checkOf),
    testsLost: areTestsCompared(checks) ? tests.lost.length : null,
    task: null,
    policies: beside.policies,
    record: null,
  }
}

/** A check passed if it passed on the head and, if needed, in the clean room with the baseline's check files. */
function checkOf({ name, head, cleanRoom }: AttestableChange['checks'][number]): FactualCheck {
  const sides = [head, ...(cleanRoom === null ? [] : [cleanRoom])]
  if (sides.some((side) => side === null || side.status === 'unavailable')) return { name, passed: null }
  return { name, passed: sides.every((side) => side?.status === 'passed') }
}

/** Returns whether the names of all tests are known on both sides: what was read on one side alone shows nothing that is missing. */
function areTestsCompared(checks: AttestableChange['checks']): boolean {
  const isRead = (side: AttestableChange['checks'][number]['base']): boolean =>
    side !== null && side.passed !== null
  const sides = checks.map(({ base, head }) => [isRead(base), isRead(head)] as const)
  return sides.every(([before, now]) => before === now) && sides.some(([before]) => before)
}
