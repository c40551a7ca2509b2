import {
  composeCommand,
  defaultMode,
  presetOfCommand,
  programName,
  streamOfCommand,
} from '../../core/agents/compose-command.ts'
import type { PresetId } from '../../core/agents/programs.ts'
import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import type { ConfigFile } from './config-schema.ts'

type AgentSettings = ConfigFile['agent']

/** Agents work unattended by editing files, so a preset may edit, but nothing more, unless the operator says otherwise. */
const PRESET_ALLOWS = ['edit']

/** Returns `[agent]` with its preset and every default filled in. */
export function toAgent(agent: AgentSettings): AgentConfig {
  return agent.preset === undefined
    ? fromCommand(agent, agent.command ?? [])
    : fromPreset(agent, agent.preset)
}

function fromPreset(agent: AgentSettings, id: PresetId): AgentConfig {
  const mode = agent.mode ?? defaultMode(id)
  const { allow = PRESET_ALLOWS, deny = [], model = null } = agent
  const composed = composeCommand(id, { mode, model, arguments: agent.args ?? [], allow, deny })
  return {
    ...common(agent, id),
    id: agent.id ?? id,
    kind: mode === 'acp' ? 'acp' : 'command',
    command: composed.command,
    model,
    prompt: 'stdin',
    env: { ...composed.env, ...agent.env },
    stream: composed.stream,
    allow,
    deny,
    managesPermissions: true,
    notes: composed.notes,
  }
}

function fromCommand(agent: AgentSettings, command: readonly string[]): AgentConfig {
  const kind = agent.kind ?? 'command'
  return {
    ...common(agent, presetOfCommand(command)),
    id: agent.id ?? agentIdOf(command[0] ?? ''),
    kind,
    command,
    model: agent.model ?? null,
    prompt: agent.prompt ?? 'stdin',
    env: { ...agent.env },
    stream: kind === 'acp' ? null : streamOfCommand(command),
    allow: agent.allow ?? [],
    ...(kind === 'acp' && agent.allow === undefined && { writesUnasked: true }),
    deny: agent.deny ?? [],
    managesPermissions: kind === 'acp',
    notes: [],
  }
}

function common(agent: AgentSettings, preset: PresetId | null) {
  const known = preset === null ? [] : AGENT_PROGRAMS[preset].passEnvironment
  return {
    preset,
    acpVersion: agent.acp_version === 2 ? (2 as const) : (1 as const),
    passEnvironment: [...new Set([...known, ...agent.pass_env])],
    permissionTimeoutSeconds: agent.permission_timeout_seconds,
    account: agent.account ?? null,
    windowShare01: agent.window_share ?? null,
    dayLimits: {
      usd: agent.daily_budget_usd ?? null,
      tokens: agent.daily_tokens ?? null,
      atLimit: agent.at_daily_limit,
    },
    attemptCeiling: { tokens: agent.attempt_tokens ?? null, usd: agent.attempt_budget_usd ?? null },
    containment: {
      sandbox: agent.sandbox,
      network: agent.network,
      checksNetwork: agent.checks_network,
      hide: agent.hide,
      writable: agent.writable,
    },
  }
}

/** Returns the program's name without folder and extension, in the characters allowed for an agent's id. */
function agentIdOf(program: string): string {
  return (
    programName(program)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 64) || 'agent'
  )
}
