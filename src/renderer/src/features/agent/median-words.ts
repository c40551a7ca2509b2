import { durationWords } from '../../../../core/pacing/duration-words.ts'

/** From this many seconds on, whole seconds are precise enough. */
const CLOCK_FROM = 10

/** Returns a function that formats medians, given the longest one: below ten seconds, whole seconds would be 0 s for most. */
export function medianWords(longestSeconds: number): (seconds: number) => string {
  if (longestSeconds >= CLOCK_FROM) return (seconds) => durationWords(seconds * 1000)
  return (seconds) => `${Number(seconds.toPrecision(2))} s`
}
