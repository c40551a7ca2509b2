import { z } from 'zod'
import { type AdaptiveTimeoutRules, DEFAULT_ADAPTIVE_TIMEOUT } from '../../core/pacing/default-rules.ts'
import { DEFAULT_SCORING } from '../../core/scoring/rules.ts'
import { agentSchema } from './agent-schema.ts'
import { boolean, command, number, oneOf, table, text, wholeNumber } from './expect.ts'
import { gatesSchema } from './gate-schema.ts'
import { CHECK_SECONDS } from './limits.ts'
import { probesSchema } from './probe-schema.ts'

/*
 * `pulseward.toml` as it is written: every table and setting with its bounds and default. What it becomes is in
 * parse-config.ts.
 */

/** Longer than any sensible run; it keeps seconds within what a timer takes. */
const DAY_SECONDS = 86_400

/** `HH:MM-HH:MM`, each 00:00 to 24:00. */
const activeHoursPattern = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

const heartbeatSchema = table({
  interval_minutes: number({ from: 0, to: 1440, above: true }).default(15),
  active_hours: text('hours of the day, such as "08:00-22:00"', activeHoursPattern)
    .refine((hours) => hours.slice(0, 5) !== hours.slice(6), {
      error: 'starts and ends at the same time: leave the setting out to be active always.',
    })
    .optional(),
  session: oneOf(['task', 'cycle']).default('task'),
  timezone: z
    .string({ error: 'the name of a time zone, such as "Europe/Berlin"' })
    .refine(isTimeZone, {
      error: 'no time zone of this name is known. Expected one such as "Europe/Berlin" or "UTC".',
    })
    .optional(),
})

const scoringSchema = table(
  Object.fromEntries(
    Object.entries(DEFAULT_SCORING).map(([name, value]) => [
      snakeCase(name),
      scoringNumber(name, value).default(value),
    ]),
  ),
).superRefine((rules, context) => {
  if (Number(rules.minimum_target) > Number(rules.maximum_target)) {
    context.addIssue({
      code: 'custom',
      path: ['minimum_target'],
      message: `is ${rules.minimum_target}, more than maximum_target = ${rules.maximum_target}.`,
    })
  }
})

/** Points keep the sign of their default: what costs may not reward. */
function scoringNumber(name: string, value: number): z.ZodNumber {
  if (name.endsWith('Share')) return number({ from: 0, to: 1 })
  if (name.endsWith('Minutes')) return number({ from: 0, to: 1440, above: true })
  if (name.endsWith('Days')) return wholeNumber({ from: 1, to: 366 })
  if (name.endsWith('Target')) return wholeNumber({ from: 1, to: 1_000_000 })
  return value < 0 ? wholeNumber({ from: -100_000, to: 0 }) : wholeNumber({ from: 0, to: 100_000 })
}

const interventionsSchema = table({
  enabled: boolean().default(true),
  threshold_no_files: wholeNumber({ from: 1, to: 1000 }).default(3),
  threshold_false_completion: wholeNumber({ from: 1, to: 1000 }).default(2),
  feedback_rotation_days: wholeNumber({ from: 1, to: 3650 }).default(30),
  aggressive_mode: boolean().default(false),
  expect_files: oneOf(['always', 'never', 'auto']).default('auto'),
  mid_stream: oneOf(['off', 'same-session']).default('off'),
  require_clean_repo: boolean().default(false),
  protected: z
    .array(text('a file pattern, such as "test/**"'), {
      error: 'a list of file patterns, such as ["test/**"]',
    })
    .max(200, { error: 'at most 200 file patterns' })
    .default(['default']),
  stall_minutes: number({ from: 0, to: 1440, above: true }).default(10),
})

function levelSchema(defaults: AdaptiveTimeoutRules['complexity']['simple']) {
  return table({
    base: number({ from: 0, to: DAY_SECONDS, above: true }).default(defaults.baseSeconds),
    multiplier: number({ from: 0, to: 1000, above: true }).default(defaults.multiplier),
    keywords: z
      .array(text('a word'), { error: 'a list of words, such as ["UI", "Chart"]' })
      .max(200, { error: 'at most 200 words' })
      .default([...defaults.keywords]),
  }).prefault({})
}

const timeoutDefaults = DEFAULT_ADAPTIVE_TIMEOUT

const adaptiveTimeoutSchema = table({
  enabled: boolean().default(timeoutDefaults.enabled),
  complexity_scaling: boolean().default(timeoutDefaults.complexityScaling),
  failure_scaling: boolean().default(timeoutDefaults.failureScaling),
  mode_timeout: number({ from: 0, to: DAY_SECONDS, above: true }).default(timeoutDefaults.modeTimeoutSeconds),
  max_timeout: number({ from: 0, to: DAY_SECONDS, above: true }).default(timeoutDefaults.maxTimeoutSeconds),
  min_timeout: number({ from: 0, to: DAY_SECONDS, above: true }).default(timeoutDefaults.minTimeoutSeconds),
  timeout_multiplier_per_failure: number({ from: 1, to: 100 }).default(
    timeoutDefaults.timeoutMultiplierPerFailure,
  ),
  learned: boolean().default(timeoutDefaults.learned),
  complexity: table({
    simple: levelSchema(timeoutDefaults.complexity.simple),
    medium: levelSchema(timeoutDefaults.complexity.medium),
    complex: levelSchema(timeoutDefaults.complexity.complex),
    ui_heavy: levelSchema(timeoutDefaults.complexity.ui_heavy),
  }).prefault({}),
}).superRefine((timeouts, context) => {
  if (timeouts.min_timeout > timeouts.max_timeout) {
    context.addIssue({
      code: 'custom',
      path: ['min_timeout'],
      message: `is ${timeouts.min_timeout}, more than max_timeout = ${timeouts.max_timeout}.`,
    })
  }
})

export const configFileSchema = table({
  agent: agentSchema,
  heartbeat: heartbeatSchema.prefault({}),
  probes: probesSchema,
  gates: gatesSchema(DAY_SECONDS),
  judge: table({
    command: command(),
    timeout_seconds: number({ from: 0, to: DAY_SECONDS, above: true }).default(CHECK_SECONDS),
  }).optional(),
  verification: table({
    commands: z
      .array(text('a command as it stands in the hint, such as "npm test"'), {
        error: 'a list of the commands that hints may run, such as ["npm test"]',
      })
      .max(200, { error: 'at most 200 commands' })
      .default([]),
  }).prefault({}),
  scoring: scoringSchema.prefault({}),
  interventions: interventionsSchema.prefault({}),
  adaptive_timeout: adaptiveTimeoutSchema.prefault({}),
  unblock: table({
    auto_suggest: boolean().default(true),
    max_auto_unblock_attempts: wholeNumber({ from: 0, to: 1000 }).default(1),
  }).prefault({}),
})

export type ConfigFile = z.infer<typeof configFileSchema>

/** `verifiedRequired` → `verified_required`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // Newer runtimes take offsets too, which have no summer time and which older ones refuse.
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}
