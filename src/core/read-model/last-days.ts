import type { DailyScore } from '../scoring/daily-score.ts'

/** Today and the archived days of one workspace. */
interface History {
  readonly today: DailyScore
  readonly history: readonly DailyScore[]
}

/** Finished days that are shown beside today, and by which workspaces are ranked; design.md section 12. */
export const LAST_DAYS = 7

/** The last seven days before that day and the day itself, oldest first, as YYYY-MM-DD; '' each where it is no day. */
export function lastDates(today: string): readonly string[] {
  return Array.from({ length: LAST_DAYS + 1 }, (_, index) => dayBefore(today, LAST_DAYS - index))
}

/** The latest day that runs, YYYY-MM-DD; '' if there is none. Zones differ: it may be tomorrow elsewhere. */
export function latestDay(histories: readonly History[]): string {
  return histories.reduce((latest, { today }) => (today.date > latest ? today.date : latest), '')
}

/** What a history has of these days that is finished: its own today still runs and does not count. */
export function finishedDays({ today, history }: History, dates: readonly string[]): readonly DailyScore[] {
  return history.filter(({ date }) => date !== today.date && dates.includes(date))
}

/** Points of finished days as a share of their targets: 1 is exactly on target, and it may be negative. `null`: none. */
export function shareOf(days: readonly Pick<DailyScore, 'score' | 'target'>[]): number | null {
  const target = days.reduce((sum, day) => sum + day.target, 0)
  return target <= 0 ? null : days.reduce((sum, day) => sum + day.score, 0) / target
}

/** From 1, of shares in falling order; equal shares have equal ranks, and who has none has none. */
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
