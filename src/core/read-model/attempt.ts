import { z } from 'zod'
import { heldSchema } from '../custody/held.ts'
import { type AttemptResult, attemptResultSchema } from '../record/events.ts'
import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { cut } from '../text/quote.ts'
import { faultSchema } from '../vocabulary/fault.ts'
import { heldDecisionSchema, heldReasonSchema } from '../vocabulary/held.ts'
import { interventionTypeSchema } from '../vocabulary/intervention.ts'
import { outcomeSchema } from '../vocabulary/outcome.ts'
import { severitySchema } from '../vocabulary/severity.ts'
import { thumbSchema } from '../vocabulary/task.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'
import { replaySchema } from './replay.ts'
import { scoreSchema } from './score.ts'

/** How work that waited for the operator stands; `null`: it never did. */
const reviewSchema = z
  .object({
    because: heldReasonSchema,
    files: z.array(z.string()),
    with: z.string().nullable(),
    /** `null`: it waits. */
    answer: z.object({ answer: heldDecisionSchema, rigged: z.boolean(), at: z.string() }).nullable(),
  })
  .nullable()
  .default(null)

export const attemptSummarySchema = z.object({
  reasons: z.array(z.string()),
  comparisons: attemptResultSchema.shape.comparisons,
  remedy: z.string().nullable(),
  attemptId: z.string(),
  cycle: z.int(),
  taskId: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  timeoutSeconds: z.number(),
  outcome: outcomeSchema,
  required: z.boolean(),
  verdict: verdictSchema.nullable(),
  groundTruthContradiction: z.boolean(),
  fault: faultSchema.nullable(),
  points: z.number(),
  feedback: thumbSchema.nullable(),
  review: reviewSchema,
  overruled: z
    .object({
      from: verdictSchema.nullable(),
      /** Of the first verdict. */
      points: z.number().optional(),
      reason: z.string(),
      at: z.string(),
    })
    .nullable(),
  /** How many files changed while it ran. Left out: not known. */
  filesChangedCount: z.int().optional(),
  /** The operator restored the files it had changed. Left out: they did not. */
  undone: z.object({ at: z.string(), files: z.int() }).optional(),
})

/** Files it changed that can be restored, at most 200 paths; `null`: nothing was changed, or it is no longer kept. */
const undoSchema = z
  .object({
    files: z.array(z.string()),
    count: z.int(),
    /** What was changed and cannot be restored, and why. */
    lost: z.array(z.object({ path: z.string(), reason: z.string() })),
    /** The other attempts of its run: their changes go with it. */
    with: z.array(z.string()),
    isUndone: z.boolean(),
  })
  .nullable()

/** What came of putting changes back. */
export const undoAnswerSchema = z.object({
  attemptId: z.string(),
  /** All attempts of the run, whose changes cannot be told apart. */
  attemptIds: z.array(z.string()),
  putBack: z.array(z.string()),
  /** What stays as it is, and why. */
  leftAlone: z.array(z.object({ path: z.string(), reason: z.string() })),
})

/** An attempt whole: as recorded, with what the operator said since, and its output. */
export const attemptDetailSchema = attemptResultSchema.extend({
  feedback: thumbSchema.nullable(),
  /** What was noted with the thumb. */
  feedbackNote: z.string().nullable().default(null),
  overruled: z
    .object({
      from: verdictSchema.nullable(),
      to: verdictSchema,
      points: z.number().optional(),
      reason: z.string(),
      at: z.string(),
    })
    .nullable(),
  review: reviewSchema,
  undo: undoSchema.default(null),
  /** The operator has not reviewed its contradiction. */
  isUnreviewed: z.boolean().default(false),
  /** The bounded log, head and tail; `null` if it is gone. */
  output: z.string().nullable(),
  /** Its verdict on the timeline, and the attempts at the same task before and after it; `null` if there is none. */
  entryId: z.string().nullable().default(null),
  previousId: z.string().nullable().default(null),
  nextId: z.string().nullable().default(null),
})

/** What is kept beside an attempt's log, each at most 256 KiB; `null` if it is gone or was never recorded. */
export const attemptFilesSchema = z.object({
  prompt: z.string().nullable(),
  /** Unified differences of the text files that changed; `null` in a folder without a git repository. */
  difference: z.string().nullable(),
  /** What happened when; `null` if it is gone or was never recorded. */
  replay: replaySchema.nullable().default(null),
})

/** One attempt as `run --once --json` prints it. */
export const runAttemptSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  outcome: outcomeSchema,
  fault: faultSchema.nullable(),
  verdict: verdictSchema.nullable(),
  groundTruthContradiction: z.boolean(),
  reasons: z.array(z.string()),
  points: z.number(),
  timeoutSeconds: z.number(),
  durationMs: z.number(),
  costs: attemptResultSchema.shape.costs,
  filesChanged: z.array(z.string()),
  /** Held for review: no points until the operator has answered with `review`. */
  held: heldSchema.nullable().default(null),
  interventions: z.array(
    z.object({
      event_type: interventionTypeSchema,
      severity: severitySchema,
      details: z.record(z.string(), z.unknown()),
    }),
  ),
})

export const runReportSchema = z.object({
  workspace: z.string(),
  cycle: z.int(),
  attempts: z.array(runAttemptSchema),
  score: scoreSchema,
})

export type AttemptOverview = z.infer<typeof attemptSummarySchema>

export type AttemptFiles = z.infer<typeof attemptFilesSchema>

export type UndoAnswer = z.infer<typeof undoAnswerSchema>

export type AttemptDetail = z.infer<typeof attemptDetailSchema>

export type RunReport = z.infer<typeof runReportSchema>

/** What a list shows of an attempt. */
export function attemptView(attempt: AttemptSummary): AttemptOverview {
  const { seq: _seq, day: _day, feedbackNote: _note, riggedSeen: _seen, ...view } = attempt
  return {
    ...view,
    reasons: [...view.reasons],
    comparisons: [...view.comparisons],
    review: reviewView(attempt),
  }
}

/** What was raised in an attempt: in its result, and by requests that were refused while it ran, which are recorded as they come. */
export function raisedIn(
  { interventions }: Pick<WorkspaceState, 'interventions'>,
  result: Pick<AttemptResult, 'attemptId' | 'interventions'>,
): AttemptResult['interventions'] {
  const refused = interventions.filter(
    ({ attemptId, intervention }) =>
      attemptId === null &&
      intervention.event_type === 'supervisor_touched' &&
      intervention.details.attempt_id === result.attemptId,
  )
  return [...result.interventions, ...refused.toReversed().map(({ intervention }) => intervention)]
}

/** One attempt as recorded, with what the operator said since (`summary`; `undefined`: too long ago) and what stands beside it. */
export function attemptDetailView(
  result: AttemptResult,
  summary: AttemptSummary | undefined,
  beside: Pick<AttemptDetail, 'isUnreviewed' | 'undo' | 'output' | 'entryId' | 'previousId' | 'nextId'>,
): AttemptDetail {
  const overruled = summary?.overruled ?? null
  return {
    ...result,
    claim: { ...result.claim, evidence: boundedEvidence(result.claim.evidence) },
    ...answerOf(summary),
    points: summary?.points ?? result.points,
    feedback: summary?.feedback ?? null,
    feedbackNote: summary?.feedbackNote ?? null,
    overruled: overruled === null || summary?.verdict == null ? null : { ...overruled, to: summary.verdict },
    ...beside,
  }
}

/** An agent may offer megabytes of evidence; all of it stays in the record. */
const SHOWN_EVIDENCE = 100
const MAX_EVIDENCE = 500

function boundedEvidence(evidence: readonly string[]): string[] {
  const more = evidence.length - SHOWN_EVIDENCE
  return [
    ...evidence.slice(0, SHOWN_EVIDENCE).map((text) => cut(text, MAX_EVIDENCE)),
    ...(more > 0 ? [`… and ${more} more pieces of evidence`] : []),
  ]
}

/** Returns what became of held work since it was recorded: the operator's verdict if there is one. */
function answerOf(
  summary: AttemptSummary | undefined,
): Partial<AttemptDetail> & Pick<AttemptDetail, 'review'> {
  const review = summary === undefined ? null : reviewView(summary)
  if (summary === undefined || review === null || review.answer === null) return { review }
  const { verdict, groundTruthContradiction, fault } = summary
  return { review, verdict, groundTruthContradiction, fault }
}

/** The state of held work: as it was recorded, and answered since. */
function reviewView({ review }: Pick<AttemptSummary, 'review'>): AttemptOverview['review'] {
  return review === null ? null : { ...review, files: [...review.files] }
}
