import { formatPoints } from '../../../core/scoring/format.ts'

/** `1 task`, `2 tasks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatPoints(count)} ${count === 1 ? singular : plural}`
}
