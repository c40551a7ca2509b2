/** A duration as `0:41`, `12:05` or `1:02:03`; negative ones count as zero, fractions of a second are cut off. */
export function clockDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(seconds % 60)}`
  return `${minutes}:${pad(seconds % 60)}`
}

/** How long something took that has ended: as a clock, or in words where that would read `0:00`. */
export function takenDuration(ms: number): string {
  return ms < 1000 ? 'under 1 s' : clockDuration(ms)
}

/** The whole seconds that `20:15`, `1:02:03`, `45 s`, `5 min` or `2 h` say; `null` where it is none of these. */
export function secondsOf(text: string): number | null {
  const clock = /^(?:(\d{1,3}):)?(\d{1,4}):([0-5]\d)$/u.exec(text.trim())
  if (clock !== null) {
    const [hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map((part) => Number(part ?? 0))
    return clock[1] !== undefined && minutes > 59 ? null : hours * 3600 + minutes * 60 + seconds
  }
  const [, count, unit] = /^(\d{1,6})\s*(s|min|h)$/u.exec(text.trim()) ?? []
  if (count === undefined) return null
  return Number(count) * (unit === 'h' ? 3600 : unit === 'min' ? 60 : 1)
}
