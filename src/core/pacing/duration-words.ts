/**
 * Returns a duration that cannot be taken for a time of day: `41 s`, `20 min 15 s`, `1 h 2 min 3 s`. Negative ones count as zero, fractions of a
 * second are cut off.
 */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const parts = [
    [hours, 'h'],
    [minutes, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([value, unit]) => (value === 0 ? [] : [`${value} ${unit}`])).join(' ') || '0 s'
}

/** Returns how long something took: `under 1 s` if that would read `0 s`. */
export function takenDuration(ms: number): string {
  return ms < 1000 ? 'under 1 s' : durationWords(ms)
}

/** Hours, minutes and seconds in this order, each at most once: `20m15s`, `1 h 5 min`, `90s`. */
const PARTS =
  /^(?:(\d{1,6})\s*h(?:ours?|r)?)?\s*(?:(\d{1,6})\s*m(?:in(?:utes?)?)?)?\s*(?:(\d{1,6})\s*s(?:ec(?:onds?)?)?)?$/iu

/** Parses `20m`, `1h`, `90s`, `20 min 15 s`, `20:15` or `1:02:03` to whole seconds; `null` for any other text. */
export function secondsOf(text: string): number | null {
  const written = text.trim()
  const clock = /^(?:(\d{1,3}):)?(\d{1,4}):([0-5]\d)$/u.exec(written)
  if (clock !== null) {
    const [hours, minutes, seconds] = numbers(clock)
    return clock[1] !== undefined && minutes > 59 ? null : hours * 3600 + minutes * 60 + seconds
  }
  const parts = written === '' ? null : PARTS.exec(written)
  if (parts === null) return null
  const [hours, minutes, seconds] = numbers(parts)
  return hours * 3600 + minutes * 60 + seconds
}

function numbers([, hours = '0', minutes = '0', seconds = '0']: readonly (string | undefined)[]): [
  number,
  number,
  number,
] {
  return [Number(hours), Number(minutes), Number(seconds)]
}
