import type { SessionRecord } from '../../core/record/session-record.ts'
import type { HookCall } from '../../core/session/hook-call.ts'
import type { Refutation } from '../../core/session/judge-turn.ts'

/** What is remembered of a session while it runs; all that decides is in the record, or can do without. */
export interface LiveSession {
  /** Number of the prompt that its turns belong to. */
  prompt: number
  /** As the program names it. */
  turnId: string | null
  /** The program tells of prompts. */
  hearsPrompts: boolean
  /** A prompt was given, or a tool was used, and no stop has followed. */
  isTurnOpen: boolean
  /** What the agent was told last: a prompt that repeats it is ours. */
  said: string | null
  /** Trees that later prompts began with, newest last. */
  laterBases: readonly string[]
  /** Refuted after its stop was answered: the next prompt says so. */
  late: readonly Refutation[]
  /** What was recorded of a file that switches the hook off. */
  readonly toldOff: Set<string>
  /** Stops that are being judged, or were answered a moment ago, by what makes two calls one. */
  readonly answered: Map<string, number | null>
}

export function newLiveSession(record: SessionRecord | undefined): LiveSession {
  const last = record?.turns.at(-1)?.prompt
  return {
    prompt: last === undefined ? 1 : Number(last) || 1,
    turnId: null,
    hearsPrompts: false,
    isTurnOpen: false,
    said: null,
    laterBases: [],
    late: [],
    toldOff: new Set(),
    answered: new Map(),
  }
}

/** Some programs give what a hook says to the agent as a prompt, and tell the prompt hook of it. */
export function isOurs(session: LiveSession, prompt: string | null): boolean {
  return session.said !== null && prompt?.includes(session.said) === true
}

export function promptGiven(session: LiveSession, call: HookCall): void {
  session.hearsPrompts = true
  session.isTurnOpen = true
  if (isOurs(session, call.prompt)) return
  session.prompt += 1
  session.turnId = call.turnId
}

/** A stop of another turn than the last is one of another prompt, where the program tells of none. Never where it says that it asks again. */
export function stopReached(session: LiveSession, call: HookCall, hasTurns: boolean): void {
  const isOther = call.turnId !== null && session.turnId !== null && call.turnId !== session.turnId
  const isUnknown = call.turnId === null && !session.hearsPrompts && hasTurns
  if (!call.isAgain && (isOther || isUnknown)) session.prompt += 1
  if (call.turnId !== null) session.turnId = call.turnId
  session.isTurnOpen = false
}

const MAX_LATER = 4

export function withBase(session: LiveSession, tree: string | null): void {
  if (tree === null || session.laterBases.includes(tree)) return
  session.laterBases = [...session.laterBases, tree].slice(-MAX_LATER)
}
