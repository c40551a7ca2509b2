import { defaultMode } from '../../core/agents/compose-command.ts'
import { AGENT_PROGRAMS, PRESET_IDS } from '../../core/agents/programs.ts'
import { AGENT_SETTINGS } from '../../core/configuration/agent.ts'
import { sectionSchema } from '../../core/configuration/setting.ts'

/*
 * `[agent]`: either a preset, or kind and command. A setting that has no effect on this kind of agent is an error, because the
 * operator would rely on it.
 */

export const agentSchema = sectionSchema(
  AGENT_SETTINGS,
  'a section [agent] with command = ["program", "argument"] or preset = "claude"',
).superRefine((agent, context) => {
  if (agent.preset === undefined && agent.command === undefined) {
    context.addIssue({
      code: 'invalid_type',
      expected: 'array',
      path: ['command'],
      message:
        'a program and its arguments as a list of strings, such as ["npm", "test"], or preset = "claude" instead of it',
    })
  }
  for (const [setting, message] of Object.entries(conflicts(agent))) {
    if (message !== null) context.addIssue({ code: 'custom', path: [setting], message })
  }
})

type AgentSettings = {
  readonly [K in
    | 'kind'
    | 'preset'
    | 'mode'
    | 'acp_version'
    | 'model'
    | 'args'
    | 'command'
    | 'prompt'
    | 'allow'
    | 'deny']?: unknown
}

/** Returns what is wrong with the combination of settings, keyed by the setting to change. */
function conflicts(agent: AgentSettings): Record<string, string | null> {
  if (agent.preset === undefined) return withoutPreset(agent)
  const fixed = (setting: 'kind' | 'command' | 'prompt'): string | null =>
    agent[setting] === undefined ? null : `is set by the preset: leave it out, or leave preset out.`
  return {
    kind: fixed('kind'),
    command: fixed('command'),
    prompt: fixed('prompt'),
    mode: modeProblem(agent),
    acp_version: presetVersionProblem(agent),
  }
}

function modeProblem({ preset, mode }: AgentSettings): string | null {
  const known = PRESET_IDS.find((id) => id === preset)
  if (known === undefined) return null
  const { name, print, acp } = AGENT_PROGRAMS[known]
  if (mode === 'print' && print === null) return `${name} is run over ACP only: leave mode out.`
  return mode === 'acp' && acp === null ? `${name} does not speak ACP: leave mode out.` : null
}

function presetVersionProblem({ preset, mode, acp_version: version }: AgentSettings): string | null {
  const known = PRESET_IDS.find((id) => id === preset)
  if (version === undefined || known === undefined || (mode ?? defaultMode(known)) === 'acp') return null
  return 'has no effect in print mode: add mode = "acp".'
}

function withoutPreset(agent: AgentSettings): Record<string, string | null> {
  const ofPreset = (setting: 'mode' | 'args'): string | null =>
    agent[setting] === undefined ? null : 'belongs to a preset: put it into command instead.'
  const isPlain = agent.kind !== 'acp'
  const ofAcp = (setting: 'allow' | 'deny' | 'model' | 'acp_version', instead: string): string | null =>
    agent[setting] !== undefined && isPlain ? `has no effect on a plain command: ${instead}.` : null
  return {
    mode: ofPreset('mode'),
    args: ofPreset('args'),
    prompt: agent.prompt !== undefined && !isPlain ? 'has no effect over ACP: leave it out.' : null,
    acp_version: ofAcp('acp_version', 'leave it out, or add kind = "acp"'),
    model: ofAcp('model', 'put it among the arguments'),
    allow: ofAcp('allow', 'put the grant among its arguments, or use a preset or kind = "acp"'),
    deny: ofAcp('deny', 'put the refusal among its arguments, or use a preset or kind = "acp"'),
  }
}
