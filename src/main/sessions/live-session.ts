import { dirname } from 'node:path'
import type { SessionRecord, SessionTurn } from '../../core/record/session-record.ts'
import { MEASURED } from '../../core/session/answer-stop.ts'
import type { HookCall } from '../../core/session/hook-call.ts'
import type { Refutation } from '../../core/session/judge-turn.ts'
import type { AnsweredStop } from '../../core/session/same-stop.ts'
import type { SessionMode } from '../../core/vocabulary/session.ts'
import { isWithin } from './hook-places.ts'
import type { MeasuredTurn } from './turn-workshop.ts'

/** What is remembered about a session while it runs. Everything that decides a verdict is in the record, or is not essential. */
export interface LiveSession {
  /** The number of the prompt that its turns belong to. */
  prompt: number
  /** The program's own id for the turn. */
  turnId: string | null
  /** The program reports prompts. */
  hearsPrompts: boolean
  /** A prompt was given or a tool was used, with no stop since. */
  isTurnOpen: boolean
  /** A prompt that was reported in the middle of a turn; the next stop shows whether the user gave it. */
  pending: { readonly call: HookCall; readonly tree: string | null } | null
  /** Where its program was started, or first heard from; `null`: not heard from yet. */
  startedIn: string | null
  /** Other sessions in its folder that were in the middle of a turn when it started. */
  startedDuring: readonly string[]
  /** What the hook last told the agent: a prompt that repeats it is ours. */
  said: string | null
  /** The trees at the start of later prompts, newest last. */
  laterBases: readonly string[]
  /** The tree at the last prompt or stop; `null`: not read yet. */
  lastTree: string | null
  /** Claims refuted after the stop was answered: reported with the next prompt. */
  late: readonly Refutation[]
  /** The program's mode at the session's last stop. */
  mode: SessionMode | null
  /** One of its stops is being judged. */
  isJudging: boolean
  /** The last measurement, with a key for everything that it depends on. */
  measured: {
    readonly key: string
    readonly laterBases: LiveSession['laterBases']
    readonly turn: MeasuredTurn
  } | null
  /** What has been recorded about files that switch the hook off. */
  readonly toldOff: Set<string>
  /** Stops that are being judged or were just answered, keyed so that duplicate calls coincide; `null`: still being judged. */
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
    startedIn: null,
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
  // A restarted host does not know the trees at the start of prompts, only at the end of the turns before them.
  for (const [at, { prompt, tree }] of turns.entries())
    if (prompt !== (turns[at + 1] ?? { prompt }).prompt) withBase(session, tree)
  return session
}

/** Whether the prompt is our own: some programs pass what a hook says to the agent as a prompt, and report it to the prompt hook. */
export function isOurs(session: LiveSession, prompt: string | null): boolean {
  return session.said !== null && prompt?.includes(session.said) === true
}

/**
 * Counts a prompt that began with this tree. If it comes in the middle of a turn, either the agent forged it or the user interrupted the
 * turn: it then counts only once a stop confirms it.
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
 * Counts a new prompt if the stop belongs to another turn than the last one, unless the stop says that it was asked again. The new prompt's
 * base is the tree of the pending prompt with the stop's id, else, if the program does not report prompts, the tree that the last turn
 * left. Returns the pending prompt if it counts.
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

/** Returns the folders whose project settings the program reads: Claude Code reads only those of the folder in which it was started. */
export function projectsOf({ startedIn }: LiveSession, top: string): readonly string[] {
  return startedIn === null || startedIn === top ? [top] : [top, startedIn]
}

/** Returns the folders whose project settings the program may read: these, and all between the top and where the program is. */
export function possibleProjectsOf(session: LiveSession, directory: string, top: string): readonly string[] {
  const found = new Set(projectsOf(session, top))
  for (let at = directory; !found.has(at) && isWithin(at, top); at = dirname(at)) found.add(at)
  return [...found]
}

const MAX_LATER = 4

/** Adds a tree with which a user's prompt began. Never a tree that only a stop left: a repeated false claim would be true against it. */
export function withBase(session: LiveSession, tree: string | null): void {
  if (tree === null || session.laterBases.includes(tree)) return
  session.laterBases = [...session.laterBases, tree].slice(-MAX_LATER)
}
