import { z } from 'zod'
import { evidenceKindSchema, refutationSchema } from '../vocabulary/evidence.ts'

/** A claim and its measurement: the sign between them is the product. */
export const comparisonSchema = z.object({
  subject: z.string(),
  claimed: z.string().nullable(),
  measured: z.string().nullable(),
  agrees: z.boolean().nullable(),
  /** Measured by the task's check; shown first. */
  isHint: z.literal(true).optional(),
})

/** One thing as seen by each source: agent, program, snapshot, probes and gates; `null` if a source says nothing about it. */
const evidenceRowSchema = z.object({
  kind: evidenceKindSchema,
  subject: z.string(),
  claimed: z.string().nullable(),
  reported: z.string().nullable(),
  snapshot: z.string().nullable(),
  measured: z.string().nullable(),
  /** Whether the claim is confirmed; `null` if nothing tells. */
  agrees: z.boolean().nullable(),
})

/** A claim that the program's own report doesn't support. */
const evidenceContradictionSchema = z.object({
  kind: refutationSchema,
  /** The file, or the command line; empty if no command is named. */
  subject: z.string(),
  /** A sentence with the claim and what was found instead. */
  reason: z.string(),
})

export const reconciliationSchema = z.object({
  rows: z.array(evidenceRowSchema),
  contradictions: z.array(evidenceContradictionSchema),
})

export type Comparison = Readonly<z.infer<typeof comparisonSchema>>

export type EvidenceRow = Readonly<z.infer<typeof evidenceRowSchema>>

export type EvidenceContradiction = Readonly<z.infer<typeof evidenceContradictionSchema>>

export interface Reconciliation {
  readonly rows: readonly EvidenceRow[]
  readonly contradictions: readonly EvidenceContradiction[]
}
