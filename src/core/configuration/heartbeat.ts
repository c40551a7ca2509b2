import { z } from 'zod'
import { HOST_LABEL } from '../vocabulary/fleet.ts'
import { text } from './expect.ts'
import {
  choiceSetting,
  linesSetting,
  numberSetting,
  setting,
  textSetting,
  toggleSetting,
  wholeNumberSetting,
} from './setting.ts'

/** `HH:MM-HH:MM`, each 00:00 to 24:00. */
const ACTIVE_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

export const HEARTBEAT_SETTINGS = {
  interval_minutes: numberSetting({
    from: 0,
    to: 1440,
    above: true,
    default: 15,
    unit: 'minutes',
    label: 'Interval',
    hint: 'From the end of a heartbeat to the next. The standing shortens or lengthens it for one heartbeat.',
    meaning: 'from the end of a heartbeat to the next; [standing](verdicts.md#standing) moves it',
  }),
  active_hours: setting(
    text('hours of the day, such as "08:00-22:00"', ACTIVE_HOURS).refine(
      (hours) => hours.slice(0, 5) !== hours.slice(6),
      { error: 'starts and ends at the same time. Leave the setting out to be always active.' },
    ),
    {
      type: '`"HH:MM-HH:MM"`',
      control: { kind: 'text' },
      label: 'Active hours',
      hint: 'Such as 08:00-22:00; may span midnight. Empty: always.',
      meaning: 'no heartbeat outside; may span midnight; `24:00` is allowed as the end',
      defaultWords: 'always',
    },
  ),
  when: textSetting({
    expected: 'an expression over probes, such as "inbox > 0"',
    pattern: /^[^\0\n]+$/,
    maximumLength: 2_000,
    type: 'expression over [probes](verdicts.md)',
    label: 'Only when',
    hint: 'Such as inbox > 0. If it is false, a due heartbeat is idle: no agent runs. Empty: always.',
    meaning:
      'if it is false, a due heartbeat is [idle](unattended.md#no-idle-burn): no agent runs. If it cannot be measured, the heartbeat runs',
    defaultWords: 'always',
  }),
  skip_if_verified: toggleSetting({
    default: false,
    label: 'Skip tasks that still pass',
    hint: 'A verified task whose check still passes is checked without the agent, and earns no points.',
    meaning:
      'a verified task whose measurable check still passes is [checked without the agent](unattended.md#no-idle-burn); it earns no points',
  }),
  pause_on_battery: toggleSetting({
    default: false,
    label: 'Only on mains power',
    hint: 'No heartbeat begins while this machine runs on battery; a running one continues.',
    meaning: 'no heartbeat begins while the machine runs on battery; a running one continues',
  }),
  session: choiceSetting(
    [
      ['task', 'for each task'],
      ['cycle', 'for all open tasks'],
    ],
    {
      default: 'task',
      label: 'One run of the agent',
      meaning:
        'one run of the agent per task, or one run for all open tasks; with `isolation = "worktree"` always per task',
    },
  ),
  timezone: setting(
    z.string({ error: 'the name of a time zone, such as "Europe/Berlin"' }).refine(isTimeZone, {
      error: 'no time zone of this name is known. Expected one such as "Europe/Berlin" or "UTC".',
    }),
    {
      type: 'name such as `"Europe/Berlin"`',
      control: { kind: 'text', suggestions: () => Intl.supportedValuesOf('timeZone') },
      label: 'Time zone',
      hint: 'Such as Europe/Berlin, for active hours and the score’s day. Empty: this machine’s.',
      meaning: "for active hours, the score's day, and times shown",
      defaultWords: "the machine's",
    },
  ),
  // Last, because few need it.
  lease: textSetting({
    expected: 'the name of the shared work: letters, digits and _ - /',
    pattern: /^[A-Za-z0-9][\w/-]{0,99}$/,
    maximumLength: 100,
    type: 'name',
    label: 'Shared as',
    hint: 'Of the fleet’s hosts that use the same name, one at a time runs the agent. Empty: this host decides alone.',
    meaning:
      'name under which the hosts of a [fleet](fleet.md#shared-work) share this work: one of them at a time runs the agent',
    defaultWords: 'not shared',
  }),
  lease_labels: linesSetting({
    default: [],
    one: 'a label, such as "gpu"',
    all: 'a list of labels',
    most: 20,
    noun: 'labels',
    pattern: HOST_LABEL,
    type: 'list of labels',
    label: 'Shared with',
    hint: 'Only hosts that have all these labels run it. Empty: every host of the fleet.',
    meaning: 'only hosts that joined with all these labels run shared work',
  }),
  lease_seconds: wholeNumberSetting({
    from: 3,
    to: 3600,
    default: 60,
    unit: 'seconds',
    label: 'Hand over after',
    hint: 'Another host takes over shared work this long after the host that runs it was last heard from.',
    meaning:
      'another host takes over shared work this long after its host was last heard from; the lease is renewed after a third of it',
  }),
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // Newer runtimes also accept offsets, which have no daylight-saving time and which older runtimes reject.
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}
