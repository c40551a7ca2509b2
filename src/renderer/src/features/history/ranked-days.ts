import type { ScoreHistory } from '../../../../core/read-model/score.ts'
import type { RankedDay } from './seven-days.tsx'

const DAYS_BEFORE = 7

/** Seven days and the latest today of these, oldest first, as YYYY-MM-DD. */
export function lastDates(histories: readonly ScoreHistory[]): readonly string[] {
  const last = histories.reduce((latest, { today }) => (today.date > latest ? today.date : latest), '')
  return Array.from({ length: DAYS_BEFORE + 1 }, (_, index) => dayBefore(last, DAYS_BEFORE - index))
}

/** What a history has of each of these days. */
export function daysOf(history: ScoreHistory, dates: readonly string[]): RankedDay[] {
  return dates.map((date) => dayOf(history, date))
}

function dayOf({ today, history }: ScoreHistory, date: string): RankedDay {
  const isToday = today.date === date
  const day = isToday ? today : history.find((each) => each.date === date)
  return {
    date,
    score: day?.score ?? null,
    target: day?.target ?? null,
    isToday,
    overruled: (day?.overruledCount ?? 0) > 0,
  }
}

function dayBefore(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - count)
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
}
