import { isReportFormat } from '../../core/reports/test-report.ts'
import { DEFAULT_SCORING } from '../../core/scoring/rules.ts'
import type { ScoringRules } from '../../core/scoring/types.ts'
import type { ConfigProblem, ProbeConfig, WorkspaceConfig } from '../ports/workspace-config.ts'
import { type ConfigFile, configFileSchema, snakeCase } from './config-schema.ts'
import { CHECK_SECONDS, TEST_SECONDS } from './limits.ts'
import { schemaProblems } from './schema-problems.ts'
import { toAgent } from './to-agent.ts'
import { readToml } from './toml-document.ts'

/** Far beyond any configuration; it bounds what an agent can make us parse. */
export const MAXIMUM_CONFIG_BYTES = 256 * 1024

export type ConfigReading =
  | { readonly ok: true; readonly config: WorkspaceConfig }
  /** Never empty. One syntax error, or everything that the schema found, in the order of the file. */
  | { readonly ok: false; readonly problems: readonly [ConfigProblem, ...ConfigProblem[]] }

/** The text of a `pulseward.toml` as a whole configuration with every default filled in, or what is wrong with it. Never throws. */
export function parseWorkspaceConfig(text: string): ConfigReading {
  if (Buffer.byteLength(text) > MAXIMUM_CONFIG_BYTES) return refuse(tooLarge(Buffer.byteLength(text)))
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) return refuse(toml.problem)
  const parsed = configFileSchema.safeParse(toml.document.root)
  if (parsed.success) return { ok: true, config: toConfig(parsed.data) }
  const [first, ...others] = schemaProblems(parsed.error, toml.document)
  return refuse(first ?? { message: 'The configuration is not valid.', line: 1, column: 1 }, ...others)
}

export function tooLarge(bytes: number): ConfigProblem {
  const message = `The file has ${Math.ceil(bytes / 1024)} KiB; at most ${MAXIMUM_CONFIG_BYTES / 1024} KiB are read.`
  return { message, line: 1, column: 1 }
}

function refuse(...problems: [ConfigProblem, ...ConfigProblem[]]): ConfigReading {
  return { ok: false, problems }
}

function toConfig(file: ConfigFile): WorkspaceConfig {
  const { agent, heartbeat, gates, judge, unblock } = file
  return {
    agent: toAgent(agent),
    heartbeat: {
      intervalMinutes: heartbeat.interval_minutes,
      activeHours: heartbeat.active_hours === undefined ? null : parseActiveHours(heartbeat.active_hours),
      session: heartbeat.session,
      timezone: heartbeat.timezone ?? null,
    },
    probes: Object.fromEntries(Object.entries(file.probes).map(([name, probe]) => [name, toProbe(probe)])),
    gates: toGates(gates),
    judge: judge ? { command: judge.command, timeoutMs: milliseconds(judge.timeout_seconds) } : null,
    approvedCommands: file.verification.commands,
    scoring: toScoring(file.scoring),
    interventions: toInterventions(file.interventions),
    adaptiveTimeout: toAdaptiveTimeout(file.adaptive_timeout),
    unblock: {
      autoSuggest: unblock.auto_suggest,
      maxAutoUnblockAttempts: unblock.max_auto_unblock_attempts,
    },
  }
}

function parseActiveHours(hours: string): { startMinute: number; endMinute: number } {
  const [start = '', end = ''] = hours.split('-')
  return { startMinute: minuteOfDay(start), endMinute: minuteOfDay(end) }
}

function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function toGates({ commands, timeout_seconds }: ConfigFile['gates']): WorkspaceConfig['gates'] {
  const hasEnvironment = commands.some(({ env }) => Object.keys(env).length > 0)
  return {
    commands: commands.map(({ command }) => command),
    timeoutMs: milliseconds(timeout_seconds),
    ...(hasEnvironment && { environments: commands.map(({ env }) => env) }),
  }
}

function toProbe(probe: ConfigFile['probes'][string]): ProbeConfig {
  const { command, file, url, parse, path, env } = probe
  const seconds = probe.timeout_seconds ?? (isReportFormat(parse) ? TEST_SECONDS : CHECK_SECONDS)
  const common = {
    parse,
    path: path ?? null,
    timeoutMs: milliseconds(seconds),
    ...(env !== undefined && { env }),
  }
  if (file !== undefined) return { source: { kind: 'file', file }, ...common }
  if (url !== undefined) return { source: { kind: 'url', url }, ...common }
  return { source: { kind: 'command', command: command ?? [] }, ...common }
}

function toScoring(scoring: ConfigFile['scoring']): ScoringRules {
  const names = Object.keys(DEFAULT_SCORING) as (keyof ScoringRules)[]
  return Object.fromEntries(names.map((name) => [name, scoring[snakeCase(name)]])) as Record<
    keyof ScoringRules,
    number
  >
}

function toInterventions(settings: ConfigFile['interventions']): WorkspaceConfig['interventions'] {
  return {
    enabled: settings.enabled,
    thresholdNoFiles: settings.threshold_no_files,
    thresholdFalseCompletion: settings.threshold_false_completion,
    feedbackRotationDays: settings.feedback_rotation_days,
    aggressiveMode: settings.aggressive_mode,
    expectFiles: settings.expect_files,
    midStream: settings.mid_stream,
    requireCleanRepo: settings.require_clean_repo,
    protected: settings.protected,
    stallMinutes: settings.stall_minutes,
  }
}

function toAdaptiveTimeout(settings: ConfigFile['adaptive_timeout']): WorkspaceConfig['adaptiveTimeout'] {
  const { simple, medium, complex, ui_heavy } = settings.complexity
  const level = ({ base, multiplier, keywords }: typeof simple) => ({
    baseSeconds: base,
    multiplier,
    keywords,
  })
  return {
    enabled: settings.enabled,
    complexityScaling: settings.complexity_scaling,
    failureScaling: settings.failure_scaling,
    modeTimeoutSeconds: settings.mode_timeout,
    maxTimeoutSeconds: settings.max_timeout,
    minTimeoutSeconds: settings.min_timeout,
    timeoutMultiplierPerFailure: settings.timeout_multiplier_per_failure,
    learned: settings.learned,
    complexity: {
      simple: level(simple),
      medium: level(medium),
      complex: level(complex),
      ui_heavy: level(ui_heavy),
    },
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}
