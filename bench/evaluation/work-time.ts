import { logNormal, uniform } from './random.ts'

/** How long work takes: what the evaluation assumes, see docs/evaluation.md. */
export interface WorkTimes {
  /** Of ordinary tasks, in seconds. */
  readonly medianSeconds: number
  /** Standard deviation of the logarithm: with 0.8, one task in twenty takes 3.7 times the median or longer. */
  readonly sigma: number
  /** UI-heavy work takes so many times longer; drawn evenly between the two. */
  readonly uiFactor: readonly [number, number]
}

/**
 * The median is set by the field data, on the side of the fixed timeout alone: with it, 12 of 22 UI-heavy tasks take longer
 * than 120 s.
 */
export const FIELD_WORK_TIMES: WorkTimes = { medianSeconds: 18, sigma: 0.8, uiFactor: [5, 10] }

/** Seconds that a task's work takes, at each attempt anew: nothing is kept of an attempt that was ended. */
export function workSeconds(times: WorkTimes, key: string, isUi: boolean): number {
  const seconds = logNormal(`${key}/work`, times.medianSeconds, times.sigma)
  const [from, to] = times.uiFactor
  return isUi ? seconds * (from + (to - from) * uniform(`${key}/ui`)) : seconds
}
