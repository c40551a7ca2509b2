import { z } from 'zod'
import { proposalItemSchema } from '../../core/record/events.ts'
import { custodyFileSchema, proposalStateSchema } from '../../core/vocabulary/proposal.ts'

/** A change of contract or configuration that came while an agent ran. */
export const proposalSchema = z.object({
  id: z.string(),
  workspace: z.string(),
  file: custodyFileSchema,
  /** Empty where no attempt of this workspace's was running. */
  attemptIds: z.array(z.string()),
  /** Who ran meanwhile, to follow "changed while". */
  during: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** It only adds: it counts already, and scores nothing until it is accepted. */
  adds: z.boolean(),
  /** It asks less than before, as far as that can be known. */
  asksLess: z.boolean(),
  /** Unified; `null` where the texts are too long to be compared. */
  diff: z.string().nullable(),
  /** What waits, each answered on its own where that is wanted; `words` says it in a sentence. */
  items: z.array(proposalItemSchema.extend({ words: z.string() })),
  state: proposalStateSchema,
  answeredAt: z.string().nullable(),
})

export const proposalListSchema = z.object({ proposals: z.array(proposalSchema) })

export type ProposalView = z.infer<typeof proposalSchema>
