import { SHIELD_ROWS } from '../vocabulary/standing.ts'
import type { Workspace } from './workspace.ts'

/** Returns the standing of a workspace in a word or two, the same everywhere: nothing is "steady" if nothing may run yet. */
export function standingTitle({ shield, trust }: Pick<Workspace, 'shield' | 'trust'>): string {
  if (shield !== 'none') return SHIELD_ROWS[shield].title
  if (trust === 'unapproved') return 'Waits for your approval'
  return trust === 'missing' ? 'Not set up yet' : SHIELD_ROWS.none.title
}
