import { toggleSetting } from './setting.ts'

/** `[sessions]`: agent runs that Pulseward did not start. */
export const SESSION_SETTINGS = {
  score: toggleSetting({
    default: false,
    label: 'Sessions score',
    hint: 'Turns of sessions count like optional tasks.',
    meaning:
      'turns of [sessions](sessions.md) score like optional tasks; otherwise they are recorded without points',
  }),
}
