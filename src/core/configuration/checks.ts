import { z } from 'zod'
import { PRESET_IDS } from '../agents/programs.ts'
import { REPORT_FORMATS } from '../reports/test-report.ts'
import { DAY_SECONDS } from './adaptive-timeout.ts'
import { command, environment, environmentNames, oneOf, plainText } from './expect.ts'
import { gateSchema } from './gate-entry.ts'
import { CHECK_SECONDS, TEST_SECONDS } from './limits.ts'
import { linesSetting, numberSetting, setting, textSetting } from './setting.ts'

/** How a probe's value is read. The last are the reports of test runners. */
export const PROBE_PARSES = ['number', 'text', 'json', 'exit', ...REPORT_FORMATS] as const

/** Where a probe reads, by the setting that names it; a probe has exactly one of them. */
export const PROBE_SOURCES = ['command', 'file', 'url'] as const

export type ProbeSource = (typeof PROBE_SOURCES)[number]

/** What a check is given beside the [environment](#environment-of-checks) of all of them. */
const CHECK_VARIABLES = {
  env: setting(environment(), {
    type: 'table of texts',
    control: { kind: 'text' },
    meaning: "added to the command's [environment](#environment-of-checks)",
  }),
  env_from: setting(environmentNames(), {
    type: 'list of names',
    control: { kind: 'lines' },
    label: 'Secrets it gets',
    hint: 'Variables of your environment that look like secrets, one a line. The agent’s code runs in checks and can read them.',
    meaning: 'variables of your environment to pass on although they look like secrets: `["DEPLOY_TOKEN"]`',
    defaultWords: 'none',
  }),
}

/** One `[probes.NAME]`. */
export const PROBE_SETTINGS = {
  command: setting(command(), {
    type: 'list of texts',
    control: { kind: 'command' },
    label: 'Program',
    hint: 'Run without a shell; quotes keep words together.',
    meaning: 'the value is what it prints; exactly one of `command`, `file` and `url`',
  }),
  file: textSetting({
    expected: 'the path of a file',
    type: 'path',
    label: 'File',
    hint: 'From the workspace.',
    meaning: 'the value is its content. A relative path may not leave the workspace',
  }),
  url: setting(
    z
      .url({ protocol: /^https?$/, error: 'an address that starts with http:// or https://' })
      .max(4096, { error: 'an address of at most 4096 characters' }),
    {
      type: 'http(s) address',
      control: { kind: 'text' },
      label: 'Address',
      hint: 'Asked by GET.',
      meaning: 'the value is the response to a GET',
    },
  ),
  parse: setting(oneOf(PROBE_PARSES), {
    default: 'text',
    type: PROBE_PARSES.map((parse) => `\`"${parse}"\``).join(', '),
    control: { kind: 'choice', options: PROBE_PARSES.map((parse) => [parse, parse] as const) },
    label: 'Read as',
    meaning:
      "`number`: the whole output is one number; `text`: trimmed; `exit`: the command's exit code; the others: a [test report](#test-reports)",
  }),
  path: textSetting({
    expected: 'the place of the value in the JSON, such as "tests.passed"',
    type: 'text such as `"tests.passed"`',
    label: 'Place of the value',
    hint: 'Such as tests.passed; empty for the whole of it.',
    meaning: 'with `json`: path to the value',
    defaultWords: 'whole value',
  }),
  tolerance: numberSetting({
    from: 0,
    to: 1_000_000_000,
    label: 'Tolerance',
    hint: 'How far a claimed number may lie from the measured one, counted as the number is: 3 lets 103 stand for 100.',
    meaning: 'how far a claimed number may differ from the measured one, in the same unit, and still agree',
    defaultWords: 'a billionth of the number',
  }),
  timeout_seconds: numberSetting({
    from: 0,
    to: 3600,
    above: true,
    unit: 'seconds',
    label: 'Timeout',
    meaning: 'after this, the probe has no value',
    defaultWords: `${CHECK_SECONDS}; ${TEST_SECONDS} for a report`,
  }),
  ...CHECK_VARIABLES,
}

export const GATE_SETTINGS = {
  commands: setting(
    z
      .array(gateSchema, { error: 'a list of commands, such as [["npm", "test"]]' })
      .max(50, { error: 'at most 50 commands' }),
    {
      default: [],
      type: 'list of commands',
      control: { kind: 'commands' },
      label: 'Commands',
      hint: 'One a line, such as npm test.',
      meaning:
        'checks that every task must pass, run in order unless the attempt has already failed: `[["npm", "test"]]`. One with its own settings is a table: `{ command = ["pytest"], env = { CI = "1" }, env_from = ["DEPLOY_TOKEN"], timeout_seconds = 900 }`',
    },
  ),
  timeout_seconds: numberSetting({
    from: 0,
    to: DAY_SECONDS,
    above: true,
    default: TEST_SECONDS,
    unit: 'seconds',
    label: 'Timeout of each',
    meaning: 'for each gate, and for each `succeeds(…)` in a check',
  }),
}

export const JUDGE_SETTINGS = {
  command: setting(command(), {
    type: 'list of texts',
    control: { kind: 'command' },
    label: 'Program',
    hint: 'It gets the question on standard input and ends with {"verdict", "reason"}.',
    meaning: 'asked when a check is only words',
    defaultWords: 'no judge',
  }),
  preset: setting(oneOf(PRESET_IDS), {
    type: PRESET_IDS.map((id) => `\`"${id}"\``).join(', '),
    control: { kind: 'choice', options: PRESET_IDS.map((id) => [id, id] as const), unset: 'none' },
    label: 'Agent',
    hint: 'A known one instead of a program, with no permission to change anything.',
    meaning: 'instead of `command`: a known agent, asked with no permission to change anything',
  }),
  timeout_seconds: numberSetting({
    from: 0,
    to: DAY_SECONDS,
    above: true,
    default: CHECK_SECONDS,
    unit: 'seconds',
    label: 'Timeout',
    meaning: 'after this, the judge has given no verdict',
  }),
  ...CHECK_VARIABLES,
}

export const VERIFICATION_SETTINGS = {
  commands: linesSetting({
    default: [],
    one: 'a command as it stands in the hint, such as "npm test"',
    all: 'a list of the commands that hints may run, such as ["npm test"]',
    most: 200,
    noun: 'commands',
    label: 'Allowed in succeeds("…")',
    hint: 'One a line, word for word as it stands in the hint.',
    type: 'list of texts',
    meaning: 'the only commands that `succeeds("…")` in checks may run, word for word: `["npm test"]`',
  }),
}

/** `[claims]`: what the words of a description stand for where a change is verified. */
export const CLAIM_SETTINGS = {
  boxes: setting(
    z.record(plainText(), plainText(), {
      error:
        'a table of boxes with the gate or probe that each stands for, such as { "Tests pass" = "npm test" }',
    }),
    {
      default: {},
      type: 'table',
      control: { kind: 'lines' },
      meaning:
        'what a ticked box in a pull request template claims: maps the text of the box to a gate (its command) or a probe: `{ "Tests pass" = "npm test" }`; see [verify](verify.md)',
    },
  ),
}
