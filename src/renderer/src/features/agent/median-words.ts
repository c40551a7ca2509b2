import { durationWords } from '../../../../core/pacing/duration-words.ts'

/** From so many seconds on, a clock says enough of a duration. */
const CLOCK_FROM = 10

/** How medians are said of which the longest takes so many seconds: a clock would say 0:00 of most that take no ten. */
export function medianWords(longestSeconds: number): (seconds: number) => string {
  if (longestSeconds >= CLOCK_FROM) return (seconds) => durationWords(seconds * 1000)
  return (seconds) => `${Number(seconds.toPrecision(2))} s`
}
