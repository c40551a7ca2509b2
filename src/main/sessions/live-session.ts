import type { SessionRecord, SessionTurn } from '../../core/record/session-record.ts'
import { MEASURED } from '../../core/session/answer-stop.ts'
import type { HookCall } from '../../core/session/hook-call.ts'
import type { Refutation } from '../../core/session/judge-turn.ts'
import type { AnsweredStop } from '../../core/session/same-stop.ts'
import type { SessionMode } from '../../core/vocabulary/session.ts'
import type { MeasuredTurn } from './turn-workshop.ts'

/** What is remembered of a session while it runs; all that decides is in the record, or can do without. */
export interface LiveSession {
  /** Number of the prompt that its turns belong to. */
  prompt: number
  /** As the program names it. */
  turnId: string | null
  /** The program reports prompts. */
  hearsPrompts: boolean
  /** A prompt was given, or a tool was used, and no stop has followed. */
  isTurnOpen: boolean
  /** A prompt that was reported in the middle of a turn; the next stop tells whether the user gave it. */
  pending: { readonly call: HookCall; readonly tree: string | null } | null
  /** Other sessions in its folder that were in the middle of a turn when it started. */
  startedDuring: readonly string[]
  /** What the agent was told last: a prompt that repeats it is ours. */
  said: string | null
  /** Trees that later prompts began with, newest last. */
  laterBases: readonly string[]
  /** The tree at the last prompt or stop; `null`: not read yet. */
  lastTree: string | null
  /** Refuted after its stop was answered: the next prompt says so. */
  late: readonly Refutation[]
  /** Of its program at its last stop. */
  mode: SessionMode | null
  /** A stop of it is being judged. */
  isJudging: boolean
  /** What was measured last, by all that it depends on. */
  measured: {
    readonly key: string
    readonly laterBases: LiveSession['laterBases']
    readonly turn: MeasuredTurn
  } | null
  /** What was recorded of a file that switches the hook off. */
  readonly toldOff: Set<string>
  /** Stops that are being judged, or were answered a moment ago, by what makes two calls one; `null`: it is being judged. */
  readonly answered: Map<string, AnsweredStop | null>
}

export function newLiveSession(record: SessionRecord | undefined): LiveSession {
  const turns = record?.turns ?? []
  const last = turns.at(-1)
  const session: LiveSession = {
    prompt: last === undefined ? 1 : Number(last.prompt) || 1,
    turnId: null,
    hearsPrompts: false,
    isTurnOpen: false,
    pending: null,
    startedDuring: [],
    said: last?.blocked === true ? MEASURED : null,
    laterBases: [],
    lastTree: last?.tree ?? record?.tree ?? null,
    late: [],
    mode: null,
    isJudging: false,
    measured: null,
    toldOff: new Set(),
    answered: new Map(),
  }
  // A restarted host does not know what the prompts began with, only how the turns before them ended.
  for (const [at, { prompt, tree }] of turns.entries())
    if (prompt !== (turns[at + 1] ?? { prompt }).prompt) withBase(session, tree)
  return session
}

/** Some programs give what a hook says to the agent as a prompt, and tell the prompt hook of it. */
export function isOurs(session: LiveSession, prompt: string | null): boolean {
  return session.said !== null && prompt?.includes(session.said) === true
}

/**
 * Counts a prompt, which began with this tree. In the middle of a turn the agent may have forged it, or the user has interrupted the turn: it
 * then counts once a stop bears it out.
 */
export function promptGiven(session: LiveSession, call: HookCall, tree: string | null): void {
  const wasOpen = session.isTurnOpen
  session.hearsPrompts = true
  session.isTurnOpen = true
  if (isOurs(session, call.prompt)) return
  if (wasOpen) {
    session.pending = { call, tree }
    return
  }
  session.prompt += 1
  session.turnId = call.turnId
  withBase(session, tree)
  session.lastTree = tree ?? session.lastTree
}

/**
 * Counts a stop of another turn than the last as one of another prompt. That began with the tree of a prompt in the middle of the turn which
 * has the stop's id, else with the tree that the last turn left, if the program does not report prompts. Never if it says that it asks again.
 * Returns the prompt in the middle of the turn if it counts.
 */
export function stopReached(
  session: LiveSession,
  call: HookCall,
  turns: readonly Pick<SessionTurn, 'tree'>[],
): HookCall | null {
  const isNew = call.turnId === null || call.turnId !== session.turnId
  const given = isNew && session.pending?.call.turnId === call.turnId ? session.pending : null
  const isOther = call.turnId !== null && session.turnId !== null && isNew
  const isUnknown = call.turnId === null && !session.hearsPrompts && turns.length > 0
  const isCounted = !call.isAgain && (given !== null || isOther || isUnknown)
  if (isCounted) {
    session.prompt += 1
    withBase(session, given?.tree ?? turns.findLast(({ tree }) => tree !== null)?.tree ?? null)
  }
  if (call.turnId !== null) session.turnId = call.turnId
  session.isTurnOpen = false
  session.pending = null
  return isCounted ? (given?.call ?? null) : null
}

const MAX_LATER = 4

/** Adds a tree that a prompt of the user began with: never one that only a stop left, against which a repeated claim would be true. */
export function withBase(session: LiveSession, tree: string | null): void {
  if (tree === null || session.laterBases.includes(tree)) return
  session.laterBases = [...session.laterBases, tree].slice(-MAX_LATER)
}
