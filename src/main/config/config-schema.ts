import { z } from 'zod'
import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import { LEVEL_SETTINGS, TIMEOUT_SETTINGS } from '../../core/configuration/adaptive-timeout.ts'
import {
  CLAIM_SETTINGS,
  GATE_SETTINGS,
  JUDGE_SETTINGS,
  VERIFICATION_SETTINGS,
} from '../../core/configuration/checks.ts'
import { table } from '../../core/configuration/expect.ts'
import { FLEET_SETTINGS } from '../../core/configuration/fleet.ts'
import { HEARTBEAT_SETTINGS } from '../../core/configuration/heartbeat.ts'
import { INTERVENTION_SETTINGS } from '../../core/configuration/interventions.ts'
import { LANDING_SETTINGS } from '../../core/configuration/landing.ts'
import { SCORING_SETTINGS } from '../../core/configuration/scoring.ts'
import { SESSION_SETTINGS } from '../../core/configuration/sessions.ts'
import { sectionSchema, shapeOf } from '../../core/configuration/setting.ts'
import { UNBLOCK_SETTINGS } from '../../core/configuration/unblock.ts'
import { WORKSPACE_SETTINGS } from '../../core/configuration/workspace.ts'
import { parseHint } from '../../core/contract/hint.ts'
import { COMPLEXITY_LEVELS } from '../../core/vocabulary/complexity.ts'
import { each } from '../../core/vocabulary/each.ts'
import { agentSchema } from './agent-schema.ts'
import { probesSchema, steeringProblem } from './probe-schema.ts'

/* `pulseward.toml` as written: the sections of core/configuration, and which settings go together. parse-config.ts converts it. */

/** Rejects expressions that are neither true nor false, such as words and bare names. */
const heartbeatSchema = sectionSchema(HEARTBEAT_SETTINGS).superRefine(({ when }, context) => {
  if (when === undefined) return
  const hint = parseHint(when, [])
  if (hint.kind === 'expression') return
  const why = hint.kind === 'broken' ? hint.reason : 'It must be an expression that is true or false.'
  context.addIssue({
    code: 'custom',
    path: ['when'],
    message: `${JSON.stringify(when.slice(0, 60))} can't be evaluated: ${why} Expected one such as "inbox > 0".`,
  })
})

const scoringSchema = sectionSchema(SCORING_SETTINGS).superRefine((rules, context) => {
  if (rules.minimum_target > rules.maximum_target) {
    context.addIssue({
      code: 'custom',
      path: ['minimum_target'],
      message: `is ${rules.minimum_target}, more than maximum_target = ${rules.maximum_target}.`,
    })
  }
})

const adaptiveTimeoutSchema = table({
  ...shapeOf(TIMEOUT_SETTINGS),
  complexity: table(
    each(COMPLEXITY_LEVELS, (level) =>
      z.preprocess(withBase, sectionSchema(LEVEL_SETTINGS[level])).prefault({}),
    ),
  ).prefault({}),
}).superRefine((timeouts, context) => {
  if (timeouts.min_timeout > timeouts.max_timeout) {
    context.addIssue({
      code: 'custom',
      path: ['min_timeout'],
      message: `is ${timeouts.min_timeout}, more than max_timeout = ${timeouts.max_timeout}.`,
    })
  }
})

const gatesSchema = sectionSchema(GATE_SETTINGS).superRefine(({ commands }, context) => {
  for (const [index, { envFrom }] of commands.entries()) {
    const steering = steeringProblem(envFrom)
    if (steering !== null)
      context.addIssue({ code: 'custom', path: ['commands', index, 'env_from'], message: steering })
  }
})

const judgeSchema = sectionSchema(JUDGE_SETTINGS).superRefine(({ command, preset, env_from }, context) => {
  const steering = steeringProblem(env_from)
  if (steering !== null) context.addIssue({ code: 'custom', path: ['env_from'], message: steering })
  if (command === undefined && preset === undefined) {
    context.addIssue({
      code: 'invalid_type',
      expected: 'array',
      path: ['command'],
      message:
        'a program and its arguments as a list of strings, such as ["codex", "exec", "-"], or preset = "codex" instead of it',
    })
  } else if (command !== undefined && preset !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['command'],
      message: 'is set by the preset: leave it out, or leave preset out.',
    })
  } else if (preset !== undefined && AGENT_PROGRAMS[preset].print === null) {
    context.addIssue({
      code: 'custom',
      path: ['preset'],
      message: `${preset} is run over ACP only, and a judge prints its answer: give a command instead.`,
    })
  }
})

const landingSchema = sectionSchema(LANDING_SETTINGS).superRefine(({ mode, forge, url }, context) => {
  if (forge !== undefined) return
  if (mode === 'pull-request')
    context.addIssue({
      code: 'custom',
      path: ['mode'],
      message: 'needs a forge to make pull requests on: add forge = "github", "gitlab" or "forgejo".',
    })
  if (url !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['url'],
      message: 'is the address of a forge: add forge = "github", "gitlab" or "forgejo".',
    })
})

export const configFileSchema = table({
  agent: agentSchema,
  heartbeat: heartbeatSchema.prefault({}),
  probes: probesSchema,
  gates: gatesSchema.prefault({}),
  judge: judgeSchema.optional(),
  verification: sectionSchema(VERIFICATION_SETTINGS).prefault({}),
  claims: sectionSchema(CLAIM_SETTINGS).prefault({}),
  scoring: scoringSchema.prefault({}),
  interventions: sectionSchema(INTERVENTION_SETTINGS).prefault({}),
  adaptive_timeout: adaptiveTimeoutSchema.prefault({}),
  unblock: sectionSchema(UNBLOCK_SETTINGS).prefault({}),
  workspace: sectionSchema(WORKSPACE_SETTINGS).prefault({}),
  landing: landingSchema.prefault({}),
  sessions: sectionSchema(SESSION_SETTINGS).prefault({}),
  fleet: sectionSchema(FLEET_SETTINGS).prefault({}),
})

export type ConfigFile = z.infer<typeof configFileSchema>

/** Renames `base_timeout_seconds`, as other tools call `base`. If both are set, ours is used, and the other is reported as unknown. */
function withBase(section: unknown): unknown {
  if (typeof section !== 'object' || section === null || Array.isArray(section)) return section
  const { base_timeout_seconds: base, ...others } = section as Record<string, unknown>
  return base === undefined || 'base' in section ? section : { ...others, base }
}
