import { toggleSetting } from './setting.ts'

/** `[sessions]`: runs of an agent that Pulseward did not start. */
export const SESSION_SETTINGS = {
  score: toggleSetting({
    default: false,
    label: 'Sessions score',
    hint: 'Turns of sessions count as optional tasks do.',
    meaning:
      'turns of [sessions](sessions.md) score as optional tasks do; else they are recorded and score nothing',
  }),
}
