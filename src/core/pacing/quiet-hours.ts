import { type ActiveHours, activeUntil, isActive, nextActive, nextMidnight } from './schedule.ts'

/**
 * Returns the end (epoch ms) of the quiet hours that contain `nowMs`; `null` outside them. `from` and `to` are `HH:MM` of the
 * local day, `to` exclusive; `from` later than `to` spans midnight. Follows daylight-saving changes.
 */
export function quietUntil(
  nowMs: number,
  quiet: { readonly from: string; readonly to: string } | null,
  zone: string,
): number | null {
  if (quiet === null) return null
  const hours: ActiveHours = { startMinute: minuteOf(quiet.from), endMinute: minuteOf(quiet.to) }
  return isActive(nowMs, hours, zone) ? activeUntil(nowMs, hours, zone) : null
}

/**
 * Returns when a pause "until tomorrow" ends, in epoch ms: at the next local midnight or, with active hours, at their first
 * moment after it.
 */
export function endOfPauseUntilTomorrow(
  nowMs: number,
  activeHours: ActiveHours | null,
  zone: string,
): number {
  const midnight = nextMidnight(nowMs, zone)
  return activeHours === null ? midnight : nextActive(midnight, activeHours, zone)
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
