import type { DailyScore } from '../scoring/daily-score.ts'

/** Today and the archived days of one workspace. */
interface History {
  readonly today: DailyScore
  readonly history: readonly DailyScore[]
}

/** Number of finished days shown beside today and used to rank workspaces; design.md section 12. */
export const LAST_DAYS = 7

/** Returns the seven days before this day and the day itself, oldest first, as YYYY-MM-DD; '' for each if it is not a day. */
export function lastDates(today: string): readonly string[] {
  return Array.from({ length: LAST_DAYS + 1 }, (_, index) => dayBefore(today, LAST_DAYS - index))
}

/** Returns the latest current day, YYYY-MM-DD; '' if there is none. Time zones differ: it may already be tomorrow elsewhere. */
export function latestDay(histories: readonly History[]): string {
  return histories.reduce((latest, { today }) => (today.date > latest ? today.date : latest), '')
}

/** Returns the history's finished days among these dates, without its own today, which is not finished. */
export function finishedDays({ today, history }: History, dates: readonly string[]): readonly DailyScore[] {
  return history.filter(({ date }) => date !== today.date && dates.includes(date))
}

/** Returns the points of finished days as a share of their targets: 1 is exactly on target; may be negative. `null`: no days. */
export function shareOf(days: readonly Pick<DailyScore, 'score' | 'target'>[]): number | null {
  const target = days.reduce((sum, day) => sum + day.target, 0)
  return target <= 0 ? null : days.reduce((sum, day) => sum + day.score, 0) / target
}

/** Returns ranks from 1 for shares in descending order. Equal shares have equal ranks; `null` has none. */
export function ranksOf(shares: readonly (number | null)[]): readonly (number | null)[] {
  let rank = 0
  return shares.map((share, index) => {
    if (index === 0 || share !== shares[index - 1]) rank = index + 1
    return share === null ? null : rank
  })
}

function dayBefore(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - count)
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
}
