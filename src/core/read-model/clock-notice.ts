import type { Notice } from './notice.ts'

/** Travel or a daylight-saving change moves the local day by one; more means that a clock was wrong. */
const DAYS_OF_A_JOURNEY = 1
const DAY_MS = 86_400_000

/**
 * Returns the notice for a record whose day (`YYYY-MM-DD`, the last with an event) is ahead of `today` by the computer's clock: days never
 * go back, so its score continues until then. `null` if all is well or nothing has been recorded.
 */
export function clockNotice(recorded: string | null, today: string): Omit<Notice, 'at'> | null {
  if (recorded === null) return null
  const days = Math.round((Date.parse(recorded) - Date.parse(today)) / DAY_MS)
  if (!(days > DAYS_OF_A_JOURNEY)) return null
  return {
    code: 'clock-behind',
    taskId: null,
    message: `The clock of this computer says ${today}, and the record is at ${recorded} already: its day does not advance for ${days} days.`,
    remedy:
      'Set the clock right. If it was ahead, restore the earlier record from a backup, or start a new one: remove the workspace and add it again.',
  }
}
