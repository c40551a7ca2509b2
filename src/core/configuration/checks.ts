import { z } from 'zod'
import { PRESET_IDS } from '../agents/programs.ts'
import { REPORT_FORMATS } from '../reports/test-report.ts'
import { DAY_SECONDS } from './adaptive-timeout.ts'
import { command, environment, environmentNames, oneOf, plainText } from './expect.ts'
import { gateSchema } from './gate-entry.ts'
import { CHECK_SECONDS, TEST_SECONDS } from './limits.ts'
import {
  choiceSetting,
  linesSetting,
  numberSetting,
  setting,
  textSetting,
  wholeNumberSetting,
} from './setting.ts'

/** How a probe's value is parsed. The last formats are reports of test runners. */
export const PROBE_PARSES = ['number', 'text', 'json', 'exit', ...REPORT_FORMATS] as const

/** What a probe reads, by the setting that names it; a probe has exactly one of them. */
export const PROBE_SOURCES = ['command', 'file', 'url'] as const

export type ProbeSource = (typeof PROBE_SOURCES)[number]

/** Variables that a check gets in addition to the [environment](#environment-of-checks) of all checks. */
const CHECK_VARIABLES = {
  env: setting(environment(), {
    type: 'table of strings',
    control: { kind: 'text' },
    meaning: "added to the command's [environment](#environment-of-checks)",
  }),
  env_from: setting(environmentNames(), {
    type: 'list of names',
    control: { kind: 'lines' },
    label: 'Secrets it gets',
    hint: 'Variables of your environment that look like secrets, one per line. The agent’s code runs in checks and can read them.',
    meaning: 'variables of your environment that look like secrets but are passed on: `["DEPLOY_TOKEN"]`',
    defaultWords: 'none',
  }),
}

/** One `[probes.NAME]`. */
export const PROBE_SETTINGS = {
  command: setting(command(), {
    type: 'list of strings',
    control: { kind: 'command' },
    label: 'Program',
    hint: 'Run without a shell; quotes keep words together.',
    meaning: 'the value is what it prints; exactly one of `command`, `file` and `url`',
  }),
  file: textSetting({
    expected: 'the path of a file',
    type: 'path',
    label: 'File',
    hint: 'Relative to the workspace.',
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
      hint: 'Requested with GET.',
      meaning: 'the value is the response to a GET request',
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
    expected: 'the path of the value in the JSON, such as "tests.passed"',
    type: 'text such as `"tests.passed"`',
    label: 'Path of the value',
    hint: 'Such as tests.passed; empty for the whole value.',
    meaning: 'with `json`: the path of the value',
    defaultWords: 'whole value',
  }),
  reads: choiceSetting(
    [
      ['tree', 'only files of the repository'],
      ['world', 'more than files'],
    ],
    {
      label: 'Depends on',
      hint: 'If only files decide its value, it is not read again before an attempt while no file has changed.',
      meaning:
        'with `command`: what decides its value. `"tree"`: only files of the repository, so it is [not run again](performance.md#checks-that-are-not-run-again) while nothing has changed; `"world"`: more than that',
      defaultWords: '`"tree"` for a report, else `"world"`',
      unset: 'as usual for what it reads',
    },
  ),
  tolerance: numberSetting({
    from: 0,
    to: 1_000_000_000,
    label: 'Tolerance',
    hint: 'How far a claimed number may be from the measured one, in the number’s own unit: 3 accepts 103 for 100.',
    meaning:
      'how far a claimed number may be from the measured one and still agree, in the number’s own unit',
    defaultWords: 'a billionth of it',
  }),
  timeout_seconds: numberSetting({
    from: 0,
    to: 3600,
    above: true,
    unit: 'seconds',
    label: 'Timeout',
    meaning: 'after which it has no value',
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
      hint: 'One per line, such as npm test.',
      meaning:
        'checks of the whole workspace, run [one after the other](performance.md#checks-side-by-side) unless the attempt is already known to have failed: `[["npm", "test"]]`; one with its own settings is a table: `{ command = ["pytest"], env = { CI = "1" }, env_from = ["DEPLOY_TOKEN"], timeout_seconds = 900 }`',
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
    type: 'list of strings',
    control: { kind: 'command' },
    label: 'Program',
    hint: 'It gets the question on standard input and must end its output with {"verdict", "reason"}.',
    meaning: 'asked if a check consists of words only',
    defaultWords: 'no judge',
  }),
  preset: setting(oneOf(PRESET_IDS), {
    type: PRESET_IDS.map((id) => `\`"${id}"\``).join(', '),
    control: { kind: 'choice', options: PRESET_IDS.map((id) => [id, id] as const), unset: 'none' },
    label: 'Agent',
    hint: 'A known agent instead of a program, without permission to change anything.',
    meaning:
      'instead of `command`: a known agent with a print mode, asked without permission to change anything',
  }),
  timeout_seconds: numberSetting({
    from: 0,
    to: DAY_SECONDS,
    above: true,
    default: CHECK_SECONDS,
    unit: 'seconds',
    label: 'Timeout',
    meaning: 'after which it has given no verdict',
  }),
  ...CHECK_VARIABLES,
}

export const VERIFICATION_SETTINGS = {
  commands: linesSetting({
    default: [],
    one: 'a command exactly as in the check, such as "npm test"',
    all: 'a list of the commands that checks may run, such as ["npm test"]',
    most: 200,
    noun: 'commands',
    label: 'Allowed in succeeds("…")',
    hint: 'One per line, exactly as in the check.',
    type: 'list of strings',
    meaning: 'the only commands that `succeeds("…")` in checks may run, verbatim: `["npm test"]`',
  }),
  parallel: wholeNumberSetting({
    from: 1,
    to: 32,
    default: 1,
    label: 'Parallel checks',
    hint: 'How many checks that depend only on files run at the same time. Raise it only if they share no port and no file that they write.',
    meaning:
      'how many checks that depend only on files (test reports, and probes with `reads = "tree"`) run at the same time, at most one per core; every other gate and command [runs alone](performance.md#checks-side-by-side)',
  }),
}

/** `[claims]`: what phrases in a pull request's description mean when a change is verified. */
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
        'boxes of a pull request’s template, by their text, with the gate (its command) or the probe that a checked box claims to pass: `{ "Tests pass" = "npm test" }`; see [verify](verify.md)',
    },
  ),
}
