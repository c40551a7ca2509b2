import { z } from 'zod'
import { modelPriceSchema } from '../activity/prices.ts'
import { each } from '../vocabulary/each.ts'
import { NOTIFICATION_KINDS } from '../vocabulary/notification.ts'
import { choiceSetting, setting, toggleSetting, wholeNumberSetting } from './setting.ts'

const clockTimeSchema = z
  .string({ error: 'a time of day such as 22:00' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'a time of day from 00:00 to 23:59, such as 22:00' })

/** In the machine's local time, `to` exclusive. If `from` is later than `to`, they span midnight. */
export const quietHoursSchema = z
  .object({ from: clockTimeSchema, to: clockTimeSchema })
  .refine(({ from, to }) => from !== to, {
    error: 'ends when it begins. Choose another time, or turn quiet hours off',
    path: ['to'],
  })

/** `settings.json`: app-wide settings. Rows with a label appear in the app's settings, in this order. */
export const APP_SETTINGS = {
  theme: choiceSetting(
    [
      ['system', 'System'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
    { default: 'system', label: 'Theme', meaning: "of the app's window and page" },
  ),
  zoom: wholeNumberSetting({
    from: 50,
    to: 300,
    default: 100,
    unit: 'percent',
    label: 'Zoom, in percent',
    hint: '50 to 300. Ctrl or ⌘ with +, − and 0 do the same.',
    meaning: "of the app's window, in percent; a browser has its own zoom",
  }),
  startAtLogin: toggleSetting({
    default: false,
    label: 'Start at login',
    hint: 'Pulseward waits in the tray. Heartbeats run only while it is running.',
    meaning: 'the desktop app registers with the system when this is set in the app',
  }),
  maxConcurrentCycles: wholeNumberSetting({
    from: 1,
    to: 64,
    default: 2,
    label: 'Parallel heartbeats',
    hint: 'Of different workspaces. Others wait.',
    meaning: 'how many heartbeats of different workspaces may run in parallel',
  }),
  editor: setting(
    z
      .array(z.string().min(1).max(1_000), { error: 'a program and its arguments' })
      .min(1, { error: 'a program and its arguments' })
      .max(20, { error: 'at most 20 words' })
      .refine((words) => words.some((word) => word.includes('{file}')), {
        error: 'contains {file}, which is replaced by the file, and optionally {line}',
      })
      .nullable(),
    {
      default: null,
      type: '`["code", "--goto", "{file}:{line}"]` or null',
      control: { kind: 'command' },
      label: 'Editor',
      hint: 'For links to files, such as code --goto {file}:{line}. If empty, the first known editor found is used.',
      meaning:
        'program that opens files of a workspace, with `{file}` and `{line}` replaced; never run through a shell. Null: the first known one on PATH',
    },
  ),
  lookForUpdates: choiceSetting(
    [
      ['never', 'Only when I ask'],
      ['weekly', 'Once a week'],
      ['daily', 'Once a day'],
    ],
    {
      default: 'never',
      label: 'Check for updates',
      meaning:
        'how often the [signed feed](installing.md#updating) is read automatically; updates are never installed automatically',
    },
  ),
  port: wholeNumberSetting({
    from: 0,
    to: 65_535,
    default: 0,
    label: 'Port',
    hint: 'On this machine only; 0 picks any free one. Takes effect after restart.',
    meaning: 'loopback port; 0 picks any free one. Takes effect after restart',
  }),
}

/** Daily limits over all workspaces, and token prices. */
export const LIMIT_SETTINGS = {
  dailyBudgetUsd: setting(
    z
      .number({ error: 'a number of US dollars' })
      .positive({ error: 'a number greater than 0' })
      .max(1_000_000, { error: 'at most 1,000,000' })
      .nullable(),
    {
      default: null,
      type: 'number > 0, at most 1,000,000, or null',
      control: { kind: 'number', unit: 'US dollars' },
      label: 'Daily budget, in US dollars',
      hint: 'For all workspaces together. Empty: no limit.',
      meaning: 'US dollars per day after which [all workspaces pause](agents.md#ceilings)',
    },
  ),
  dailyTokens: setting(
    z.int({ error: 'a whole number of tokens' }).positive({ error: 'a number greater than 0' }).nullable(),
    {
      default: null,
      type: 'whole number > 0, or null',
      control: { kind: 'number', unit: 'tokens' },
      label: 'Daily token limit',
      hint: 'For all workspaces together, read and written. Empty: no limit.',
      meaning: 'tokens per day after which all workspaces pause',
    },
  ),
  atDailyLimit: choiceSetting(
    [
      ['pause', 'Stop until the next day'],
      ['warn', 'Only notify me'],
    ],
    {
      default: 'pause',
      label: 'At that limit',
      meaning:
        'running attempts are stopped and workspaces pause until the next day; or you are notified and they continue',
    },
  ),
  prices: setting(
    z.record(z.string().min(1).max(200), modelPriceSchema, {
      error: 'a table of prices by the beginning of a model’s name',
    }),
    {
      default: {},
      type: '`{"gpt-5": {"input": 1.25, "output": 10, "cachedInput": 0.125}}`',
      control: { kind: 'text' },
      meaning:
        'US dollars per million tokens by the beginning of a model’s name; takes precedence over [the built-in table](agents.md#prices)',
    },
  ),
}

/** `notifications` of `settings.json`. */
export const NOTIFICATION_SETTINGS = {
  kinds: setting(z.object(each(NOTIFICATION_KINDS, () => z.boolean().default(true))), {
    default: each(NOTIFICATION_KINDS, () => true),
    type: 'table of true and false',
    control: { kind: 'toggle' },
    defaultWords: 'all true',
    meaning: `${NOTIFICATION_KINDS.map((kind) => `\`${kind}\``).join(', ')}: which notifications are shown`,
  }),
  quietHours: setting(quietHoursSchema.nullable(), {
    default: null,
    type: '`{"from": "22:00", "to": "08:00"}` or null',
    control: { kind: 'text' },
    meaning: "no notification between these times of the machine's day; may span midnight",
  }),
  reportAt: setting(clockTimeSchema.nullable(), {
    default: '08:00',
    type: '`"08:00"` or null',
    control: { kind: 'text' },
    meaning: "when channels get the daily report, in the machine's time; null: never",
  }),
}
