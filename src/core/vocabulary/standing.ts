import { z } from 'zod'
import type { Severity } from './severity.ts'

/** Penalty levels, worst first. */
export const PENALTY_TIERS = ['lockdown', 'escalated', 'tightened', 'warning'] as const
/** Reward levels, best last: together with the penalties they go from the worst to the best. */
export const REWARD_TIERS = ['good', 'excellent', 'outstanding'] as const

/** What a score comes to, worst first. */
export const STANDING_LEVELS = [...PENALTY_TIERS, 'none', ...REWARD_TIERS] as const

export type StandingLevel = (typeof STANDING_LEVELS)[number]

/**
 * What a shield may show, worst first: the tray and the title show the worst of all workspaces. A suspended workspace waits for
 * the operator, so it goes before all; a paused one says nothing about its agent, so any other goes before it.
 */
export const SHIELDS = ['suspended', ...STANDING_LEVELS, 'paused'] as const

export type ShieldLevel = (typeof SHIELDS)[number]

const PENALTIES = [...PENALTY_TIERS, 'none'] as const
const REWARDS = [...REWARD_TIERS, 'none'] as const

export const penaltySchema = z.enum(PENALTIES)
export const rewardSchema = z.enum(REWARDS)
export const standingLevelSchema = z.enum(STANDING_LEVELS)
export const shieldSchema = z.enum(SHIELDS)

export type PenaltyLevel = z.infer<typeof penaltySchema>
export type RewardLevel = z.infer<typeof rewardSchema>

/** Drawings that a shield may carry; the colour alone never says the standing. */
export type ShieldGlyph =
  | 'lock'
  | 'two-chevrons'
  | 'chevron'
  | 'exclamation'
  | 'blank'
  | 'tick'
  | 'two-ticks'
  | 'star'
  | 'hand'
  | 'bars'

interface ShieldRow {
  /** As it begins a line: "Lockdown". */
  readonly title: string
  /** On the timeline. */
  readonly severity: Severity
  readonly glyph: ShieldGlyph
  /** On light and on dark. */
  readonly colours: readonly [light: string, dark: string]
}

export const SHIELD_ROWS: Readonly<Record<ShieldLevel, ShieldRow>> = {
  suspended: shield('Suspended for review', 'critical', 'hand', ['#667085', '#98a2b3']),
  lockdown: shield('Lockdown', 'critical', 'lock', ['#b42318', '#f97066']),
  escalated: shield('Escalated', 'critical', 'two-chevrons', ['#d92d20', '#fda29b']),
  tightened: shield('Tightened', 'warning', 'chevron', ['#b54708', '#fdb022']),
  warning: shield('Warning', 'warning', 'exclamation', ['#a15c07', '#fac515']),
  none: shield('Steady', 'info', 'blank', ['#475467', '#98a2b3']),
  good: shield('Good', 'info', 'tick', ['#107569', '#2ed3b7']),
  excellent: shield('Excellent', 'info', 'two-ticks', ['#087443', '#47cd89']),
  outstanding: shield('Outstanding', 'info', 'star', ['#05603a', '#75e0a7']),
  paused: shield('Paused', 'info', 'bars', ['#667085', '#98a2b3']),
}

function shield(
  title: string,
  severity: Severity,
  glyph: ShieldGlyph,
  colours: ShieldRow['colours'],
): ShieldRow {
  return { title, severity, glyph, colours }
}

/** Penalties at which every task counts as required. */
const FORCING: readonly ShieldLevel[] = ['lockdown', 'escalated']

/** Where trust is at stake and not only the pace: how it is said behind the name of one workspace, or of several. */
const GRAVE: Readonly<Partial<Record<ShieldLevel, { readonly one: string; readonly many: string }>>> = {
  suspended: { one: 'is suspended for your review', many: 'are suspended for your review' },
  lockdown: { one: 'is in lockdown', many: 'are in lockdown' },
  escalated: { one: 'is below zero today', many: 'are below zero today' },
}

/** Whether every task counts as required at this level. */
export function forcesRequired(level: ShieldLevel): boolean {
  return FORCING.includes(level)
}

/** Sorts the worst first. */
export function worstShieldFirst(a: ShieldLevel, b: ShieldLevel): number {
  return SHIELDS.indexOf(a) - SHIELDS.indexOf(b)
}

/** How a grave level is said of workspaces; `null` where it is not grave. */
export function graveWords(level: ShieldLevel): { readonly one: string; readonly many: string } | null {
  return GRAVE[level] ?? null
}
