import { z } from 'zod'
import { modelPriceSchema } from '../activity/prices.ts'
import { each } from '../vocabulary/each.ts'
import { NOTIFICATION_KINDS } from '../vocabulary/notification.ts'
import { choiceSetting, setting, toggleSetting, wholeNumberSetting } from './setting.ts'

const clockTimeSchema = z
  .string({ error: 'a time of day such as 22:00' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'a time of day from 00:00 to 23:59, such as 22:00' })

/** In the machine's local time, `to` exclusive; `from` later than `to` spans midnight. */
export const quietHoursSchema = z
  .object({ from: clockTimeSchema, to: clockTimeSchema })
  .refine(({ from, to }) => from !== to, {
    error: 'ends when it begins: choose another time, or turn quiet hours off',
    path: ['to'],
  })

/** `settings.json`: what holds for the whole app. A row with a label shows in the app's settings, in this order. */
export const APP_SETTINGS = {
  theme: choiceSetting(
    [
      ['system', 'As the system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
    { default: 'system', label: 'Theme', meaning: "theme of the app's window and page" },
  ),
  zoom: wholeNumberSetting({
    from: 50,
    to: 300,
    default: 100,
    unit: 'percent',
    label: 'Zoom, in percent',
    hint: '50 to 300. Ctrl or ⌘ with +, − and 0 do the same.',
    meaning: "zoom of the app's window, in percent; browsers have their own",
  }),
  startAtLogin: toggleSetting({
    default: false,
    label: 'Start at login',
    hint: 'Pulseward waits in the tray. Heartbeats run only while it does.',
    meaning: 'start with your session. Takes effect when set in the desktop app',
  }),
  maxConcurrentCycles: wholeNumberSetting({
    from: 1,
    to: 64,
    default: 2,
    label: 'Heartbeats at once',
    hint: 'Of different workspaces. The rest waits its turn.',
    meaning: 'how many heartbeats of different workspaces may run at once',
  }),
  editor: setting(
    z
      .array(z.string().min(1).max(1_000), { error: 'a program and its arguments' })
      .min(1, { error: 'a program and its arguments' })
      .max(20, { error: 'at most 20 words' })
      .refine((words) => words.some((word) => word.includes('{file}')), {
        error: 'has {file} in it, in whose place the file is named; and {line}, where it takes one',
      })
      .nullable(),
    {
      default: null,
      type: '`["code", "--goto", "{file}:{line}"]` or null',
      control: { kind: 'command' },
      label: 'Editor',
      hint: 'For links to files, as in code --goto {file}:{line}. Left empty, the first one found is used.',
      meaning:
        'program to open files with; `{file}` and `{line}` are filled in; never run through a shell. Null: the first known editor on PATH',
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
      label: 'Look for updates',
      meaning:
        'how often to read the [signed feed](installing.md#updating); nothing is installed automatically',
    },
  ),
  port: wholeNumberSetting({
    from: 0,
    to: 65_535,
    default: 0,
    label: 'Port',
    hint: 'On this machine only; 0 takes any free one. From the next start on.',
    meaning: 'loopback port; 0 is any free one. Takes effect after a restart',
  }),
}

/** Limits of a day over all workspaces, and what tokens cost. */
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
      label: 'Budget of a day, in US dollars',
      hint: 'Of all workspaces together. Empty: no limit.',
      meaning: 'US dollars per day after which [all workspaces pause](agents.md#ceilings)',
    },
  ),
  dailyTokens: setting(
    z.int({ error: 'a whole number of tokens' }).positive({ error: 'a number greater than 0' }).nullable(),
    {
      default: null,
      type: 'whole number > 0, or null',
      control: { kind: 'number', unit: 'tokens' },
      label: 'Tokens of a day',
      hint: 'Of all workspaces together, read and written. Empty: no limit.',
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
        '`pause`: end running attempts and pause all workspaces until the next day; `warn`: only notify you',
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
        'US dollars per million tokens, by the start of a model’s name; takes precedence over the [built-in table](agents.md#prices)',
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
    meaning: `${NOTIFICATION_KINDS.map((kind) => `\`${kind}\``).join(', ')}; which notifications to show`,
  }),
  quietHours: setting(quietHoursSchema.nullable(), {
    default: null,
    type: '`{"from": "22:00", "to": "08:00"}` or null',
    control: { kind: 'text' },
    meaning: "no notifications between these times (machine's time zone); may span midnight",
  }),
  reportAt: setting(clockTimeSchema.nullable(), {
    default: '08:00',
    type: '`"08:00"` or null',
    control: { kind: 'text' },
    meaning: "when channels get the daily report (machine's time zone); null: never",
  }),
}
