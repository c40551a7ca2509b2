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

/** A host as it stands in an address: no scheme, no path; `*.` takes all below it. */
const HOST_NAME = /^(\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/

/** All, none, or these hosts. */
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

/** `[agent]`: either a preset, or kind and command. Which of them go together is the parser's to say. */
export const AGENT_SETTINGS = {
  preset: setting(oneOf(PRESET_IDS), {
    type: PRESET_IDS.map((id) => `\`"${id}"\``).join(', '),
    control: {
      kind: 'choice',
      unset: 'none: a command of my own',
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
    hint: 'In attempts and profiles. Empty: the program’s name.',
    meaning: 'name of the agent in attempts and [profiles](interventions.md#profile)',
    defaultWords: "the preset, or the program's name",
  }),
  account: textSetting({
    expected: 'a name of letters, digits, ".", "_" and "-" (at most 64)',
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    maximumLength: 64,
    type: 'letters, digits, `.`, `_`, `-`; at most 64',
    label: 'Account',
    hint: 'Workspaces on the same account wait for its limit together. Empty: the program’s login.',
    meaning:
      'name of the account. All workspaces on it are [parked](unattended.md#limits-whose-end-is-known) together when its service states a limit',
    defaultWords: "the known program's login; for any other command, this folder alone",
  }),
  window_share: numberSetting({
    from: 0,
    to: 1,
    above: true,
    label: 'Share of a window',
    hint: 'What it may use of a fresh window of its account; 0.5 is half. Empty: all of it.',
    meaning:
      'share of a fresh [window](unattended.md#limits-whose-end-is-known) of its account that this workspace may use, measured by the fullest window seen; 0.5 is half',
    defaultWords: 'all of it',
  }),
  command: setting(command(), {
    type: 'list of texts',
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
    { meaning: 'protocol of `command`', defaultWords: '`"command"`' },
  ),
  model: textSetting({
    expected: 'the name of a model',
    pattern: /^[^\0\s-][^\0\s]*$/,
    maximumLength: 200,
    type: 'text',
    label: 'Model',
    hint: 'Empty: the agent’s own default.',
    meaning: 'model to ask for, with a preset or over ACP',
    defaultWords: "the agent's own",
  }),
  mode: choiceSetting(
    [
      ['print', 'one prompt, printed answer'],
      ['acp', 'Agent Client Protocol'],
    ],
    {
      unset: 'as the preset does',
      label: 'Spoken with',
      meaning: 'with a preset: one run per prompt, or the Agent Client Protocol',
      defaultWords: '`"print"` if the preset has it',
    },
  ),
  args: setting(
    z
      .array(plainText(), { error: 'a list of arguments, such as ["--verbose"]' })
      .max(100, { error: 'at most 100 arguments' }),
    {
      type: 'list of texts',
      control: { kind: 'command' },
      meaning: 'added to the arguments of a preset',
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
        'how a command gets the prompt: on standard input, which is then closed, or as the last argument (at most 120 KiB; 30,000 bytes on Windows)',
      defaultWords: '`"stdin"`',
    },
  ),
  env: setting(environment(), {
    default: {},
    type: 'table of texts',
    control: { kind: 'text' },
    meaning: 'added to its [environment](#the-agents-environment)',
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
    meaning: 'inherited variables to pass on although they look like secrets',
  }),
  allow: setting(permissionRules(), {
    type: 'list of [permissions](agents.md#permissions)',
    control: { kind: 'lines' },
    label: 'Allowed without asking',
    hint: 'One a line: edit, edit:src/**, execute:npm test, fetch.',
    meaning: 'what the agent may do without being asked',
    defaultWords: '`["edit"]` for a preset, `[]` for `kind = "acp"`',
  }),
  deny: setting(permissionRules(), {
    type: 'list of permissions',
    control: { kind: 'lines' },
    label: 'Never allowed',
    hint: 'Whatever is allowed above.',
    meaning: 'what the agent may never do, whatever `allow` says',
    defaultWords: '`[]`',
  }),
  permission_timeout_seconds: wholeNumberSetting({
    from: 1,
    to: 3600,
    default: 60,
    unit: 'seconds',
    meaning: 'over ACP: how long you have to answer before a request counts as denied',
  }),
  daily_budget_usd: numberSetting({
    from: 0,
    to: 1_000_000,
    above: true,
    unit: 'US dollars',
    label: 'Daily budget',
    hint: 'The workspace pauses once it is spent; at 80 % you are notified. Empty: no limit.',
    meaning:
      'US dollars per local day after which the [workspace pauses](agents.md#ceilings), as reported or estimated from the price table',
    defaultWords: 'no limit',
  }),
  daily_tokens: wholeNumberSetting({
    from: 1,
    to: 1_000_000_000_000,
    unit: 'tokens',
    label: 'Tokens of a day',
    hint: 'The workspace pauses once so many are used; at 80 % you are notified. Empty: no limit.',
    meaning: 'tokens per local day, read and written, after which the workspace pauses',
    defaultWords: 'no limit',
  }),
  at_daily_limit: choiceSetting(
    [
      ['pause', 'stop until the next day'],
      ['warn', 'only notify me'],
    ],
    {
      default: 'pause',
      label: 'At the day’s limit',
      meaning:
        '`pause`: end the running attempt and pause the workspace until the next day; `warn`: only notify you',
    },
  ),
  attempt_tokens: wholeNumberSetting({
    from: 1,
    to: 1_000_000_000,
    unit: 'tokens',
    label: 'Tokens of an attempt',
    hint: 'An attempt that has used so many is ended. Empty: no limit.',
    meaning:
      'tokens, read and written, after which a [running attempt is ended](agents.md#ceilings), if the program reports them while it works',
    defaultWords: 'no limit',
  }),
  attempt_budget_usd: numberSetting({
    from: 0,
    to: 1_000_000,
    above: true,
    unit: 'US dollars',
    label: 'Cost of an attempt',
    hint: 'An attempt that has cost as much is ended. Empty: no limit.',
    meaning:
      'US dollars after which a [running attempt is ended](agents.md#ceilings), if the program reports cost while it works',
    defaultWords: 'no limit',
  }),
  sandbox: choiceSetting(
    [
      ['auto', 'where this machine can'],
      ['required', 'always: not run without'],
      ['off', 'no'],
    ],
    {
      default: 'auto',
      label: 'Contained',
      meaning:
        '`auto`: use the [sandbox](sandbox.md) if this machine has one; `required`: do not run without it; `off`: never use it',
    },
  ),
  network: setting(network(), {
    default: 'all',
    type: '`"all"`, `"none"`, list of hosts',
    control: { kind: 'lines' },
    meaning: 'hosts the agent can reach; anything other than `"all"` needs the sandbox',
  }),
  checks_network: choiceSetting(
    [
      ['agent', 'what the agent reaches'],
      ['all', 'everything'],
    ],
    {
      default: 'agent',
      label: 'Reached by checks',
      meaning:
        'network for probes and gates: `agent`: no more than the agent whose work they run; `all`: everything. A `url` probe and programs that read the outside world (`curl`, `gh`, `psql` …) always reach everything',
    },
  ),
  hide: paths('hidden from the agent', {
    label: 'Hidden from it',
    hint: 'Paths, one a line, beside the usual; ~/ is the home folder.',
    meaning:
      'hidden from the agent, in addition to the [defaults](sandbox.md#hidden); `~/` is the home folder',
  }),
  writable: paths('that the agent may write to', {
    label: 'Written outside the workspace',
    hint: 'Paths, one a line.',
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
  return `${JSON.stringify(entry)} is no permission. Expected a tool (${TOOL_KINDS.join(', ')}), alone or with what it is limited to: "edit", "execute:npm test", "edit:src/**".`
}
