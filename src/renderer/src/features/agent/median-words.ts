import { durationWords } from '../../../../core/pacing/duration-words.ts'

/** From so many seconds on, whole seconds say enough of a duration. */
const CLOCK_FROM = 10

/** Returns how medians are written if the longest takes so many seconds: below ten, whole seconds would be 0 s for most. */
export function medianWords(longestSeconds: number): (seconds: number) => string {
  if (longestSeconds >= CLOCK_FROM) return (seconds) => durationWords(seconds * 1000)
  return (seconds) => `${Number(seconds.toPrecision(2))} s`
}
