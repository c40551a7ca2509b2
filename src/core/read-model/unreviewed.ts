import { z } from 'zod'
import type { UnreviewedContradiction, WorkspaceState } from '../record/state.ts'
import { cut, oneLine } from '../text/quote.ts'
import { SESSION_AGENT_NAMES } from '../vocabulary/session.ts'
import { UNREVIEWED_CAUSES } from '../vocabulary/unreviewed.ts'
import { attemptSummarySchema, attemptView } from './attempt.ts'
import { lieInWords, refutedFirst } from './lie-words.ts'

/** A contradiction that the operator has not reviewed. */
export const unreviewedSchema = z.object({
  /** The id that marks it as seen: the attempt's, that of a refused request outside any attempt, or `turn-SEQ` for a session's turn. */
  id: z.string(),
  attemptId: z.string().nullable(),
  /** The session if it was a session's turn; otherwise `null`. */
  sessionId: z.string().nullable().default(null),
  taskId: z.string().nullable(),
  because: z.enum(UNREVIEWED_CAUSES),
  /** ISO 8601. */
  at: z.string(),
  /** What happened, as one sentence. */
  words: z.string(),
  /** `null`: it is still running, or was too long ago. */
  attempt: attemptSummarySchema.nullable(),
})

export type Unreviewed = z.infer<typeof unreviewedSchema>

/** If there are more, the rest are only counted. */
const SHOWN = 20

type Known = Pick<WorkspaceState, 'unreviewed' | 'attempts' | 'interventions'>

/** Returns the unreviewed contradictions, the most serious first: by the points they cost, on a tie the latest; at most 20. */
export function unreviewedViews(state: Known): Unreviewed[] {
  return state.unreviewed.waiting
    .map(({ session, ...one }) => {
      const attempt = state.attempts.find(({ attemptId }) => attemptId === one.attemptId)
      return {
        ...one,
        sessionId: session?.id ?? null,
        words: unreviewedWords(state, { ...one, ...(session && { session }) }),
        attempt: attempt === undefined ? null : attemptView(attempt),
      }
    })
    .toSorted(
      (a, b) => (a.attempt?.points ?? 0) - (b.attempt?.points ?? 0) || Date.parse(b.at) - Date.parse(a.at),
    )
    .slice(0, SHOWN)
}

/** Returns what happened, as one sentence. */
export function unreviewedWords(
  { attempts, interventions }: Pick<Known, 'attempts' | 'interventions'>,
  { id, attemptId, taskId, because, session }: UnreviewedContradiction,
): string {
  if (session !== undefined)
    return `${SESSION_AGENT_NAMES[session.agent]}, in a session: ${session.fact ?? 'it claimed what a measurement contradicts'}.`.replace(
      /\.\.$/,
      '.',
    )
  const who = taskId ?? 'The agent'
  switch (because) {
    case 'contradiction': {
      const attempt = attempts.find((one) => one.attemptId === attemptId)
      const [lie] = refutedFirst(attempt?.comparisons ?? [])
      return lie === undefined
        ? `${who} claimed what a measurement contradicts.`
        : `${who} ${lieInWords(lie)}.`
    }
    case 'check_rigged':
      return `${who} changed what its check runs, so that it passes.`
    case 'supervisor_touched':
      return touchWords(interventions, id, attemptId)
  }
}

const MAX_WORDS = 300

function touchWords(interventions: Known['interventions'], id: string, attemptId: string | null): string {
  const record = interventions.find(
    (one) =>
      one.intervention.event_type === 'supervisor_touched' &&
      (one.id === id ||
        (attemptId !== null &&
          (one.attemptId === attemptId || one.intervention.details.attempt_id === attemptId))),
  )
  const { asked_for: asked, process: from, attributed } = record?.intervention.details ?? {}
  if (typeof asked !== 'string') return 'The agent reached for Pulseward and was refused.'
  const who = attributed === false ? 'A program that may be yours or the agent’s' : 'A process of the agent'
  const process = typeof from === 'string' ? ` (${cut(oneLine(from), MAX_WORDS)})` : ''
  const during = record?.taskId == null ? '' : ` during ${record.taskId}`
  return `${who}${process} asked for ${cut(oneLine(asked), MAX_WORDS)}${during} and was refused.`
}
