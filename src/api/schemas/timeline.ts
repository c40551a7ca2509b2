import { z } from 'zod'
import { timelineEntrySchema } from '../../core/record/timeline-entry.ts'
import { severitySchema } from '../../core/vocabulary/severity.ts'
import { timelineKindSchema } from '../../core/vocabulary/timeline.ts'

/** A list as an array, or as words with commas between them, as an address has it. */
function listOf<T extends z.ZodType<unknown, string>>(item: T, most: number) {
  const items = z.array(item).max(most)
  return z
    .union([
      items,
      z
        .string()
        .transform((text) => text.split(','))
        .pipe(items),
    ])
    .optional()
}

/** What a timeline is narrowed to; what is left out lets everything through. */
export const timelineFilterSchema = z.object({
  /** verdict, intervention, feedback, standing, contract, unblock, pause, gap, trust, notice. */
  kinds: listOf(timelineKindSchema, 20),
  /** Within a kind, such as `contradiction`, `false_completion_detected`, `lockdown`. */
  types: listOf(z.string().max(60), 40),
  severity: severitySchema.optional(),
  task: z.string().max(500).optional(),
  cycle: z.coerce.number().int().optional(),
  /** Words that stand in the entry as they are; upper and lower case alike. */
  text: z.string().max(200).optional(),
})

export const timelinePageSchema = z.object({
  /** Newest first. */
  entries: z.array(timelineEntrySchema),
  /** Leads on as `cursor`; `null` at the end. */
  nextCursor: z.string().nullable(),
  /** How many entries stand before the first of these. */
  offset: z.int(),
  /** All that the filter lets through, as far as has been looked. */
  total: z.int(),
  /** False: older events have not been looked at yet. Asking again goes on from there. */
  complete: z.boolean(),
  /** Place of the entry asked for with `at`; `null` where it is not among those found. */
  foundAt: z.int().nullable(),
  /** Position of the ledger that the list stands for; give it as `upTo` to page through it while it grows. */
  head: z.int(),
})

export type TimelineFilterInput = z.input<typeof timelineFilterSchema>
export type TimelinePageView = z.infer<typeof timelinePageSchema>
