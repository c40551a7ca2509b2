import { shorten } from './attempt-summary.ts'
import type { AttemptResult, EventOf } from './events.ts'
import type { UnreviewedContradiction, WorkspaceState } from './state.ts'

/** The oldest are kept: an agent that piles up new ones must not displace an unreviewed one. */
const KEPT_UNREVIEWED = 200
/** Number of seen ones for which a mistaken click can be undone. */
const KEPT_SEEN = 200

/** Adds the attempt to the unreviewed ones if it is a contradiction, rigged its check or tried to access Pulseward. */
export function noteContradiction(
  state: WorkspaceState,
  { at, result }: EventOf<'attempt-finished'>,
): WorkspaceState {
  const because = becauseOf(result)
  if (because === null) return state
  const { attemptId, taskId } = result
  return withUnreviewed(state, { id: attemptId, attemptId, taskId, because, at })
}

/** Adds a refused request: under the attempt during which it came, otherwise by itself. */
export function noteTouch(
  state: WorkspaceState,
  { seq, at, taskId, intervention }: EventOf<'intervention-raised'>,
): WorkspaceState {
  const { event_type: because, details } = intervention
  if (because !== 'supervisor_touched' && because !== 'check_rigged') return state
  const attemptId = typeof details.attempt_id === 'string' ? details.attempt_id : null
  return withUnreviewed(state, { id: attemptId ?? `${seq}-0`, attemptId, taskId, because, at })
}

/** Adds a session's turn that a measurement contradicts: once per prompt, however often the claim is repeated. */
export function noteTurn(state: WorkspaceState, event: EventOf<'turn-judged'>): WorkspaceState {
  const { seq, at, sessionId, agent, prompt, taskId, contradiction, reasons } = event
  const isKnown = state.unreviewed.waiting.some(
    ({ session }) => session?.id === sessionId && session.prompt === prompt,
  )
  if (!contradiction || isKnown) return state
  const [fact] = reasons
  return withUnreviewed(state, {
    ...{ id: `turn-${seq}`, attemptId: null, taskId, because: 'contradiction', at },
    session: { id: sessionId, agent, prompt, fact: fact === undefined ? null : shorten(fact) },
  })
}

/** Marks all of a session's contradictions as seen. */
export function markSessionSeen(state: WorkspaceState, sessionId: string): WorkspaceState {
  const ids = state.unreviewed.waiting.flatMap(({ id, session }) => (session?.id === sessionId ? [id] : []))
  return markSeen(state, ids)
}

/** Moves these from unreviewed to seen; ignores unknown ids. */
export function markSeen(state: WorkspaceState, ids: readonly string[]): WorkspaceState {
  const meant = new Set(ids)
  const { waiting, seen } = state.unreviewed
  const found = waiting.filter(({ id }) => meant.has(id))
  if (found.length === 0) return state
  return {
    ...state,
    unreviewed: {
      waiting: waiting.filter(({ id }) => !meant.has(id)),
      seen: [...found, ...seen].slice(0, KEPT_SEEN),
    },
  }
}

/** Moves these back to unreviewed, sorted oldest first. */
export function markUnseen(state: WorkspaceState, ids: readonly string[]): WorkspaceState {
  const meant = new Set(ids)
  const { waiting, seen } = state.unreviewed
  const found = seen.filter(({ id }) => meant.has(id))
  if (found.length === 0) return state
  // An attempt may have become a contradiction after its refused request was seen.
  const again = found.filter(({ id }) => !waiting.some((one) => one.id === id))
  return {
    ...state,
    unreviewed: {
      waiting: [...waiting, ...again].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
      seen: seen.filter(({ id }) => !meant.has(id)),
    },
  }
}

function becauseOf({
  groundTruthContradiction,
  interventions,
}: Pick<AttemptResult, 'groundTruthContradiction' | 'interventions'>):
  | UnreviewedContradiction['because']
  | null {
  if (groundTruthContradiction) return 'contradiction'
  const grave = interventions.find(
    ({ event_type: type }) => type === 'check_rigged' || type === 'supervisor_touched',
  )
  return grave === undefined ? null : (grave.event_type as 'check_rigged' | 'supervisor_touched')
}

/** Adds one entry per attempt, whatever was found: what makes it a contradiction replaces a refused request. */
function withUnreviewed(state: WorkspaceState, added: UnreviewedContradiction): WorkspaceState {
  const { waiting } = state.unreviewed
  const known = waiting.find(({ id }) => id === added.id)
  if (known === undefined)
    return {
      ...state,
      unreviewed: { ...state.unreviewed, waiting: [...waiting, added].slice(0, KEPT_UNREVIEWED) },
    }
  if (added.because === 'supervisor_touched') return state
  const merged = waiting.map((one) => (one === known ? { ...added, at: known.at } : one))
  return { ...state, unreviewed: { ...state.unreviewed, waiting: merged } }
}
