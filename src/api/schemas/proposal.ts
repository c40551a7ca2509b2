import { z } from 'zod'
import { proposalItemSchema } from '../../core/record/events.ts'
import { custodyFileSchema, proposalStateSchema } from '../../core/vocabulary/proposal.ts'

/** A proposed change: an edit of contract or configuration that was made while an agent ran. */
export const proposalSchema = z.object({
  id: z.string(),
  workspace: z.string(),
  file: custodyFileSchema,
  /** Empty if no attempt of this workspace was running. */
  attemptIds: z.array(z.string()),
  /** Who was running, to complete "changed while". */
  during: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** It only adds: it already counts, but scores nothing until it is accepted. */
  adds: z.boolean(),
  /** True if it is known to ask for less than before. */
  asksLess: z.boolean(),
  /** Unified; `null` if the texts are too long to compare. */
  diff: z.string().nullable(),
  /** The pending items; each can be answered separately. `words` describes it in a sentence. */
  items: z.array(proposalItemSchema.extend({ words: z.string() })),
  state: proposalStateSchema,
  answeredAt: z.string().nullable(),
})

export const proposalListSchema = z.object({ proposals: z.array(proposalSchema) })

export type ProposalView = z.infer<typeof proposalSchema>
