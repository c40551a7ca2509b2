import type { ScoringRules } from '../configuration/scoring.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { pointsFor } from '../scoring/points.ts'
import type { TurnJudgement } from './judge-turn.ts'

/** A turn's tree, and what was judged before. */
export interface ScoredTurn {
  readonly tree: string | null
  readonly turns: SessionRecord['turns']
  /** True if the tree differs only in white space, empty new files or modes from one that its session began with or was judged by. */
  readonly isBlank: boolean
  readonly sessions: readonly Pick<SessionRecord, 'tree' | 'turns'>[]
}

/**
 * Returns the points of a turn, as of an optional task. Each tree earns points once: going back to one that a session began with or was
 * judged by is not new work, and neither is a blank edit. Points are lost once per session. Pure.
 */
export function turnPoints(
  { verdict, contradiction }: Pick<TurnJudgement, 'verdict' | 'contradiction'>,
  rules: ScoringRules,
  { tree, turns, isBlank, sessions }: ScoredTurn,
): number {
  if (verdict === null) return 0
  const fault = verdict === 'not_verified' ? 'agent' : null
  const points = pointsFor(
    { verdict, groundTruthContradiction: contradiction, required: false, fault },
    rules,
  )
  const isJudged = (all: SessionRecord['turns']): boolean =>
    all.some((turn) => turn.verdict !== null && turn.tree === tree)
  const isKnown = isBlank || sessions.some((one) => one.tree === tree || isJudged(one.turns))
  return (points > 0 ? isKnown : isJudged(turns)) ? 0 : points
}
