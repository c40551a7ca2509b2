import { toggleSetting, wholeNumberSetting } from './setting.ts'

export const UNBLOCK_SETTINGS = {
  auto_suggest: toggleSetting({
    default: true,
    label: 'Suggest what to do about blocked tasks',
    meaning: 'show suggestions in the list of [blocked tasks](unblocking.md)',
  }),
  max_auto_unblock_attempts: wholeNumberSetting({
    from: 0,
    to: 1000,
    default: 1,
    label: 'Retries by “Retry all”',
    hint: 'For each task.',
    meaning: 'how often `retry-blocked` may unblock the same task',
  }),
}
