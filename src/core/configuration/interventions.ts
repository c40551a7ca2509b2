import { choiceSetting, linesSetting, numberSetting, toggleSetting, wholeNumberSetting } from './setting.ts'

export const INTERVENTION_SETTINGS = {
  enabled: toggleSetting({
    default: true,
    label: 'Detect, give feedback, suspend',
    meaning: 'detection, feedback and circuit breaker. `contract_weakened` is raised regardless',
  }),
  threshold_no_files: wholeNumberSetting({
    from: 1,
    to: 1000,
    default: 3,
    label: 'Attempts that changed no file',
    hint: 'Within the window below, until the circuit breaker trips.',
    meaning: 'events within the last `window_iterations` heartbeats that trip the circuit breaker',
  }),
  window_iterations: wholeNumberSetting({
    from: 1,
    to: 100,
    default: 5,
    unit: 'iterations',
    label: 'Window',
    hint: 'The number of heartbeats in which attempts that changed no file count.',
    meaning: 'heartbeats in which `threshold_no_files` counts',
  }),
  threshold_false_completion: wholeNumberSetting({
    from: 1,
    to: 1000,
    default: 2,
    label: 'False claims of completion',
    hint: 'Until the circuit breaker trips.',
    meaning: 'false claims of completion that trip it',
  }),
  aggressive_mode: toggleSetting({
    default: false,
    label: 'Suspend the first time, without a warning',
    meaning: 'suspend the first time, without a warning',
  }),
  expect_files: choiceSetting(
    [
      ['auto', 'if its task says so'],
      ['always', 'always'],
      ['never', 'never'],
    ],
    {
      default: 'auto',
      label: 'An attempt must change files',
      meaning: 'whether an attempt must change files',
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
        'one corrective prompt in the [same session](agents.md#one-more-prompt-in-the-same-session) after a false claim of completion',
    },
  ),
  require_clean_repo: toggleSetting({
    default: false,
    label: 'Completion needs a clean git repository',
    meaning: 'completion claimed with uncommitted changes in the git repository does not count',
  }),
  protected: linesSetting({
    default: ['default'],
    one: 'a file pattern, such as "test/**"',
    all: 'a list of file patterns, such as ["test/**"]',
    most: 200,
    noun: 'file patterns',
    type: 'list of patterns',
    label: 'Protected files',
    hint: 'Patterns, one per line; default: tests, snapshots, test runner configuration and CI in their usual places.',
    meaning:
      'files that no attempt may weaken: [interventions](interventions.md#protected-files). `"default"`: tests, snapshots, test runner configuration and CI of the common ecosystems',
  }),
  stall_minutes: numberSetting({
    from: 0,
    to: 1440,
    above: true,
    default: 10,
    unit: 'minutes',
    label: 'Silence that counts as a stall',
    meaning: 'silence after which `stalled` is raised',
  }),
  feedback_rotation_days: wholeNumberSetting({
    from: 1,
    to: 3650,
    default: 30,
    unit: 'days',
    label: 'Keep feedback for',
    meaning: 'older feedback is no longer repeated',
  }),
}
