import type { WorkspaceHistory } from '../../../../core/read-model/score.ts'

/** One workspace's day; `null` figures where nothing was archived. */
export interface RankedDay {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly score: number | null
  readonly target: number | null
  /** It still runs, and does not count. */
  readonly isToday: boolean
  readonly overruled: boolean
}

export interface Ranked {
  readonly workspace: string
  /** From 1; equal shares have equal ranks. `null` where no day of the seven counts. */
  readonly rank: number | null
  /** Points of the days that count, as a share of their targets: 1 is exactly on target, and it may be negative. */
  readonly share: number | null
  readonly floor: number
  /** Seven days and today, oldest first. */
  readonly days: readonly RankedDay[]
}

const DAYS_BEFORE = 7

/**
 * All workspaces, the one with the highest share of its targets over the last seven finished days first. Today is shown and
 * does not count; days without a verdict are not there. Those without a day stand last; else equals keep their order.
 */
export function rankByShare(histories: readonly WorkspaceHistory[]): Ranked[] {
  const last = histories.reduce((latest, { today }) => (today.date > latest ? today.date : latest), '')
  const dates = Array.from({ length: DAYS_BEFORE + 1 }, (_, index) => dayBefore(last, DAYS_BEFORE - index))
  const entries = histories.map((history) => {
    const days = dates.map((date) => dayOf(history, date))
    return { workspace: history.workspace, floor: history.targetFloor, days, share: shareOf(days) }
  })
  const order = entries.toSorted((a, b) => (b.share ?? -Infinity) - (a.share ?? -Infinity) || 0)
  return order.map((entry) => ({
    ...entry,
    rank: entry.share === null ? null : 1 + order.findIndex(({ share }) => share === entry.share),
  }))
}

function dayOf({ today, history }: WorkspaceHistory, date: string): RankedDay {
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

function shareOf(days: readonly RankedDay[]): number | null {
  const counted = days.filter(({ score, isToday }) => score !== null && !isToday)
  const target = counted.reduce((sum, day) => sum + (day.target ?? 0), 0)
  if (target <= 0) return null
  return counted.reduce((sum, day) => sum + (day.score ?? 0), 0) / target
}

function dayBefore(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - count)
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
}
