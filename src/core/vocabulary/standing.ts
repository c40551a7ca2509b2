import type { Severity } from './severity.ts'

/** Penalty levels, worst first. */
export const PENALTY_TIERS = ['lockdown', 'escalated', 'tightened', 'warning'] as const
/** Reward levels, best last, so that penalties and rewards together go from worst to best. */
export const REWARD_TIERS = ['good', 'excellent', 'outstanding'] as const

/** All levels of a score, worst first. */
export const STANDING_LEVELS = [...PENALTY_TIERS, 'none', ...REWARD_TIERS] as const

export type StandingLevel = (typeof STANDING_LEVELS)[number]

/**
 * What a shield may show, worst first: the tray and the title show the worst of all workspaces. A suspended workspace waits for
 * the operator, so it comes first. A paused one says nothing about its agent, so it comes last. One that is `behind` has as few
 * points as in lockdown or escalated, but without false claims, so there is no reason for alarm.
 */
export const SHIELDS = [
  'suspended',
  'lockdown',
  'escalated',
  'behind',
  'tightened',
  'warning',
  'none',
  ...REWARD_TIERS,
  'paused',
] as const

export type ShieldLevel = (typeof SHIELDS)[number]

export const PENALTIES = [...PENALTY_TIERS, 'none'] as const
export const REWARDS = [...REWARD_TIERS, 'none'] as const

export type PenaltyLevel = (typeof PENALTIES)[number]
export type RewardLevel = (typeof REWARDS)[number]

/** What is drawn as lines and what is filled, as SVG paths. */
interface Drawing {
  readonly lines?: readonly string[]
  readonly areas?: readonly string[]
}

/**
 * A shield's glyph on the grids of the page (24) and the tray: 22 px (Linux) and 16 px (macOS, Windows), each drawn separately so that
 * edges fall on pixels. The color alone never conveys the standing. After a change: `npm run icons`.
 */
export type ShieldGlyph = Readonly<Record<24 | 22 | 16, Drawing>>

interface ShieldRow {
  /** As the beginning of a line: "Lockdown". */
  readonly title: string
  /** On the timeline. */
  readonly severity: Severity
  readonly glyph: ShieldGlyph
  /** For light and dark backgrounds. */
  readonly colours: readonly [light: string, dark: string]
}

/** The ≠ at a shield's lower right corner while contradictions are unreviewed, on the grids of the glyphs. */
interface Notch {
  readonly x: number
  readonly y: number
  readonly radius: number
  /** SVG path, drawn with lines. */
  readonly sign: string
  readonly lineWidth: number
}

export const UNREVIEWED_NOTCH: Readonly<Record<24 | 22 | 16, Notch>> = {
  24: {
    x: 17.2,
    y: 17.2,
    radius: 6.1,
    sign: 'M14.2 15.7 H20.2 M14.2 18.9 H20.2 M19 13.8 L15.4 20.8',
    lineWidth: 1.7,
  },
  22: { x: 16, y: 16, radius: 5.6, sign: 'M13 14.5 H19 M13 17.5 H19 M18 12.6 L14 19.4', lineWidth: 1.4 },
  16: { x: 11, y: 11, radius: 4.8, sign: 'M8.5 9.5 H13.5 M8.5 12.5 H13.5 M12.7 8 L9.3 14', lineWidth: 1.2 },
}

export const SHIELD_ROWS: Readonly<Record<ShieldLevel, ShieldRow>> = {
  suspended: shield('Suspended for review', 'critical', ['#9e165f', '#f670c7'], {
    24: {
      areas: [
        'M8 12.6V9.2a.7.7 0 0 1 1.4 0v2h.5V7.3a.7.7 0 0 1 1.4 0v3.9h.5V6.8a.7.7 0 0 1 1.4 0v4.4h.5V7.8a.7.7 0 0 1 1.4 0v5.6c0 2.3-1.5 3.8-3.6 3.8-1.9 0-2.8-.9-3.7-2.3l-1.9-2.7a.75.75 0 0 1 1.1-1z',
      ],
    },
    22: {
      areas: [
        'M6.6 12.4 V8.1 a.8 .8 0 0 1 1.6 0 V10.9 h.6 V6.4 a.8 .8 0 0 1 1.6 0 V10.7 h.6 V5.7 a.8 .8 0 0 1 1.6 0 V10.7 h.6 V6.8 a.8 .8 0 0 1 1.6 0 V13.1 c0 2.7 -1.7 4.3 -4.1 4.3 c-2.2 0 -3.2 -1 -4.2 -2.6 l-1.9 -3 a.85 .85 0 0 1 1.3 -1.1 z',
      ],
    },
    16: {
      areas: [
        'M4.8 9 V5.9 a.6 .6 0 0 1 1.2 0 V7.9 h.4 V4.7 a.6 .6 0 0 1 1.2 0 V7.8 h.4 V4.2 a.6 .6 0 0 1 1.2 0 V7.8 h.4 V5 a.6 .6 0 0 1 1.2 0 V9.5 c0 2 -1.2 3.1 -3 3.1 c-1.6 0 -2.3 -.7 -3 -1.9 l-1.4 -2.2 a.62 .62 0 0 1 .95 -.8 z',
      ],
    },
  }),
  lockdown: shield('Lockdown', 'critical', ['#b42318', '#f97066'], {
    24: {
      lines: ['M9.9 11V9.2a2.1 2.1 0 0 1 4.2 0V11'],
      areas: ['M9.4 11h5.2a1 1 0 0 1 1 1v3.4a1 1 0 0 1-1 1H9.4a1 1 0 0 1-1-1V12a1 1 0 0 1 1-1z'],
    },
    22: { lines: ['M8 10 V8.5 a3 3 0 0 1 6 0 V10'], areas: ['M6.5 10 h9 v6 h-9 z'] },
    16: { lines: ['M6 7.5 V6 a2 2 0 0 1 4 0 V7.5'], areas: ['M4.8 7 h6.4 v4.6 h-6.4 z'] },
  }),
  escalated: shield('Escalated', 'critical', ['#d92d20', '#fda29b'], {
    24: { lines: ['m8.5 7.6 3.5 3.2 3.5-3.2M8.5 12.4l3.5 3.2 3.5-3.2'] },
    22: { lines: ['M7 6.5 L11 10.5 L15 6.5', 'M7 11.5 L11 15.5 L15 11.5'] },
    16: { lines: ['M5 4.6 L8 7.4 L11 4.6', 'M5 8.6 L8 11.4 L11 8.6'] },
  }),
  behind: shield('Behind', 'warning', ['#3e4784', '#b3b8db'], {
    24: { lines: ['m8.3 8.2 3.7 3.6 3.7-3.6M8.3 15.4h7.4'] },
    22: { lines: ['M7 7 L11 11 L15 7', 'M7 15 H15'] },
    16: { lines: ['M5 5 L8 8 L11 5', 'M5 11 H11'] },
  }),
  tightened: shield('Tightened', 'warning', ['#b54708', '#fdb022'], {
    24: { lines: ['m8.3 10 3.7 3.6 3.7-3.6'] },
    22: { lines: ['M7 9 L11 13 L15 9'] },
    16: { lines: ['M5 6.5 L8 9.5 L11 6.5'] },
  }),
  warning: shield('Warning', 'warning', ['#a15c07', '#fac515'], {
    24: { lines: ['M12 6.8v5.7M12 16v.1'] },
    22: { lines: ['M11 6 V11.5'], areas: ['M9.7 15 a1.3 1.3 0 1 0 2.6 0 a1.3 1.3 0 1 0 -2.6 0 z'] },
    16: { lines: ['M8 4.5 V8.3'], areas: ['M7 11 a1 1 0 1 0 2 0 a1 1 0 1 0 -2 0 z'] },
  }),
  none: shield('Steady', 'info', ['#475467', '#98a2b3'], {
    24: {},
    22: {},
    16: {},
  }),
  good: shield('Good', 'info', ['#0e7090', '#67e3f9'], {
    24: { lines: ['m8.2 11.8 2.7 2.7 5-5.3'] },
    22: { lines: ['M7 11 L10 14 L15.5 8'] },
    16: { lines: ['M5 8 L7.2 10.2 L11.2 5.8'] },
  }),
  excellent: shield('Excellent', 'info', ['#087443', '#47cd89'], {
    24: { lines: ['m6.8 11.8 2.5 2.5 4.2-4.6M12.6 14l.4.4 4.5-4.7'] },
    22: { lines: ['M6.5 8.5 L9.5 11 L15.5 5.8', 'M6.5 13.5 L9.5 16 L15.5 10.8'] },
    16: { lines: ['M4.8 6.3 L6.8 8 L11.2 4.2', 'M4.8 10 L6.8 11.7 L11.2 7.9'] },
  }),
  outstanding: shield('Outstanding', 'info', ['#3f621a', '#acdc79'], {
    24: { areas: ['m12 6.4 1.6 3.3 3.6.5-2.6 2.5.6 3.6-3.2-1.7-3.2 1.7.6-3.6-2.6-2.5 3.6-.5z'] },
    22: {
      areas: ['M11 5 L12.8 8.8 L17 9.4 L13.9 12.3 L14.7 16.4 L11 14.4 L7.3 16.4 L8.1 12.3 L5 9.4 L9.2 8.8 Z'],
    },
    16: {
      areas: [
        'M8 3.6 L9.35 6.4 L12.4 6.8 L10.15 8.95 L10.7 12 L8 10.5 L5.3 12 L5.85 8.95 L3.6 6.8 L6.65 6.4 Z',
      ],
    },
  }),
  paused: shield('Paused', 'info', ['#667085', '#98a2b3'], {
    24: { lines: ['M10 8.5v6.5M14 8.5v6.5'] },
    22: { lines: ['M8.5 7.5 V14.5', 'M13.5 7.5 V14.5'] },
    16: { lines: ['M6.2 5.4 V10.6', 'M9.8 5.4 V10.6'] },
  }),
}

function shield(
  title: string,
  severity: Severity,
  colours: ShieldRow['colours'],
  glyph: ShieldGlyph,
): ShieldRow {
  return { title, severity, glyph, colours }
}

/** Penalties at which every task counts as required. */
const FORCING: readonly ShieldLevel[] = ['lockdown', 'escalated', 'behind']

/** Levels at which trust is at stake, not only the pace: the phrase after the name of one workspace, or of several. */
const GRAVE: Readonly<Partial<Record<ShieldLevel, { readonly one: string; readonly many: string }>>> = {
  suspended: { one: 'is suspended for your review', many: 'are suspended for your review' },
  lockdown: { one: 'is in lockdown', many: 'are in lockdown' },
  escalated: { one: 'is below zero today', many: 'are below zero today' },
}

/** Returns whether every task counts as required at this level. */
export function forcesRequired(level: ShieldLevel): boolean {
  return FORCING.includes(level)
}

/** Compares two levels, worst first. */
export function worstShieldFirst(a: ShieldLevel, b: ShieldLevel): number {
  return SHIELDS.indexOf(a) - SHIELDS.indexOf(b)
}

/** Returns the phrase for workspaces at a grave level; `null` if the level is not grave. */
export function graveWords(level: ShieldLevel): { readonly one: string; readonly many: string } | null {
  return GRAVE[level] ?? null
}
