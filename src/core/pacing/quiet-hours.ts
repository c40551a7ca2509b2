import { type ActiveHours, atMinute, isActive, localTime, nextActive, nextMidnight } from './schedule.ts'

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
  if (!isActive(nowMs, hours, zone)) return null
  const moment = localTime(nowMs, zone)
  const today = atMinute(moment, hours.endMinute).toMillis()
  return today > nowMs ? today : atMinute(moment.plus({ days: 1 }), hours.endMinute).toMillis()
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
