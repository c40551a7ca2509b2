import { COMPLEXITY_LEVELS, COMPLEXITY_WORDS, type ComplexityLevel } from '../vocabulary/complexity.ts'
import { each } from '../vocabulary/each.ts'
import { defaultsOf, linesSetting, numberSetting, toggleSetting, type Values } from './setting.ts'

/** Longer than any sensible run, and short enough for a timer. */
export const DAY_SECONDS = 86_400

const SECONDS = { from: 0, to: DAY_SECONDS, above: true, unit: 'seconds' } as const

export const TIMEOUT_SETTINGS = {
  enabled: toggleSetting({
    default: true,
    label: 'Adapt to the task',
    hint: 'Off: every attempt gets the mode timeout.',
    meaning: 'false: every attempt gets `mode_timeout`',
  }),
  mode_timeout: numberSetting({
    ...SECONDS,
    default: 120,
    as: 'modeTimeoutSeconds',
    label: 'Mode timeout',
    meaning: 'the value that the multipliers apply to',
  }),
  min_timeout: numberSetting({
    ...SECONDS,
    default: 60,
    as: 'minTimeoutSeconds',
    label: 'At least',
    meaning: 'the minimum result',
  }),
  max_timeout: numberSetting({
    ...SECONDS,
    default: 3600,
    as: 'maxTimeoutSeconds',
    label: 'At most',
    meaning: 'the maximum result',
  }),
  complexity_scaling: toggleSetting({
    default: true,
    label: 'Multiply by the level',
    meaning: "multiply by the level's multiplier",
  }),
  failure_scaling: toggleSetting({
    default: true,
    label: 'Grow with each timeout',
    meaning: 'grow with each timeout of the task',
  }),
  timeout_multiplier_per_failure: numberSetting({
    from: 1,
    to: 100,
    default: 1.5,
    label: 'Growth factor',
    meaning: 'the growth factor',
  }),
  learned: toggleSetting({
    default: true,
    label: 'Learn from measured durations',
    meaning: 'use measured durations if they are longer',
  }),
}

/** The factor of each level, and the words that put a task into it. */
const LEVELS: Readonly<
  Record<ComplexityLevel, { readonly multiplier: number; readonly keywords: string[] }>
> = {
  simple: { multiplier: 1, keywords: ['fix', 'update', 'refactor', 'add'] },
  medium: { multiplier: 1.5, keywords: ['test', 'mock', 'fixture'] },
  complex: { multiplier: 2, keywords: ['CLI', 'command', 'parser'] },
  ui_heavy: { multiplier: 3, keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'] },
}

function levelSettings(level: ComplexityLevel) {
  const { multiplier, keywords } = LEVELS[level]
  const name = COMPLEXITY_WORDS[level]
  return {
    base: numberSetting({
      ...SECONDS,
      as: 'baseSeconds',
      label: `${name}: base`,
      hint: 'Used instead of the mode timeout times the multiplier. Empty: not used.',
      meaning: 'seconds to start from instead of `mode_timeout` times `multiplier`',
      defaultWords: '`mode_timeout` × `multiplier`',
    }),
    multiplier: numberSetting({
      from: 0,
      to: 1000,
      above: true,
      default: multiplier,
      label: `${name}: multiplier`,
      meaning: 'what `mode_timeout` is multiplied by',
    }),
    keywords: linesSetting({
      default: keywords,
      one: 'a word',
      all: 'a list of words, such as ["UI", "Chart"]',
      most: 200,
      noun: 'words',
      type: 'list of words',
      label: `${name}: words`,
      hint: 'One per line. The heaviest level with a matching word wins.',
      meaning: 'words that put a task into this level; the list replaces the default one',
    }),
  }
}

export const LEVEL_SETTINGS = each(COMPLEXITY_LEVELS, levelSettings)

/** All of `[adaptive_timeout]`: the input of the classifier and of timeout planning. */
export type AdaptiveTimeoutRules = Values<typeof TIMEOUT_SETTINGS> & {
  readonly complexity: Readonly<Record<ComplexityLevel, Values<ReturnType<typeof levelSettings>>>>
}

/** The values used if `pulseward.toml` is missing or doesn't set them. */
export const DEFAULT_ADAPTIVE_TIMEOUT: AdaptiveTimeoutRules = {
  ...defaultsOf(TIMEOUT_SETTINGS),
  complexity: each(COMPLEXITY_LEVELS, (level) => defaultsOf(LEVEL_SETTINGS[level])),
}
