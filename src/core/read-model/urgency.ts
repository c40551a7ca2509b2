import { NEED_KINDS } from '../vocabulary/need.ts'
import { worstShieldFirst } from '../vocabulary/standing.ts'
import type { Workspace } from './workspace.ts'

/** Sorts who needs the operator first, the most urgent before the others; equal ones stay as they are. */
export function mostNeedfulFirst(a: Pick<Workspace, 'needs'>, b: Pick<Workspace, 'needs'>): number {
  return rankOf(a) - rankOf(b)
}

/** Sorts by what needs the operator; among equals the worst shield, then the lowest score, goes first. */
export function mostUrgentFirst(a: Workspace, b: Workspace): number {
  return mostNeedfulFirst(a, b) || worstShieldFirst(a.shield, b.shield) || a.score.score - b.score.score
}

function rankOf({ needs: [first] }: Pick<Workspace, 'needs'>): number {
  return first === undefined ? NEED_KINDS.length : NEED_KINDS.indexOf(first.kind)
}
