import { NEED_KINDS } from '../vocabulary/need.ts'
import { graveWords, SHIELDS, worstShieldFirst } from '../vocabulary/standing.ts'
import type { Workspace } from './workspace.ts'

type Standing = Pick<Workspace, 'needs' | 'shield' | 'unreviewed'> & {
  readonly score: Pick<Workspace['score'], 'score'>
}

/** Compares by the most urgent need; workspaces without needs come last, and equals keep their order. */
export function mostNeedfulFirst(a: Pick<Workspace, 'needs'>, b: Pick<Workspace, 'needs'>): number {
  return rankOf(a) - rankOf(b)
}

/** Compares by urgency, the worst first: trust at stake, then decisions waiting; among equals the worst shield, then the lowest score. */
export function mostUrgentFirst(a: Standing, b: Standing): number {
  return (
    gravityOf(a) - gravityOf(b) ||
    mostNeedfulFirst(a, b) ||
    worstShieldFirst(a.shield, b.shield) ||
    a.score.score - b.score.score
  )
}

/** Returns whether trust is at stake: suspended, in lockdown, below zero, or with unreviewed contradictions. */
export function isGrave({ shield, unreviewed }: Pick<Workspace, 'shield' | 'unreviewed'>): boolean {
  return graveWords(shield) !== null || unreviewed > 0
}

function gravityOf(workspace: Pick<Workspace, 'shield' | 'unreviewed'>): number {
  if (!isGrave(workspace)) return SHIELDS.length + 1
  return graveWords(workspace.shield) === null ? SHIELDS.length : SHIELDS.indexOf(workspace.shield)
}

function rankOf({ needs: [first] }: Pick<Workspace, 'needs'>): number {
  return first === undefined ? NEED_KINDS.length : NEED_KINDS.indexOf(first.kind)
}
