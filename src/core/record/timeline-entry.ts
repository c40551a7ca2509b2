import { z } from 'zod'
import { comparisonSchema } from '../verification/evidence-row.ts'
import { severitySchema } from '../vocabulary/severity.ts'
import { timelineKindSchema } from '../vocabulary/timeline.ts'

/** One thing that happened, for the timeline: made from one event of the ledger, limited in size. */
export const timelineEntrySchema = z.object({
  /** The event's number; for its Nth intervention with `-N` appended (that intervention's id). */
  id: z.string(),
  /** Number of the event in the ledger. */
  seq: z.int(),
  /** ISO 8601 with offset. */
  at: z.string(),
  /** Local day (YYYY-MM-DD). */
  day: z.string(),
  kind: timelineKindSchema,
  /** Within the kind: the verdict, the intervention's type, the standing … */
  type: z.string(),
  severity: severitySchema,
  /** `null` if it belongs to no heartbeat, or the event doesn't say to which. */
  cycle: z.int().nullable(),
  taskId: z.string().nullable(),
  attemptId: z.string().nullable(),
  /** In a few words. */
  title: z.string(),
  /** Sentences. */
  text: z.array(z.string()),
  /** What a person wrote: the note of a thumb, the reason of an overruling or unblocking. */
  note: z.string().nullable(),
  /** `null` if it changed no score. */
  points: z.number().nullable(),
  comparisons: z.array(comparisonSchema),
  /** Files that changed; at most 50 of `filesCount`. */
  files: z.array(z.string()),
  filesCount: z.int(),
  /** Unified difference of the contract, if it was recorded. */
  patch: z.string().nullable(),
  /** The facts behind an intervention. */
  details: z.record(z.string(), z.unknown()),
})

export type TimelineEntry = z.infer<typeof timelineEntrySchema>

/** Returns an entry as a row of a table, for spreadsheets: columns in order, lists with one item per line. */
export function timelineRow(entry: TimelineEntry): Readonly<Record<string, string | number | null>> {
  const { comparisons, details, files } = entry
  const compared = (side: 'claimed' | 'measured') =>
    comparisons.map((each) => `${each.subject}: ${each[side] ?? 'nothing'}`).join('\n')
  return {
    id: entry.id,
    at: entry.at,
    day: entry.day,
    kind: entry.kind,
    type: entry.type,
    severity: entry.severity,
    heartbeat: entry.cycle,
    task: entry.taskId,
    attempt: entry.attemptId,
    title: entry.title,
    text: entry.text.join('\n'),
    claimed: compared('claimed'),
    measured: compared('measured'),
    agrees: comparisons.map(({ agrees }) => (agrees === null ? '?' : agrees ? 'yes' : 'no')).join('\n'),
    points: entry.points,
    note: entry.note,
    files: files.join('\n'),
    files_count: entry.filesCount,
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
  }
}

/** Defaults of all fields that only some kinds of entries set. */
export const NOTHING_SAID = {
  severity: 'info',
  cycle: null,
  taskId: null,
  attemptId: null,
  text: [],
  note: null,
  points: null,
  comparisons: [],
  files: [],
  filesCount: 0,
  patch: null,
  details: {},
} satisfies Partial<TimelineEntry>
