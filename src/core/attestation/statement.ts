import { z } from 'zod'
import { faultSchema } from '../vocabulary/fault.ts'
import { heldReasonSchema } from '../vocabulary/held.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'
import { WORK_SOURCES } from '../vocabulary/work-source.ts'

/** The values allowed in a Test Result predicate. */
const TEST_RESULTS = ['PASSED', 'WARNED', 'FAILED'] as const
export type TestResult = (typeof TEST_RESULTS)[number]

/*
 * What is signed: in-toto Statements (v1) with three predicates, in DSSE envelopes. The schemas are the single source of
 * `docs/schemas/*.json` (`npm run docs`).
 * https://github.com/in-toto/attestation/tree/main/spec/v1 and
 * https://github.com/secure-systems-lab/dsse
 */

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
export const SVR = 'https://in-toto.io/attestation/svr/v0.2'
export const TEST_RESULT = 'https://in-toto.io/attestation/test-result/v0.1'
export const VERDICT = 'https://pulseward.dev/verdict/v0.1'

/** The verifier named in statements unless the operator names another. */
export const VERIFIER_ID = 'https://pulseward.dev/verifier/v1'

const MAX_TEXT = 2000
const MAX_ITEMS = 500

const text = z.string().max(MAX_TEXT)
/** ISO 8601, as in RFC 3339. */
const time = z.iso.datetime({ offset: true })
const hex = z.string().regex(/^[0-9a-f]{40,128}$/)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** What is judged: the tree, and the commit if it contains exactly that tree. */
export const subjectSchema = z.strictObject({
  /** `git+https://HOST/OWNER/NAME` of the remote; without a remote, the folder's name. */
  name: text.min(1),
  digest: z.strictObject({ gitCommit: hex.optional(), gitTree: hex }),
  /** Who signed it, and when. Part of what is signed, so that the envelope can't contradict it. */
  annotations: z.strictObject({ verifier: text.min(1), keyid: text.min(1), timeCreated: time }),
})

/** A file that decided the verdict, by its content. `commit` is the commit that contains it, omitted if there is none. */
export const policySchema = z.strictObject({
  name: text.min(1),
  digest: z.strictObject({ sha256 }),
  annotations: z.strictObject({ commit: hex, path: text.min(1) }).optional(),
})

/** The properties that are true, in the terms of a Simple Verification Result. Others are omitted. */
export const PROPERTIES = [
  'PULSEWARD_CHECKS_HOLD_WITH_BASE_INSTRUMENTS',
  'PULSEWARD_TESTS_KEPT',
  'PULSEWARD_CLAIMS_MEASURED',
] as const
export type Property = (typeof PROPERTIES)[number]

export const svrSchema = z.strictObject({
  verifier: z.strictObject({ id: text.min(1), policies: z.array(policySchema).max(MAX_ITEMS) }),
  timeCreated: time,
  properties: z.array(z.enum(PROPERTIES)).min(1),
})

export const testResultSchema = z.strictObject({
  result: z.enum(TEST_RESULTS),
  configuration: z.array(policySchema).max(MAX_ITEMS),
  passedTests: z.array(text).max(MAX_ITEMS),
  warnedTests: z.array(text).max(MAX_ITEMS),
  failedTests: z.array(text).max(MAX_ITEMS),
})

/** A value claimed by the agent (or the author of a change): quoted as data, never believed. */
function claimant<Value extends z.ZodType>(value: Value) {
  return z.strictObject({ by: z.literal('claimant'), value })
}

/** A value measured, decided or recorded by Pulseward. */
function verifier<Value extends z.ZodType>(value: Value) {
  return z.strictObject({ by: z.literal('verifier'), value })
}

export const claimSchema = z.strictObject({
  text: claimant(text.nullable()),
  subject: claimant(text),
  claimed: claimant(text.nullable()),
  measured: verifier(text.nullable()),
  /** `null`: not measured, so nothing is known. */
  equal: verifier(z.boolean().nullable()),
})

/** Parts of a verdict statement with their own digest, so that a changed part can be named. */
export const SEALED = ['subject', 'policy', 'claims', 'record', 'verdict'] as const
export type Sealed = (typeof SEALED)[number]

export const verdictPredicateSchema = z.strictObject({
  verifier: verifier(z.strictObject({ id: text.min(1), version: text })),
  timeCreated: verifier(time),
  source: verifier(z.enum(WORK_SOURCES)),
  /** The verdict that counts: the measured one, unless the operator decided otherwise. */
  verdict: verifier(verdictSchema),
  decidedBy: verifier(z.enum(['measurement', 'operator'])),
  measuredVerdict: verifier(verdictSchema),
  contradiction: verifier(z.boolean()),
  fault: verifier(faultSchema.nullable()),
  held: verifier(
    z.strictObject({ because: heldReasonSchema.nullable(), files: z.array(text).max(MAX_ITEMS) }).nullable(),
  ),
  reasons: verifier(z.array(text).max(MAX_ITEMS)),
  claims: z.array(claimSchema).max(MAX_ITEMS),
  task: verifier(z.strictObject({ id: text, digest: z.strictObject({ sha256 }) }).nullable()),
  policies: verifier(z.array(policySchema).max(MAX_ITEMS)),
  base: verifier(z.strictObject({ gitCommit: hex, gitTree: hex }).nullable()),
  /** The line of the append-only record with this verdict; `null` if no record contains it. */
  record: verifier(
    z.strictObject({ workspace: text, attempt: text, seq: z.int().min(1), lineSha256: sha256 }).nullable(),
  ),
  seals: verifier(
    z.strictObject({
      subject: sha256,
      policy: sha256,
      claims: sha256,
      record: sha256,
      verdict: sha256,
      /** Digest of the results in the Test Result beside it; `null` if there is none. Earlier versions omitted it. */
      tests: sha256.nullable().optional(),
      /** Digest of the properties in the Simple Verification Result beside it; `null` if there is none. Earlier versions omitted it. */
      properties: sha256.nullable().optional(),
    }),
  ),
})

function statement<Type extends string, Predicate extends z.ZodType>(
  predicateType: Type,
  predicate: Predicate,
) {
  return z.strictObject({
    _type: z.literal(STATEMENT_TYPE),
    subject: z.tuple([subjectSchema]),
    predicateType: z.literal(predicateType),
    predicate,
  })
}

export const svrStatementSchema = statement(SVR, svrSchema)
export const testResultStatementSchema = statement(TEST_RESULT, testResultSchema)
export const verdictStatementSchema = statement(VERDICT, verdictPredicateSchema)

export const statementSchema = z.discriminatedUnion('predicateType', [
  svrStatementSchema,
  testResultStatementSchema,
  verdictStatementSchema,
])

export const envelopeSchema = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.base64(),
  signatures: z.tuple([z.strictObject({ keyid: text.min(1), sig: z.base64() })]),
})

export type Subject = z.infer<typeof subjectSchema>
export type Policy = z.infer<typeof policySchema>
export type VerdictStatement = z.infer<typeof verdictStatementSchema>
export type Statement = z.infer<typeof statementSchema>
export type Envelope = z.infer<typeof envelopeSchema>

/** The schemas published for documentation and other programs, by file name. */
export const PUBLISHED_SCHEMAS = {
  'dsse-envelope.json': envelopeSchema,
  'svr-v0.2.json': svrStatementSchema,
  'test-result-v0.1.json': testResultStatementSchema,
  'verdict-v0.1.json': verdictStatementSchema,
} as const satisfies Record<string, z.ZodType>

/** Returns a text truncated to fit into a statement. */
export function bounded(value: string): string {
  return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT - 1)}…`
}

/** Returns at most as many items as fit into a statement. */
export function first<Item>(items: readonly Item[]): Item[] {
  return items.slice(0, MAX_ITEMS)
}
