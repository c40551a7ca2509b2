import { toggleSetting } from './setting.ts'

/**
 * What of its attempts leaves this machine beside the record; the record itself always goes to the hub of a host that
 * joined one.
 */
export const FLEET_SETTINGS = {
  send_prompts: toggleSetting({
    default: false,
    label: 'Send prompts',
    hint: 'What each attempt was asked, without what looks like a secret.',
    meaning: 'also send each prompt to the [hub](fleet.md#what-is-sent), without what looks like a secret',
  }),
  send_output: toggleSetting({
    default: false,
    label: 'Send output',
    hint: 'What the agent printed, without what looks like a secret.',
    meaning: 'also send what the agent printed, without what looks like a secret',
  }),
  send_differences: toggleSetting({
    default: false,
    label: 'Send differences',
    hint: 'What changed in the files, without what looks like a secret.',
    meaning: 'also send how the files changed, without what looks like a secret',
  }),
}
