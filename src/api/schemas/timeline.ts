import { z } from 'zod'
import { timelineEntrySchema } from '../../core/record/timeline-entry.ts'
import { severitySchema } from '../../core/vocabulary/severity.ts'
import { timelineKindSchema } from '../../core/vocabulary/timeline.ts'

/** A list as an array, or as comma-separated words, as in a URL. */
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

/** What a timeline is narrowed to; a field left out doesn't filter. */
export const timelineFilterSchema = z.object({
  /** verdict, intervention, feedback, standing, contract, unblock, pause, gap, trust, notice. */
  kinds: listOf(timelineKindSchema, 20),
  /** Within a kind, such as `contradiction`, `false_completion_detected`, `lockdown`. */
  types: listOf(z.string().max(60), 40),
  severity: severitySchema.optional(),
  task: z.string().max(500).optional(),
  cycle: z.coerce.number().int().optional(),
  /** Words that the entry contains verbatim, ignoring case. */
  text: z.string().max(200).optional(),
})

export const timelinePageSchema = z.object({
  /** Newest first. */
  entries: z.array(timelineEntrySchema),
  /** Continues as `cursor`; `null` at the end. */
  nextCursor: z.string().nullable(),
  /** How many entries precede the first of these. */
  offset: z.int(),
  /** Entries that match the filter, as far as searched. */
  total: z.int(),
  /** False: older events have not been searched yet. Asking again continues from there. */
  complete: z.boolean(),
  /** Place of the entry requested with `at`; `null` if it is not among those found. */
  foundAt: z.int().nullable(),
  /** Ledger position that the list represents; pass it as `upTo` to page through the list while the ledger grows. */
  head: z.int(),
})

export type TimelineFilterInput = z.input<typeof timelineFilterSchema>
export type TimelinePageView = z.infer<typeof timelinePageSchema>
