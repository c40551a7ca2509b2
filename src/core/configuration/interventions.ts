import { choiceSetting, linesSetting, numberSetting, toggleSetting, wholeNumberSetting } from './setting.ts'

export const INTERVENTION_SETTINGS = {
  enabled: toggleSetting({
    default: true,
    label: 'Detect, give feedback, suspend',
    meaning: 'turns detection, feedback and circuit breaker on. `contract_weakened` is raised either way',
  }),
  threshold_no_files: wholeNumberSetting({
    from: 1,
    to: 1000,
    default: 3,
    label: 'Attempts that changed no file',
    hint: 'Within the window below, until the circuit breaker opens.',
    meaning:
      'how many `no_files_detected` events within `window_iterations` put the circuit breaker on warning',
  }),
  window_iterations: wholeNumberSetting({
    from: 1,
    to: 100,
    default: 5,
    unit: 'iterations',
    label: 'Window',
    hint: 'Heartbeats within which attempts that changed no file count.',
    meaning: 'heartbeats over which `threshold_no_files` counts',
  }),
  threshold_false_completion: wholeNumberSetting({
    from: 1,
    to: 1000,
    default: 2,
    label: 'False claims of completion',
    hint: 'Until the circuit breaker opens.',
    meaning: 'how many contradicted claims of completion put the circuit breaker on warning',
  }),
  aggressive_mode: toggleSetting({
    default: false,
    label: 'Suspend at the first opening, without a warning',
    meaning: 'suspend at once, without a warning first',
  }),
  expect_files: choiceSetting(
    [
      ['auto', 'where its task says so'],
      ['always', 'always'],
      ['never', 'never'],
    ],
    {
      default: 'auto',
      label: 'An attempt has to change files',
      meaning: 'whether an attempt has to change files',
    },
  ),
  mid_stream: choiceSetting(
    [
      ['off', 'no'],
      ['same-session', 'once, in the agent’s own session'],
    ],
    {
      default: 'off',
      label: 'Correct within the session',
      meaning:
        'send one corrective prompt into the [same session](agents.md#one-more-prompt-in-the-same-session) after a contradicted claim of completion',
    },
  ),
  require_clean_repo: toggleSetting({
    default: false,
    label: 'Completion needs a clean git repository',
    meaning: 'do not count a claim of completion while the git repository has uncommitted changes',
  }),
  protected: linesSetting({
    default: ['default'],
    one: 'a file pattern, such as "test/**"',
    all: 'a list of file patterns, such as ["test/**"]',
    most: 200,
    noun: 'file patterns',
    type: 'list of patterns',
    label: 'Protected files',
    hint: 'Patterns, one a line; default: tests, snapshots, runners’ configuration and CI as they usually lie.',
    meaning:
      'files that no attempt may weaken: [protected files](interventions.md#protected-files). `"default"`: tests, snapshots, runner configuration and CI of the common ecosystems',
  }),
  stall_minutes: numberSetting({
    from: 0,
    to: 1440,
    above: true,
    default: 10,
    unit: 'minutes',
    label: 'Silence that counts as a stall',
    meaning: 'minutes without a sign of the agent after which `stalled` is raised',
  }),
  feedback_rotation_days: wholeNumberSetting({
    from: 1,
    to: 3650,
    default: 30,
    unit: 'days',
    label: 'Feedback is said for',
    meaning: 'older feedback is left out of the prompt',
  }),
}
