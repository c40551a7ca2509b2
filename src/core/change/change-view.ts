import { z } from 'zod'
import { faultSchema } from '../vocabulary/fault.ts'
import { GATE_STATUSES } from '../vocabulary/gate.ts'
import { POLICY_SOURCES } from '../vocabulary/policy-source.ts'
import { SEVERITIES, severitySchema } from '../vocabulary/severity.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'
import { type ChangeVerdict, type CheckSide, CLAIM_KINDS } from './types.ts'

const sideSchema = z
  .object({
    status: z.enum(GATE_STATUSES),
    exitCode: z.int().nullable(),
    durationMs: z.number(),
    detail: z.string(),
    passed: z.int().nullable(),
    failed: z.int().nullable(),
    skipped: z.int().nullable(),
    failing: z.array(z.string()),
  })
  .nullable()

/** A verdict on a change as a page shows it: the document of `pulseward verify --json`, with long lists truncated. */
export const changeViewSchema = z.object({
  verdict: verdictSchema.nullable(),
  applicable: z.boolean(),
  held: z.boolean(),
  groundTruthContradiction: z.boolean(),
  fault: faultSchema.nullable(),
  reasons: z.array(z.string()),
  base: z.object({ commit: z.string(), tree: z.string() }),
  head: z.object({ commit: z.string(), tree: z.string(), dirty: z.boolean() }),
  policy: z.object({
    contract: z.string().nullable(),
    config: z.string().nullable(),
    source: z.enum(POLICY_SOURCES),
    sha256: z.string().nullable(),
  }),
  /** The judged tasks of all contracts. */
  tasks: z.array(
    z.object({
      taskId: z.string(),
      path: z.string(),
      verdict: verdictSchema.nullable(),
      reasons: z.array(z.string()),
    }),
  ),
  /** The worst come first. */
  custody: z.array(
    z.object({
      code: z.string(),
      severity: severitySchema,
      path: z.string(),
      line: z.int().nullable(),
      message: z.string(),
      fingerprint: z.string(),
    }),
  ),
  checks: z.array(
    z.object({
      name: z.string(),
      base: sideSchema,
      head: sideSchema,
      cleanRoom: sideSchema,
      report: z.string().nullable(),
    }),
  ),
  lost: z.array(z.string()),
  added: z.array(z.object({ name: z.string(), redFirst: z.boolean().nullable() })),
  skipped: z.array(z.string()),
  claims: z.array(
    z.object({
      text: z.string(),
      kind: z.enum(CLAIM_KINDS),
      subject: z.string(),
      claimed: z.string(),
      measured: z.string().nullable(),
      equal: z.boolean().nullable(),
    }),
  ),
  /** Number of entries left out of each list. */
  more: z.object({
    custody: z.int(),
    checks: z.int(),
    lost: z.int(),
    added: z.int(),
    skipped: z.int(),
    claims: z.int(),
  }),
  durationMs: z.number(),
})

export type ChangeView = z.infer<typeof changeViewSchema>

/** Maximum number of entries of one list that a page shows. */
export const MAX_SHOWN = 200
const MAX_CHARACTERS = 2000

/** Returns what a page shows about a verdict: a limited number of entries, contradictions and serious findings first. */
export function changeView(verdict: ChangeVerdict): ChangeView {
  const { reasons, contracts, custody, checks, tests, claims, verifier: _, ...whole } = verdict
  const worstFirst = custody.toSorted(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  )
  const contradictedFirst = claims.toSorted((one, other) => rankOf(one.equal) - rankOf(other.equal))
  const more = (list: readonly unknown[]): number => Math.max(0, list.length - MAX_SHOWN)
  return {
    ...whole,
    reasons: first(reasons).map(cut),
    tasks: first(
      contracts.flatMap(({ path, tasks }) =>
        tasks.map((task) => ({ ...task, path, reasons: first(task.reasons).map(cut) })),
      ),
    ),
    custody: first(worstFirst).map((finding) => ({ ...finding, message: cut(finding.message) })),
    checks: first(checks).map(({ name, base, head, cleanRoom, report }) => ({
      ...{ name, report },
      base: sideOf(base),
      head: sideOf(head),
      cleanRoom: sideOf(cleanRoom),
    })),
    lost: first(tests.lost).map(cut),
    added: first(tests.added).map(({ name, redFirst }) => ({ name: cut(name), redFirst })),
    skipped: first(tests.skipped).map(cut),
    claims: first(contradictedFirst).map((claim) => ({
      ...claim,
      text: cut(claim.text),
      subject: cut(claim.subject),
      claimed: cut(claim.claimed),
      measured: claim.measured === null ? null : cut(claim.measured),
    })),
    more: {
      custody: more(custody),
      checks: more(checks),
      lost: more(tests.lost),
      added: more(tests.added),
      skipped: more(tests.skipped),
      claims: more(claims),
    },
  }
}

/** Returns the sort rank: false claims first, unread ones last. */
function rankOf(equal: boolean | null): number {
  return equal === false ? 0 : equal === true ? 1 : 2
}

function first<T>(list: readonly T[]): T[] {
  return list.slice(0, MAX_SHOWN)
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

function sideOf(side: CheckSide | null): ChangeView['checks'][number]['base'] {
  return side === null ? null : { ...side, detail: cut(side.detail), failing: first(side.failing).map(cut) }
}
