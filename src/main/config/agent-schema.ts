import { z } from 'zod'
import { MAX_RULE_LENGTH, parsePermissionRule, TOOL_KINDS } from '../../core/activity/permission-rule.ts'
import { AGENT_PROGRAMS, PRESET_IDS } from '../../core/agents/programs.ts'
import { DEFAULT_SANDBOX, SANDBOX_SETTINGS } from '../ports/containment.ts'
import {
  command,
  ENVIRONMENT_NAME,
  environment,
  number,
  oneOf,
  plainText,
  table,
  text,
  wholeNumber,
} from './expect.ts'

/*
 * `[agent]`: either a preset, or kind and command. A setting that would have no effect on the agent it stands beside is a
 * mistake: the operator would take it for granted.
 */

function permissionRules() {
  const error = `an entry such as "edit", "edit:src/**", "execute:npm test" or "fetch" (tools: ${TOOL_KINDS.join(', ')}; at most ${MAX_RULE_LENGTH} characters)`
  return z
    .array(
      z.string({ error }).refine((entry) => parsePermissionRule(entry) !== null, { error: ruleProblem }),
      {
        error: 'a list of permissions, such as ["edit", "execute:npm test"]',
      },
    )
    .max(100, { error: 'at most 100 permissions' })
    .optional()
}

function ruleProblem(issue: { readonly input?: unknown }): string {
  const entry = typeof issue.input === 'string' ? issue.input.slice(0, 60) : ''
  return `${JSON.stringify(entry)} is no permission. Expected a tool (${TOOL_KINDS.join(', ')}), alone or with what it is limited to: "edit", "execute:npm test", "edit:src/**".`
}

/** A host as it stands in an address: no scheme, no path; `*.` takes all below it. */
const hostName = /^(\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/

function networkSetting() {
  const error = 'one of "all", "none", or a list of hosts such as ["api.example.org"]'
  const host = text('the name of a host, such as "api.example.org" or "*.example.org"', hostName, 253)
  return z.union(
    [z.enum(['all', 'none'], { error }), z.array(host, { error }).min(1, { error }).max(200, { error })],
    {
      error,
    },
  )
}

function paths(what: string) {
  return z
    .array(text('an absolute path, or one that begins with "~/"', /^(?:\/|~\/|~$)[^\0]*$/, 4096), {
      error: `a list of paths ${what}, such as ["~/notes"]`,
    })
    .max(200, { error: 'at most 200 paths' })
}

export const agentSchema = table(
  {
    id: text(
      'a name of letters, digits, ".", "_" and "-" (at most 64)',
      /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
      64,
    ).optional(),
    kind: oneOf(['command', 'acp']).optional(),
    preset: oneOf(PRESET_IDS).optional(),
    mode: oneOf(['print', 'acp']).optional(),
    model: text('the name of a model', /^[^\0\s-][^\0\s]*$/, 200).optional(),
    args: z
      .array(plainText(), { error: 'a list of arguments, such as ["--verbose"]' })
      .max(100, { error: 'at most 100 arguments' })
      .optional(),
    command: command().optional(),
    prompt: oneOf(['stdin', 'argument']).optional(),
    env: environment().default({}),
    pass_env: z
      .array(text('the name of an environment variable (letters, digits and "_")', ENVIRONMENT_NAME, 200), {
        error: 'a list of environment variables, such as ["MY_API_KEY"]',
      })
      .max(100, { error: 'at most 100 environment variables' })
      .default([]),
    allow: permissionRules(),
    deny: permissionRules(),
    permission_timeout_seconds: wholeNumber({ from: 1, to: 3600 }).default(60),
    sandbox: oneOf(SANDBOX_SETTINGS).default(DEFAULT_SANDBOX.sandbox),
    network: networkSetting().default('all'),
    hide: paths('hidden from the agent').default([]),
    writable: paths('that the agent may write to').default([]),
    daily_budget_usd: number({ from: 0, to: 1_000_000, above: true }).optional(),
  },
  'a section [agent] with command = ["program", "argument"] or preset = "claude"',
).superRefine((agent, context) => {
  if (agent.preset === undefined && agent.command === undefined) {
    context.addIssue({
      code: 'invalid_type',
      expected: 'array',
      path: ['command'],
      message:
        'a program and its arguments as a list of texts, such as ["npm", "test"], or preset = "claude" instead of it',
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
    | 'model'
    | 'args'
    | 'command'
    | 'prompt'
    | 'allow'
    | 'deny']?: unknown
}

/** What is wrong with settings that go together or do not, by the setting to change. */
function conflicts(agent: AgentSettings): Record<string, string | null> {
  if (agent.preset === undefined) return withoutPreset(agent)
  const fixed = (setting: 'kind' | 'command' | 'prompt'): string | null =>
    agent[setting] === undefined ? null : `is set by the preset: leave it out, or leave preset out.`
  return { kind: fixed('kind'), command: fixed('command'), prompt: fixed('prompt'), mode: modeProblem(agent) }
}

function modeProblem({ preset, mode }: AgentSettings): string | null {
  const known = PRESET_IDS.find((id) => id === preset)
  if (known === undefined) return null
  const { name, print, acp } = AGENT_PROGRAMS[known]
  if (mode === 'print' && print === null) return `${name} is run over ACP only: leave mode out.`
  return mode === 'acp' && acp === null ? `${name} does not speak ACP: leave mode out.` : null
}

function withoutPreset(agent: AgentSettings): Record<string, string | null> {
  const ofPreset = (setting: 'mode' | 'args'): string | null =>
    agent[setting] === undefined ? null : 'belongs to a preset: put it into command instead.'
  const isPlain = agent.kind !== 'acp'
  const ofAcp = (setting: 'allow' | 'deny' | 'model', instead: string): string | null =>
    agent[setting] !== undefined && isPlain ? `has no effect on a plain command: ${instead}.` : null
  return {
    mode: ofPreset('mode'),
    args: ofPreset('args'),
    prompt: agent.prompt !== undefined && !isPlain ? 'has no effect over ACP: leave it out.' : null,
    model: ofAcp('model', 'put it among the arguments'),
    allow: ofAcp('allow', 'put the grant among its arguments, or use a preset or kind = "acp"'),
    deny: ofAcp('deny', 'put the refusal among its arguments, or use a preset or kind = "acp"'),
  }
}
