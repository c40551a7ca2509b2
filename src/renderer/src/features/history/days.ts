import type { ScoreHistory } from '../../../../core/read-model/score.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { counted } from '../../format/counted.ts'
import { shortDay } from '../../format/moments.ts'

/** Pixels. */
export const CHART_HEIGHT = 148
export const COMPACT_HEIGHT = 52

/** One bar of the chart. */
export interface Day {
  readonly key: string
  readonly label: string
  /** `null` if nothing is known: the space stays empty, so that the first days don't stretch across the chart. */
  readonly score: number | null
  readonly target: number | null
  readonly kind: 'reached' | 'below' | 'negative' | 'today' | 'none'
  readonly overruledCount: number
  readonly contradictions: number
}

/** Seven archived days and today. */
const SLOTS = 8

/** Returns the days of the chart, oldest first, today last. */
export function chartDays({ history, today }: ScoreHistory): Day[] {
  const archived = history.slice(-(SLOTS - 1)).map((day): Day => {
    const kind = day.targetReached ? 'reached' : day.score < 0 ? 'negative' : 'below'
    return { ...dayView(day, kind), label: shortDay(day.date) }
  })
  const free = Array.from({ length: SLOTS - 1 - archived.length }, (_, index): Day => {
    const place = { key: `free-${index}`, label: '', score: null, target: null }
    return { ...place, kind: 'none', overruledCount: 0, contradictions: 0 }
  })
  return [...free, ...archived, { ...dayView(today, 'today'), label: 'today' }]
}

function dayView(day: ScoreHistory['today'], kind: Day['kind']): Omit<Day, 'label'> {
  const { date, score, target, overruledCount, contradictionCount: contradictions } = day
  return { key: date, score, target, kind, overruledCount, contradictions }
}

/** Returns a day's figures on one line: "Wed 18: 75 of 50, 1 contradiction". */
export function dayInWords({ label, score, target, contradictions, overruledCount }: Day): string {
  if (score === null) return ''
  const parts = [
    target === null ? formatPoints(score) : `${formatPoints(score)} of ${formatPoints(target)}`,
    ...(contradictions === 0 ? [] : [counted(contradictions, 'contradiction')]),
    ...(overruledCount === 0 ? [] : ['overruled']),
  ]
  return `${label}: ${parts.join(', ')}`
}
