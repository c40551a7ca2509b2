import {
  finishedDays,
  lastDates,
  latestDay,
  ranksOf,
  shareOf,
} from '../../../../core/read-model/last-days.ts'
import type { WorkspaceHistory } from '../../../../core/read-model/score.ts'
import { daysOf } from '../history/ranked-days.ts'
import type { RankedDay } from '../history/seven-days.tsx'

export interface Ranked {
  readonly workspace: string
  /** From 1; equal shares have equal ranks. `null` if none of the seven days counts. */
  readonly rank: number | null
  /** Points on the days that count, as a share of their targets: 1 is exactly on target; may be negative. */
  readonly share: number | null
  readonly floor: number
  /** Seven days and today, oldest first. */
  readonly days: readonly RankedDay[]
}

/**
 * Returns all workspaces, starting with the highest share of targets over the last seven finished days. Today is shown but does not count,
 * nor do days without a verdict. Workspaces without any such day come last; equals keep their order.
 */
export function rankByShare(histories: readonly WorkspaceHistory[]): Ranked[] {
  const dates = lastDates(latestDay(histories))
  const entries = histories.map((history) => {
    const share = shareOf(finishedDays(history, dates))
    return {
      workspace: history.workspace,
      floor: history.targetFloor,
      days: daysOf(history, dates),
      share,
    }
  })
  const order = entries.toSorted((a, b) => (b.share ?? -Infinity) - (a.share ?? -Infinity) || 0)
  const ranks = ranksOf(order.map(({ share }) => share))
  return order.map((entry, index) => ({ ...entry, rank: ranks[index] ?? null }))
}
