import type { SessionTurn } from '../record/session-record.ts'
import type { SessionMode } from '../vocabulary/session.ts'
import type { Refutation, TurnJudgement } from './judge-turn.ts'

/** An agent that doesn't fix it in this many tries may stop, and the operator decides. */
const MAX_BLOCKS = 2

/** A measured stop, and what preceded it. */
export interface MeasuredStop {
  readonly mode: SessionMode
  readonly judgement: Pick<TurnJudgement, 'refutations'>
  readonly tree: string | null
  /** The same for all turns of one prompt. */
  readonly prompt: string
  /** Turns of this session, oldest first. */
  readonly turns: readonly Pick<SessionTurn, 'prompt' | 'tree' | 'blocked' | 'wouldBlock'>[]
  /** The program has stopped waiting, so any result comes too late for this stop. */
  readonly isLate: boolean
}

export interface StopAnswer {
  readonly blocked: boolean
  readonly wouldBlock: boolean
  /** Contradicted and allowed to stop: the operator decides. */
  readonly stopped: boolean
}

/**
 * Decides whether an agent is sent back: only for a measured refutation, at most twice for one prompt, and never twice for the same tree.
 * Counts only earlier refusals, which the agent can't influence. In mode `shadow` it only says what it would have done. Pure.
 */
export function answerStop({ mode, judgement, tree, prompt, turns, isLate }: MeasuredStop): StopAnswer {
  if (judgement.refutations.length === 0) return { blocked: false, wouldBlock: false, stopped: false }
  const refused = turns.filter(({ blocked, wouldBlock }) => (mode === 'gate' ? blocked : wouldBlock))
  const isSpent = refused.filter((turn) => turn.prompt === prompt).length >= MAX_BLOCKS
  const isSameTree = tree === null || refused.some((turn) => turn.tree === tree)
  const wouldBlock = !isSpent && !isSameTree
  if (mode === 'shadow') return { blocked: false, wouldBlock, stopped: false }
  if (isLate) return { blocked: false, wouldBlock, stopped: false }
  return { blocked: wouldBlock, wouldBlock, stopped: !wouldBlock }
}

const MAX_REASON = 600
/** The start of every message to an agent. */
export const MEASURED = 'Pulseward measured: '

/**
 * Returns the message to the agent: one sentence of fact, and the command that shows it again. Only facts, because an order would look like
 * an attack.
 */
export function sayRefutation([first, ...others]: readonly Refutation[]): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : ` (And ${others.length} more.)`
  const repeat = first.repeat === null ? '' : ` Repeat it with: ${first.repeat}`
  const fact = first.fact.length > MAX_REASON ? `${first.fact.slice(0, MAX_REASON)}…` : first.fact
  return `${MEASURED}${fact}${more}${repeat}`
}

/** Returns what the next prompt says about a result that came after its stop. */
export function sayLate(refutations: readonly Refutation[]): string {
  return `After the last turn had ended: ${sayRefutation(refutations)}`
}

/** Why a stop is not judged; `null`: it is. */
export type Pause = 'in-flight' | 'question' | 'nothing-new'

/**
 * Decides whether a stop is judged at all: not while something is in flight, not for a question to the user, and not if nothing changed
 * since the last verdict and nothing is claimed. Pure.
 */
export function pauseOf(turn: {
  readonly inFlight: string | null
  readonly isQuestion: boolean
  readonly claims: boolean
  readonly tree: string | null
  /** Tree of this session's last verdict; if there is none, its base. */
  readonly lastTree: string | null
}): Pause | null {
  if (turn.inFlight !== null) return 'in-flight'
  if (turn.isQuestion) return 'question'
  const isChanged = turn.tree === null || turn.tree !== turn.lastTree
  return isChanged || turn.claims ? null : 'nothing-new'
}
