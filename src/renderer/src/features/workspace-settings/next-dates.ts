import { DEFAULT_SCORING, type ScoringRules } from '../../../../core/configuration/scoring.ts'
import { intervalsByStanding } from '../../../../core/scoring/standing.ts'
import { SHIELD_ROWS } from '../../../../core/vocabulary/standing.ts'
import { timeOfDay } from '../../format/moments.ts'
import type { Draft } from './use-draft.ts'

type Report = Pick<Draft['report'], 'values' | 'defaults'>

/** The settings of `[scoring]` that decide the next heartbeat at each standing. */
const MINUTES = {
  lockdownMinutes: 'scoring.lockdown_minutes',
  escalatedMinutes: 'scoring.escalated_minutes',
  tightenedMinutes: 'scoring.tightened_minutes',
  goodMinutes: 'scoring.good_minutes',
  excellentMinutes: 'scoring.excellent_minutes',
} as const satisfies Partial<Record<keyof ScoringRules, string>>

/**
 * Describes when the next heartbeat would run at each standing, for the interval as written: `From now: 14:40 in lockdown …`. `null` if it
 * is not a number of minutes.
 */
export function nextDates({ values, defaults }: Report, nowMs: number): string | null {
  const numberAt = (name: string) => Number(values[name] ?? defaults[name])
  const minutes = numberAt('heartbeat.interval_minutes')
  if (!Number.isFinite(minutes) || minutes <= 0) return null
  const written = Object.entries(MINUTES).flatMap(([rule, name]) =>
    Number.isFinite(numberAt(name)) ? [[rule, numberAt(name)] as const] : [],
  )
  const rules = { ...DEFAULT_SCORING, ...Object.fromEntries(written) }
  const dates = new Map<number, string[]>()
  for (const { level, minutes: after } of intervalsByStanding(rules, minutes)) {
    if (level === 'warning') continue
    const words = level === 'none' ? 'as set' : SHIELD_ROWS[level].title.toLowerCase()
    dates.set(after, [...(dates.get(after) ?? []), words])
  }
  const said = [...dates]
    .toSorted(([a], [b]) => a - b)
    .map(([after, levels]) => `${timeOfDay(nowMs + after * 60_000)} (${levels.join(', ')})`)
  return `If one ended now, the next would start at ${said.join(', ')}.`
}
