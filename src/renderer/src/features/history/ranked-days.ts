import type { ScoreHistory } from '../../../../core/read-model/score.ts'
import type { RankedDay } from './seven-days.tsx'

/** Returns what a history contains for each of these days. */
export function daysOf({ today, history }: ScoreHistory, dates: readonly string[]): RankedDay[] {
  return dates.map((date) => {
    const isToday = today.date === date
    const day = isToday ? today : history.find((each) => each.date === date)
    return {
      date,
      score: day?.score ?? null,
      target: day?.target ?? null,
      isToday,
      overruled: (day?.overruledCount ?? 0) > 0,
      contradictions: day?.contradictionCount ?? 0,
    }
  })
}
