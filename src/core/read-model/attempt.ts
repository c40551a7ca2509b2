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

/** The state of work that was held for review; `null`: it never was. */
const reviewSchema = z
  .object({
    because: heldReasonSchema,
    files: z.array(z.string()),
    with: z.string().nullable(),
    /** `null`: the work is still waiting for an answer. */
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
      /** Points of the first verdict. */
      points: z.number().optional(),
      reason: z.string(),
      at: z.string(),
    })
    .nullable(),
  /** Number of files that changed while it ran. Omitted if not known. */
  filesChangedCount: z.int().optional(),
  /** The operator restored the files it had changed. Omitted: they did not. */
  undone: z.object({ at: z.string(), files: z.int() }).optional(),
})

/** Files it changed that can be restored, at most 200 paths; `null`: nothing was changed, or it is no longer kept. */
const undoSchema = z
  .object({
    files: z.array(z.string()),
    count: z.int(),
    /** What was changed and can't be restored, with reasons. */
    lost: z.array(z.object({ path: z.string(), reason: z.string() })),
    /** The other attempts of its run: their changes are undone with it. */
    with: z.array(z.string()),
    isUndone: z.boolean(),
  })
  .nullable()

/** The result of restoring files. */
export const undoAnswerSchema = z.object({
  attemptId: z.string(),
  /** All attempts of the run; their changes can't be told apart. */
  attemptIds: z.array(z.string()),
  putBack: z.array(z.string()),
  /** What was not restored, with reasons. */
  leftAlone: z.array(z.object({ path: z.string(), reason: z.string() })),
})

/** A complete attempt: as recorded, with the operator's answers since, and its output. */
export const attemptDetailSchema = attemptResultSchema.extend({
  feedback: thumbSchema.nullable(),
  /** The note given with the thumb. */
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
  /** The timeline entry of its verdict, and the attempts at the same task before and after it; `null` if there is none. */
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

/** Returns an attempt as lists show it. */
export function attemptView(attempt: AttemptSummary): AttemptOverview {
  const { seq: _seq, day: _day, feedbackNote: _note, riggedSeen: _seen, ...view } = attempt
  return {
    ...view,
    reasons: [...view.reasons],
    comparisons: [...view.comparisons],
    review: reviewView(attempt),
  }
}

/** Returns the interventions raised during an attempt: those in its result, and refused requests, which are recorded as they come in. */
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

/** Returns an attempt as recorded, with the operator's answers since (`summary`; `undefined`: too long ago) and the files kept with it. */
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

/** Returns how held work was answered since it was recorded: the operator's verdict if there is one. */
function answerOf(
  summary: AttemptSummary | undefined,
): Partial<AttemptDetail> & Pick<AttemptDetail, 'review'> {
  const review = summary === undefined ? null : reviewView(summary)
  if (summary === undefined || review === null || review.answer === null) return { review }
  const { verdict, groundTruthContradiction, fault } = summary
  return { review, verdict, groundTruthContradiction, fault }
}

/** Returns the state of held work: as recorded, plus any answer since. */
function reviewView({ review }: Pick<AttemptSummary, 'review'>): AttemptOverview['review'] {
  return review === null ? null : { ...review, files: [...review.files] }
}
