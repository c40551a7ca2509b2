import { type ActiveHours, activeUntil, isActive, nextActive, nextMidnight } from './schedule.ts'

/**
 * The end (epoch ms) of the quiet hours that `nowMs` lies in, `null` outside them. `from` and `to` are `HH:MM` of the local
 * day, `to` exclusive; `from` later than `to` spans midnight. Daylight-saving changes are followed.
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
 * When a pause "until tomorrow" ends, in epoch ms: at the next local midnight, or where the workspace has active hours, at
 * their first moment from then on.
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
