import type { Heartbeat } from '../../../../core/read-model/heartbeat.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { timeOfDay } from '../../format/moments.ts'

/** One heartbeat of the day, as drawn. */
export interface HeartbeatBar {
  readonly key: string
  /** `14:32` */
  readonly time: string
  readonly state: Heartbeat['state']
  readonly worst: Heartbeat['worst']
  readonly cycle: number | null
  readonly points: number
  /** −1 to 1: the cycle's points relative to the day's largest. */
  readonly height: number
  /** The whole bar as text. */
  readonly label: string
}

/** Returns the heartbeats of the score's day, oldest first. */
export function heartbeatBars({ heartbeats, attempts, score }: WorkspaceDetail): HeartbeatBar[] {
  const points = pointsByCycle(attempts)
  const largest = Math.max(1, ...[...points.values()].map(Math.abs))
  // A timestamp's first ten characters are its local day in the workspace's own zone, as the score's date is.
  const today = heartbeats.filter((heartbeat) => heartbeat.at.slice(0, 10) === score.date).toReversed()
  return today.map((heartbeat) => {
    const gained = heartbeat.cycle === null ? 0 : (points.get(heartbeat.cycle) ?? 0)
    return {
      key: `${heartbeat.at}/${heartbeat.cycle}`,
      time: timeOfDay(Date.parse(heartbeat.at)),
      state: heartbeat.state,
      worst: heartbeat.worst,
      cycle: heartbeat.cycle,
      points: gained,
      height: gained / largest,
      label: labelOf(heartbeat, gained),
    }
  })
}

function pointsByCycle(attempts: WorkspaceDetail['attempts']): Map<number, number> {
  const points = new Map<number, number>()
  for (const attempt of attempts) {
    points.set(attempt.cycle, (points.get(attempt.cycle) ?? 0) + attempt.points)
  }
  return points
}

function labelOf(heartbeat: Heartbeat, points: number): string {
  const time = timeOfDay(Date.parse(heartbeat.at))
  const cycle = heartbeat.cycle === null ? '' : `, heartbeat ${heartbeat.cycle}`
  return `${time}${cycle}: ${outcomeOf(heartbeat, points)}`
}

function outcomeOf({ state, worst, count, detail }: Heartbeat, points: number): string {
  if (state === 'running') return 'running'
  if (state === 'missed') return count > 1 ? `${count} heartbeats missed` : 'missed'
  if (state === 'skipped') return detail === '' ? 'skipped' : `skipped, ${detail}`
  if (state === 'due' || state === 'late') return state
  if (worst === null) return 'nothing was open'
  return `${VERDICT_WORDS[worst].title.toLowerCase()}, ${formatSignedPoints(points)} points`
}
