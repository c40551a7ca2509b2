import type { SessionTurn } from '../record/session-record.ts'
import type { SessionMode } from '../vocabulary/session.ts'
import type { Refutation, TurnJudgement } from './judge-turn.ts'

/** An agent that does not mend it in so many tries is stopped, and the operator decides. */
const MAX_BLOCKS = 2

/** A stop that was measured, and what came before it. */
export interface MeasuredStop {
  readonly mode: SessionMode
  readonly judgement: Pick<TurnJudgement, 'refutations'>
  readonly tree: string | null
  /** Turns of the same prompt have the same. */
  readonly prompt: string
  /** Turns of this session, oldest first. */
  readonly turns: readonly Pick<SessionTurn, 'prompt' | 'tree' | 'blocked' | 'wouldBlock'>[]
  /** The program no longer waits: whatever is found comes too late for this stop. */
  readonly isLate: boolean
}

export interface StopAnswer {
  readonly blocked: boolean
  readonly wouldBlock: boolean
  /** Refuted, and allowed to stop: the operator decides. */
  readonly stopped: boolean
}

/**
 * Decides whether an agent is sent back: for a measured refutation only, at most twice for one prompt, and never for the same tree twice.
 * Counts what was refused, and nothing that the agent could move. In mode `shadow` it says what it would have done. Pure.
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
/** What begins all that an agent is told. */
export const MEASURED = 'Pulseward measured: '

/** What the agent is told: one sentence of fact, and the command that shows it again. Facts alone: an order would read as an attack. */
export function sayRefutation([first, ...others]: readonly Refutation[]): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : ` (And ${others.length} more.)`
  const repeat = first.repeat === null ? '' : ` Repeat it with: ${first.repeat}`
  const fact = first.fact.length > MAX_REASON ? `${first.fact.slice(0, MAX_REASON)}…` : first.fact
  return `${MEASURED}${fact}${more}${repeat}`
}

/** What the next prompt says of a result that came after its stop. */
export function sayLate(refutations: readonly Refutation[]): string {
  return `After the last turn had ended: ${sayRefutation(refutations)}`
}

/** Why a stop is not judged; `null`: it is. */
export type Pause = 'in-flight' | 'question' | 'nothing-new'

/**
 * Decides whether a stop is judged at all: never while something is in flight, not for a question to the user, and not where nothing
 * changed since the last verdict and nothing is claimed. Pure.
 */
export function pauseOf(turn: {
  readonly inFlight: string | null
  readonly isQuestion: boolean
  readonly claims: boolean
  readonly tree: string | null
  /** Of the last verdict of this session, else its base. */
  readonly lastTree: string | null
}): Pause | null {
  if (turn.inFlight !== null) return 'in-flight'
  if (turn.isQuestion) return 'question'
  const isChanged = turn.tree === null || turn.tree !== turn.lastTree
  return isChanged || turn.claims ? null : 'nothing-new'
}
