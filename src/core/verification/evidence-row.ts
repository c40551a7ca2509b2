import { z } from 'zod'
import { evidenceKindSchema, refutationSchema } from '../vocabulary/evidence.ts'

/** A claim beside what was measured: the sign between them is the product. */
export const comparisonSchema = z.object({
  subject: z.string(),
  claimed: z.string().nullable(),
  measured: z.string().nullable(),
  agrees: z.boolean().nullable(),
  /** Measured by the task's check: shown before all others. */
  isHint: z.literal(true).optional(),
})

/** One thing as each source has it, the agent, its program, the snapshot, probes and gates; `null` if a source says nothing of such things. */
const evidenceRowSchema = z.object({
  kind: evidenceKindSchema,
  subject: z.string(),
  claimed: z.string().nullable(),
  reported: z.string().nullable(),
  snapshot: z.string().nullable(),
  measured: z.string().nullable(),
  /** Whether the claim is borne out; `null` where nothing tells. */
  agrees: z.boolean().nullable(),
})

/** A claim that the program's own report does not bear out. */
const evidenceContradictionSchema = z.object({
  kind: refutationSchema,
  /** The file, or the command line; empty where no command is named. */
  subject: z.string(),
  /** A sentence with what was claimed and what is there. */
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
