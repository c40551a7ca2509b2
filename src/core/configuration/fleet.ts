import { toggleSetting } from './setting.ts'

/** What is sent from this machine in addition to the record, which a host that joined a hub always sends. */
export const FLEET_SETTINGS = {
  send_prompts: toggleSetting({
    default: false,
    label: 'Send prompts',
    hint: 'What each attempt was asked, with secrets removed.',
    meaning:
      'also sends what each attempt was asked to the [hub](fleet.md#what-is-sent), with secrets removed',
  }),
  send_output: toggleSetting({
    default: false,
    label: 'Send output',
    hint: 'What the agent printed, with secrets removed.',
    meaning: 'also sends what the agent printed in each attempt, with secrets removed',
  }),
  send_differences: toggleSetting({
    default: false,
    label: 'Send diffs',
    hint: 'What changed in the files, with secrets removed.',
    meaning: 'also sends what each attempt changed in the files, with secrets removed',
  }),
}
