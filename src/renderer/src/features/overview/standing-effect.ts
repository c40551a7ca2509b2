import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { forcesRequired } from '../../../../core/vocabulary/standing.ts'
import { exactTime } from '../../format/moments.ts'

/** Says briefly what the standing changes: how soon the next heartbeat comes, and what it requires. */
export function standingEffect({ shield, score, paused, suspended, trust }: Workspace): string {
  if (suspended !== null || trust === 'unapproved' || trust === 'missing') return 'nothing runs'
  if (paused !== null)
    return paused.until === null
      ? 'nothing runs'
      : `nothing runs until ${exactTime(Date.parse(paused.until))}`
  const every = `every ${score.intervalMinutes} minutes`
  if (forcesRequired(shield)) return `${every}, all tasks required`
  return shield === 'warning' ? `${every}, its prompts carry a warning` : every
}
