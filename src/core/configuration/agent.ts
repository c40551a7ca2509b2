import { z } from 'zod'
import { MAX_RULE_LENGTH, parsePermissionRule, TOOL_KINDS } from '../activity/permission-rule.ts'
import { PRESET_IDS } from '../agents/programs.ts'
import { command, ENVIRONMENT_NAME, environment, oneOf, plainText, text } from './expect.ts'
import {
  choiceSetting,
  linesSetting,
  numberSetting,
  setting,
  textSetting,
  wholeNumberSetting,
} from './setting.ts'

/** A host as it appears in an address: no scheme, no path; `*.` includes all subdomains. */
const HOST_NAME = /^(\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/

/** Returns a schema that accepts all hosts, none, or a list. */
function network() {
  const error = 'one of "all", "none", or a list of hosts such as ["api.example.org"]'
  const host = text('the name of a host, such as "api.example.org" or "*.example.org"', HOST_NAME, 253)
  return z.union(
    [z.enum(['all', 'none'], { error }), z.array(host, { error }).min(1, { error }).max(200, { error })],
    { error },
  )
}

function paths(what: string, row: { label: string; hint: string; meaning: string }) {
  return linesSetting({
    ...row,
    default: [],
    one: 'an absolute path, or one that begins with "~/"',
    pattern: /^(?:\/|~\/|~$)[^\0]*$/,
    all: `a list of paths ${what}, such as ["~/notes"]`,
    most: 200,
    noun: 'paths',
    type: 'list of paths',
  })
}

/** `[agent]`: either a preset, or kind and command. The parser checks which settings go together. */
export const AGENT_SETTINGS = {
  preset: setting(oneOf(PRESET_IDS), {
    type: PRESET_IDS.map((id) => `\`"${id}"\``).join(', '),
    control: {
      kind: 'choice',
      unset: 'none: use my own command',
      options: PRESET_IDS.map((id) => [id, id] as const),
    },
    label: 'Preset',
    hint: 'A known agent with everything set up. Without one, write the command yourself.',
    meaning: 'a known agent: sets command, kind and prompt',
  }),
  id: textSetting({
    expected: 'a name of letters, digits, ".", "_" and "-" (at most 64)',
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    maximumLength: 64,
    type: 'letters, digits, `.`, `_`, `-`; at most 64',
    label: 'Name',
    hint: 'Shown in attempts and profiles. Empty: the program’s name.',
    meaning: 'names the agent in attempts and [profiles](interventions.md#profile)',
    defaultWords: "the preset, or the program's name",
  }),
  account: textSetting({
    expected: 'a name of letters, digits, ".", "_" and "-" (at most 64)',
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    maximumLength: 64,
    type: 'letters, digits, `.`, `_`, `-`; at most 64',
    label: 'Account',
    hint: 'Workspaces on the same account wait together when its limit is reached. Empty: the program’s login.',
    meaning:
      'names the account: when its service reports a limit, all workspaces on it are [parked](unattended.md) together',
    defaultWords: "the known program's login; for another command, one per folder",
  }),
  window_share: numberSetting({
    from: 0,
    to: 1,
    above: true,
    label: 'Share of a window',
    hint: 'How much of a new usage window of its account it may use; 0.5 is half. Empty: all of it.',
    meaning:
      'how much of a new [window](unattended.md) of its account the workspace may use, relative to the fullest one so far; 0.5 is half',
    defaultWords: 'all of it',
  }),
  command: setting(command(), {
    type: 'list of strings',
    control: { kind: 'command' },
    label: 'Command',
    hint: 'Instead of a preset. Never passed to a shell.',
    meaning: 'the program and its arguments',
    defaultWords: 'required without `preset`',
  }),
  kind: choiceSetting(
    [
      ['command', 'a command'],
      ['acp', 'Agent Client Protocol'],
    ],
    { meaning: 'the protocol of `command`', defaultWords: '`"command"`' },
  ),
  model: textSetting({
    expected: 'the name of a model',
    pattern: /^[^\0\s-][^\0\s]*$/,
    maximumLength: 200,
    type: 'text',
    label: 'Model',
    hint: 'Empty: the agent’s own default.',
    meaning: 'for a preset, or over ACP',
    defaultWords: "the agent's default",
  }),
  mode: choiceSetting(
    [
      ['print', 'one prompt, printed answer'],
      ['acp', 'Agent Client Protocol'],
    ],
    {
      unset: 'the preset’s default',
      label: 'Protocol',
      meaning: 'for a preset: one run per prompt, or the Agent Client Protocol',
      defaultWords: '`"print"` if the preset supports it',
    },
  ),
  acp_version: wholeNumberSetting({
    from: 1,
    to: 2,
    meaning: 'over ACP: the version of the protocol; 2 is a [draft](agents.md#agent-client-protocol)',
    defaultWords: '1',
  }),
  args: setting(
    z
      .array(plainText(), { error: 'a list of arguments, such as ["--verbose"]' })
      .max(100, { error: 'at most 100 arguments' }),
    {
      type: 'list of strings',
      control: { kind: 'command' },
      meaning: 'for a preset: added to its arguments',
      defaultWords: '`[]`',
    },
  ),
  prompt: choiceSetting(
    [
      ['stdin', 'on standard input'],
      ['argument', 'as the last argument'],
    ],
    {
      meaning:
        'for a command: how it gets the prompt: on standard input, which is then closed, or as the last argument (at most 120 KiB; 30,000 bytes on Windows)',
      defaultWords: '`"stdin"`',
    },
  ),
  env: setting(environment(), {
    default: {},
    type: 'table of strings',
    control: { kind: 'text' },
    meaning: 'added to its environment, see [below](#the-agents-environment)',
  }),
  pass_env: linesSetting({
    default: [],
    one: 'the name of an environment variable (letters, digits and "_")',
    pattern: ENVIRONMENT_NAME,
    maximumLength: 200,
    all: 'a list of environment variables, such as ["MY_API_KEY"]',
    most: 100,
    noun: 'environment variables',
    type: 'list of names',
    meaning: 'inherited variables that look like secrets but are passed on',
  }),
  allow: setting(permissionRules(), {
    type: 'list of [permissions](agents.md#permissions)',
    control: { kind: 'lines' },
    label: 'Allowed without asking',
    hint: 'One per line: edit, edit:src/**, execute:npm test, fetch.',
    meaning: 'what the agent may do without asking',
    defaultWords: '`["edit"]` for a preset, `[]` for `kind = "acp"`',
  }),
  deny: setting(permissionRules(), {
    type: 'list of permissions',
    control: { kind: 'lines' },
    label: 'Never allowed',
    hint: 'Takes precedence over what is allowed above.',
    meaning: 'what it may not do; takes precedence over `allow`',
    defaultWords: '`[]`',
  }),
  permission_timeout_seconds: wholeNumberSetting({
    from: 1,
    to: 3600,
    default: 60,
    unit: 'seconds',
    meaning: 'over ACP: how long the operator has to answer before a request counts as denied',
  }),
  daily_budget_usd: numberSetting({
    from: 0,
    to: 1_000_000,
    above: true,
    unit: 'US dollars',
    label: 'Daily budget',
    hint: 'The workspace pauses when it is used up. You are notified at 80 %. Empty: no limit.',
    meaning:
      'US dollars per local day, reported or estimated from the price table, after which the [workspace pauses](agents.md#ceilings)',
    defaultWords: 'no limit',
  }),
  daily_tokens: wholeNumberSetting({
    from: 1,
    to: 1_000_000_000_000,
    unit: 'tokens',
    label: 'Daily limit',
    hint: 'The workspace pauses when it is reached. You are notified at 80 %. Empty: no limit.',
    meaning: 'tokens read and written per local day, after which the workspace pauses',
    defaultWords: 'no limit',
  }),
  at_daily_limit: choiceSetting(
    [
      ['pause', 'stop until the next day'],
      ['warn', 'only notify me'],
    ],
    {
      default: 'pause',
      label: 'At the daily limit',
      meaning:
        'at a daily limit, running attempts are stopped and the workspace pauses until the next day; or you are notified and it continues',
    },
  ),
  attempt_tokens: wholeNumberSetting({
    from: 1,
    to: 1_000_000_000,
    unit: 'tokens',
    label: 'Limit per attempt',
    hint: 'An attempt that reaches it is stopped. Empty: no limit.',
    meaning:
      'tokens read and written, after which a [running attempt is stopped](agents.md#ceilings), if the program reports them while it works',
    defaultWords: 'no limit',
  }),
  attempt_budget_usd: numberSetting({
    from: 0,
    to: 1_000_000,
    above: true,
    unit: 'US dollars',
    label: 'Budget per attempt',
    hint: 'An attempt that reaches it is stopped. Empty: no limit.',
    meaning:
      'US dollars after which a [running attempt is stopped](agents.md#ceilings), if the program reports cost while it works',
    defaultWords: 'no limit',
  }),
  sandbox: choiceSetting(
    [
      ['auto', 'if this machine supports it'],
      ['required', 'always: don’t run without it'],
      ['off', 'no'],
    ],
    {
      default: 'auto',
      label: 'Sandbox',
      meaning:
        'sandboxed if this machine supports it; never run without; never sandboxed. See [the sandbox](sandbox.md)',
    },
  ),
  network: setting(network(), {
    default: 'all',
    type: '`"all"`, `"none"`, list of hosts',
    control: { kind: 'lines' },
    meaning: 'what the agent can reach; anything but `"all"` requires the sandbox',
  }),
  checks_network: choiceSetting(
    [
      ['agent', 'same as the agent'],
      ['all', 'everything'],
    ],
    {
      default: 'agent',
      label: 'Network for checks',
      meaning:
        'what probes and gates can reach: no more than the agent whose work they run, or everything. A `url` and programs that read external services (`curl`, `gh`, `psql` …) can reach everything',
    },
  ),
  hide: paths('hidden from the agent', {
    label: 'Hidden from the agent',
    hint: 'Paths, one per line, in addition to the defaults; ~/ is the home folder.',
    meaning:
      'hidden from the agent in addition to [the defaults](sandbox.md#hidden); `~/` is the home folder',
  }),
  writable: paths('that the agent may write to', {
    label: 'Writable outside the workspace',
    hint: 'Paths, one per line.',
    meaning: 'paths outside the workspace that the agent may write to',
  }),
}

function permissionRules() {
  const error = `an entry such as "edit", "edit:src/**", "execute:npm test" or "fetch" (tools: ${TOOL_KINDS.join(', ')}; at most ${MAX_RULE_LENGTH} characters)`
  return z
    .array(
      z.string({ error }).refine((entry) => parsePermissionRule(entry) !== null, { error: ruleProblem }),
      { error: 'a list of permissions, such as ["edit", "execute:npm test"]' },
    )
    .max(100, { error: 'at most 100 permissions' })
}

function ruleProblem(issue: { readonly input?: unknown }): string {
  const entry = typeof issue.input === 'string' ? issue.input.slice(0, 60) : ''
  return `${JSON.stringify(entry)} is not a permission. Expected a tool (${TOOL_KINDS.join(', ')}), alone or with what it is limited to: "edit", "execute:npm test", "edit:src/**".`
}
