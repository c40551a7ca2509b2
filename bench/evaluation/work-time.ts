import { logNormal, uniform } from './random.ts'

/** How long work takes, as assumed by the evaluation; see docs/evaluation.md. */
export interface WorkTimes {
  /** Of ordinary tasks, in seconds. */
  readonly medianSeconds: number
  /** Standard deviation of the logarithm: with 0.8, one task in twenty takes 3.7 times the median or longer. */
  readonly sigma: number
  /** How many times longer UI-heavy work takes; drawn evenly between the two. */
  readonly uiFactor: readonly [number, number]
}

/**
 * The median is derived from the field data with the fixed timeout only: with it, 12 of 22 UI-heavy tasks take longer than 120
 * s.
 */
export const FIELD_WORK_TIMES: WorkTimes = { medianSeconds: 18, sigma: 0.8, uiFactor: [5, 10] }

/** Returns how many seconds a task's work takes. Every attempt needs the full time, because nothing of a stopped attempt is kept. */
export function workSeconds(times: WorkTimes, key: string, isUi: boolean): number {
  const seconds = logNormal(`${key}/work`, times.medianSeconds, times.sigma)
  const [from, to] = times.uiFactor
  return isUi ? seconds * (from + (to - from) * uniform(`${key}/ui`)) : seconds
}
