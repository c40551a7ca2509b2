import { composeCommand, presetOfCommand } from '../../core/agents/compose-command.ts'
import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import {
  type AdaptiveTimeoutRules,
  LEVEL_SETTINGS,
  TIMEOUT_SETTINGS,
} from '../../core/configuration/adaptive-timeout.ts'
import { PROBE_SOURCES } from '../../core/configuration/checks.ts'
import { FLEET_SETTINGS } from '../../core/configuration/fleet.ts'
import { HEARTBEAT_SETTINGS } from '../../core/configuration/heartbeat.ts'
import { INTERVENTION_SETTINGS } from '../../core/configuration/interventions.ts'
import { LANDING_SETTINGS } from '../../core/configuration/landing.ts'
import { CHECK_SECONDS, TEST_SECONDS } from '../../core/configuration/limits.ts'
import { SCORING_SETTINGS } from '../../core/configuration/scoring.ts'
import { valuesOf } from '../../core/configuration/setting.ts'
import { UNBLOCK_SETTINGS } from '../../core/configuration/unblock.ts'
import { WORKSPACE_SETTINGS } from '../../core/configuration/workspace.ts'
import { isReportFormat } from '../../core/reports/test-report.ts'
import { readToml } from '../../core/text/toml-document.ts'
import { COMPLEXITY_LEVELS } from '../../core/vocabulary/complexity.ts'
import { each } from '../../core/vocabulary/each.ts'
import type { ConfigProblem, ProbeConfig, WorkspaceConfig } from '../ports/workspace-config.ts'
import { type ConfigFile, configFileSchema } from './config-schema.ts'
import { schemaProblems } from './schema-problems.ts'
import { toAgent } from './to-agent.ts'

/** Far beyond any configuration; it limits what an agent can make us parse. */
export const MAXIMUM_CONFIG_BYTES = 256 * 1024

export type ConfigReading =
  | { readonly ok: true; readonly config: WorkspaceConfig }
  /** Never empty. One syntax error, or everything that the schema found, in the order of the file. */
  | { readonly ok: false; readonly problems: readonly [ConfigProblem, ...ConfigProblem[]] }

/**
 * Parses the text of a `pulseward.toml` into a complete configuration with every default, or returns what is wrong with it. Never
 * throws.
 */
export function parseWorkspaceConfig(text: string): ConfigReading {
  const excess = excessOf(text)
  if (excess !== null) return refuse(excess)
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) return refuse(toml.problem)
  const parsed = configFileSchema.safeParse(toml.document.root)
  if (parsed.success) return { ok: true, config: toConfig(parsed.data) }
  const [first, ...others] = schemaProblems(parsed.error, toml.document)
  return refuse(first ?? { message: 'The configuration is not valid.', line: 1, column: 1 }, ...others)
}

/** Returns the problem of a text with more bytes than are read; `null` if there is none. */
export function excessOf(text: string): ConfigProblem | null {
  const bytes = new TextEncoder().encode(text).length
  return bytes > MAXIMUM_CONFIG_BYTES ? tooLarge(bytes) : null
}

export function tooLarge(bytes: number): ConfigProblem {
  const message = `The file has ${Math.ceil(bytes / 1024)} KiB; at most ${MAXIMUM_CONFIG_BYTES / 1024} KiB are read.`
  return { message, line: 1, column: 1 }
}

function refuse(...problems: [ConfigProblem, ...ConfigProblem[]]): ConfigReading {
  return { ok: false, problems }
}

function toConfig(file: ConfigFile): WorkspaceConfig {
  const { agent, heartbeat, gates, judge } = file
  return {
    agent: toAgent(agent),
    heartbeat: {
      ...valuesOf(HEARTBEAT_SETTINGS, heartbeat),
      activeHours: heartbeat.active_hours === undefined ? null : parseActiveHours(heartbeat.active_hours),
    },
    probes: Object.fromEntries(Object.entries(file.probes).map(([name, probe]) => [name, toProbe(probe)])),
    gates: toGates(gates),
    judge: judge === undefined ? null : toJudge(judge),
    approvedCommands: file.verification.commands,
    parallelChecks: file.verification.parallel,
    boxes: file.claims.boxes,
    scoring: valuesOf(SCORING_SETTINGS, file.scoring),
    interventions: valuesOf(INTERVENTION_SETTINGS, file.interventions),
    adaptiveTimeout: toAdaptiveTimeout(file.adaptive_timeout),
    unblock: valuesOf(UNBLOCK_SETTINGS, file.unblock),
    sessions: file.sessions,
    fleet: valuesOf(FLEET_SETTINGS, file.fleet),
    workspace: valuesOf(WORKSPACE_SETTINGS, file.workspace),
    landing: valuesOf(LANDING_SETTINGS, file.landing),
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
  const hasSecrets = commands.some(({ envFrom }) => envFrom.length > 0)
  const hasTimeouts = commands.some(({ timeoutSeconds }) => timeoutSeconds !== null)
  return {
    commands: commands.map(({ command }) => command),
    timeoutMs: milliseconds(timeout_seconds),
    ...(hasEnvironment && { environments: commands.map(({ env }) => env) }),
    ...(hasSecrets && { secrets: commands.map(({ envFrom }) => envFrom) }),
    ...(hasTimeouts && {
      timeoutsMs: commands.map(({ timeoutSeconds }) => milliseconds(timeoutSeconds ?? timeout_seconds)),
    }),
  }
}

/** Converts `[judge]`. With a preset, its program is denied all permissions and gets only that program's keys. */
function toJudge({ command, preset, timeout_seconds, env, env_from = [] }: NonNullable<ConfigFile['judge']>) {
  const asked = { model: null, arguments: [], allow: [], deny: [] }
  const composed = preset === undefined ? null : composeCommand(preset, { mode: 'print', ...asked })
  const words = command ?? composed?.command ?? []
  const known = preset ?? presetOfCommand(words)
  const keys = known === null ? [] : AGENT_PROGRAMS[known].passEnvironment
  const envFrom = [...new Set([...keys, ...env_from])]
  return {
    command: words,
    ...(preset !== undefined && { preset }),
    ...(env !== undefined && { env }),
    ...(envFrom.length > 0 && { envFrom }),
    timeoutMs: milliseconds(timeout_seconds),
  }
}

function toProbe(probe: ConfigFile['probes'][string]): ProbeConfig {
  const { parse, path, env, env_from: envFrom, tolerance, reads } = probe
  const seconds = probe.timeout_seconds ?? (isReportFormat(parse) ? TEST_SECONDS : CHECK_SECONDS)
  return {
    source: toSource(probe),
    parse,
    path: path ?? null,
    timeoutMs: milliseconds(seconds),
    ...(env !== undefined && { env }),
    ...(envFrom !== undefined && { envFrom }),
    ...(tolerance !== undefined && { tolerance }),
    ...(reads !== undefined && { reads }),
  }
}

/** Returns the source; the schema guarantees exactly one. */
function toSource(probe: ConfigFile['probes'][string]): ProbeConfig['source'] {
  const kind = PROBE_SOURCES.find((source) => probe[source] !== undefined) ?? 'command'
  switch (kind) {
    case 'command':
      return { kind, command: probe.command ?? [] }
    case 'file':
      return { kind, file: probe.file ?? '' }
    case 'url':
      return { kind, url: probe.url ?? '' }
  }
}

function toAdaptiveTimeout(settings: ConfigFile['adaptive_timeout']): AdaptiveTimeoutRules {
  return {
    ...valuesOf(TIMEOUT_SETTINGS, settings),
    complexity: each(COMPLEXITY_LEVELS, (level) =>
      valuesOf(LEVEL_SETTINGS[level], settings.complexity[level]),
    ),
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}
