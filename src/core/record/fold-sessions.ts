import { recordVerdict } from '../scoring/record.ts'
import { shorten } from './attempt-summary.ts'
import type { EventOf } from './events.ts'
import type { SessionRecord, SessionTurn } from './session-record.ts'
import type { WorkspaceState } from './state.ts'

const KEPT_SESSIONS = 50
/** An agent that starts many sessions must not push out one that waits for the operator. */
const KEPT_DECISIONS = 200
const KEPT_TURNS = 30
const KEPT_REASONS = 8

/** Starts a session. If it starts again (resumed, or its program restarted), it keeps its baseline and its turns. */
export function startSession(state: WorkspaceState, event: EventOf<'session-started'>): WorkspaceState {
  const { sessionId, agent, at, directory, tree, sawStart } = event
  const known = state.sessions.find((one) => one.sessionId === sessionId)
  const session: SessionRecord = known ?? {
    sessionId,
    agent,
    startedAt: at,
    lastAt: at,
    directory,
    tree,
    sawStart,
    taskId: null,
    turns: [],
    silent: null,
    needsDecision: false,
  }
  return withFirst(state, { ...session, lastAt: at })
}

export function nameSessionTask(
  state: WorkspaceState,
  { sessionId, taskId, at }: EventOf<'session-task-named'>,
): WorkspaceState {
  return change(state, sessionId, (session) => ({ ...session, taskId, lastAt: at }))
}

/** Records a turn's verdict. If the configuration asks for points, a measured turn changes the score like an optional task. */
export function judgeTurn(state: WorkspaceState, event: EventOf<'turn-judged'>): WorkspaceState {
  const { sessionId, at, verdict, contradiction, points } = event
  const score =
    verdict === null || points === 0
      ? state.score
      : recordVerdict(state.score, { verdict, points, contradiction })
  return change({ ...state, score }, sessionId, (session) => ({
    ...session,
    lastAt: at,
    silent: null,
    turns: [...session.turns, turnOf(event)].slice(-KEPT_TURNS),
    needsDecision: event.stopped || (session.needsDecision && verdict !== 'verified'),
  }))
}

function turnOf(event: EventOf<'turn-judged'>): SessionTurn {
  const { seq, at, prompt, mode, verdict, contradiction, blocked, wouldBlock, deferred, stopped, tree } =
    event
  const reasons = event.reasons.slice(0, KEPT_REASONS).map((reason) => shorten(reason))
  return {
    ...{ seq, at, prompt, mode, verdict, contradiction, blocked, wouldBlock, deferred, stopped, tree },
    reasons,
  }
}

export function noteSilence(
  state: WorkspaceState,
  { sessionId, reason, at }: EventOf<'session-silent'>,
): WorkspaceState {
  return change(state, sessionId, (session) => ({ ...session, silent: shorten(reason), lastAt: at }))
}

export function seeSession(state: WorkspaceState, { sessionId }: EventOf<'session-seen'>): WorkspaceState {
  const sessions = state.sessions.map((one) =>
    one.sessionId === sessionId ? { ...one, needsDecision: false } : one,
  )
  return { ...state, sessions }
}

/** Updates a session and moves it to the front; an event of an unknown session changes nothing. */
function change(
  state: WorkspaceState,
  sessionId: string,
  changed: (session: SessionRecord) => SessionRecord,
): WorkspaceState {
  const session = state.sessions.find((one) => one.sessionId === sessionId)
  return session === undefined ? state : withFirst(state, changed(session))
}

function withFirst(state: WorkspaceState, session: SessionRecord): WorkspaceState {
  const others = state.sessions.filter(({ sessionId }) => sessionId !== session.sessionId)
  const [recent, older] = [[session, ...others].slice(0, KEPT_SESSIONS), others.slice(KEPT_SESSIONS - 1)]
  const waiting = older.filter(({ needsDecision }) => needsDecision).slice(0, KEPT_DECISIONS)
  return { ...state, sessions: [...recent, ...waiting] }
}
