import { PRESET_IDS } from '../../../../core/agents/programs.ts'

/** How a setting is written in the form. */
export type Field = {
  /** `heartbeat.interval_minutes`; its parts are its path in the file. */
  readonly name: string
  readonly label: string
  readonly hint?: string
} & (
  | { readonly kind: 'number'; readonly unit?: string }
  | { readonly kind: 'text'; readonly suggestions?: () => readonly string[] }
  | { readonly kind: 'toggle' }
  | {
      readonly kind: 'choice'
      readonly options: readonly (readonly [value: string, label: string])[]
      /** What it is called to choose none of them, where the parser knows no default. */
      readonly unset?: string
    }
  /** Texts, one a line. */
  | { readonly kind: 'lines' }
  /** A program and its arguments. */
  | { readonly kind: 'command' }
  /** Several of them, one a line. */
  | { readonly kind: 'commands' }
)

export interface FieldGroup {
  readonly title: string
  readonly lead?: string
  /** Rarely changed: closed until asked for. */
  readonly isFolded?: boolean
  readonly fields: readonly Field[]
}

const seconds = 'seconds'

export const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    title: 'Heartbeat',
    fields: [
      {
        name: 'heartbeat.interval_minutes',
        label: 'Interval',
        kind: 'number',
        unit: 'minutes',
        hint: 'From the end of a heartbeat to the next. The standing shortens or lengthens it for one cycle.',
      },
      {
        name: 'heartbeat.active_hours',
        label: 'Active hours',
        kind: 'text',
        hint: 'Such as 08:00-22:00; may span midnight. Empty: always.',
      },
      {
        name: 'heartbeat.timezone',
        label: 'Time zone',
        kind: 'text',
        hint: 'Such as Europe/Berlin, for active hours and the score’s day. Empty: this machine’s.',
        suggestions: () => Intl.supportedValuesOf('timeZone'),
      },
      {
        name: 'heartbeat.session',
        label: 'One run of the agent',
        kind: 'choice',
        options: [
          ['task', 'for each task'],
          ['cycle', 'for all open tasks'],
        ],
      },
    ],
  },
  {
    title: 'Agent',
    fields: [
      {
        name: 'agent.preset',
        label: 'Preset',
        kind: 'choice',
        unset: 'none: a command of my own',
        options: PRESET_IDS.map((id) => [id, id] as const),
        hint: 'A known agent with everything set up. Without one, write the command yourself.',
      },
      {
        name: 'agent.id',
        label: 'Name',
        kind: 'text',
        hint: 'In attempts and profiles. Empty: the program’s name.',
      },
      {
        name: 'agent.command',
        label: 'Command',
        kind: 'command',
        hint: 'Instead of a preset. Never passed to a shell.',
      },
      { name: 'agent.model', label: 'Model', kind: 'text', hint: 'Empty: the agent’s own default.' },
      {
        name: 'agent.mode',
        label: 'Spoken with',
        kind: 'choice',
        unset: 'as the preset does',
        options: [
          ['print', 'one prompt, printed answer'],
          ['acp', 'Agent Client Protocol'],
        ],
      },
      {
        name: 'agent.allow',
        label: 'Allowed without asking',
        kind: 'lines',
        hint: 'One a line: edit, edit:src/**, execute:npm test, fetch.',
      },
      { name: 'agent.deny', label: 'Never allowed', kind: 'lines', hint: 'Whatever is allowed above.' },
      {
        name: 'agent.daily_budget_usd',
        label: 'Daily budget',
        kind: 'number',
        unit: 'US dollars',
        hint: 'The workspace pauses once it is spent. Empty: no limit.',
      },
    ],
  },
  {
    title: 'Gates',
    lead: 'Checks of the whole workspace after each attempt; one that fails makes the verdict not verified.',
    fields: [
      { name: 'gates.commands', label: 'Commands', kind: 'commands', hint: 'One a line, such as npm test.' },
      { name: 'gates.timeout_seconds', label: 'Timeout of each', kind: 'number', unit: seconds },
    ],
  },
  {
    title: 'Interventions',
    fields: [
      { name: 'interventions.enabled', label: 'Detect, give feedback, suspend', kind: 'toggle' },
      {
        name: 'interventions.threshold_no_files',
        label: 'Attempts that changed no file',
        kind: 'number',
        hint: 'Within the last 5 iterations, until the circuit breaker opens.',
      },
      {
        name: 'interventions.threshold_false_completion',
        label: 'False claims of completion',
        kind: 'number',
        hint: 'Until the circuit breaker opens.',
      },
      {
        name: 'interventions.aggressive_mode',
        label: 'Suspend at the first opening, without a warning',
        kind: 'toggle',
      },
      {
        name: 'interventions.expect_files',
        label: 'An attempt has to change files',
        kind: 'choice',
        options: [
          ['auto', 'where its task says so'],
          ['always', 'always'],
          ['never', 'never'],
        ],
      },
      {
        name: 'interventions.mid_stream',
        label: 'Correct within the session',
        kind: 'choice',
        options: [
          ['off', 'no'],
          ['same-session', 'once, in the agent’s own session'],
        ],
      },
      {
        name: 'interventions.require_clean_repo',
        label: 'Completion needs a clean git repository',
        kind: 'toggle',
      },
      {
        name: 'interventions.protected',
        label: 'Protected files',
        kind: 'lines',
        hint: 'Patterns, one a line. Tests weakened in them are reported.',
      },
      {
        name: 'interventions.stall_minutes',
        label: 'Silence that counts as a stall',
        kind: 'number',
        unit: 'minutes',
      },
      {
        name: 'interventions.feedback_rotation_days',
        label: 'Feedback is said for',
        kind: 'number',
        unit: 'days',
      },
    ],
  },
  {
    title: 'Timeouts',
    lead: 'Timeout = mode timeout × the level’s multiplier × growth for each timeout so far, within the limits.',
    fields: [
      {
        name: 'adaptive_timeout.enabled',
        label: 'Adapt to the task',
        kind: 'toggle',
        hint: 'Off: every attempt gets the mode timeout.',
      },
      { name: 'adaptive_timeout.mode_timeout', label: 'Mode timeout', kind: 'number', unit: seconds },
      { name: 'adaptive_timeout.min_timeout', label: 'At least', kind: 'number', unit: seconds },
      { name: 'adaptive_timeout.max_timeout', label: 'At most', kind: 'number', unit: seconds },
      { name: 'adaptive_timeout.complexity_scaling', label: 'Multiply by the level', kind: 'toggle' },
      { name: 'adaptive_timeout.failure_scaling', label: 'Grow with each timeout', kind: 'toggle' },
      {
        name: 'adaptive_timeout.timeout_multiplier_per_failure',
        label: 'Growth',
        kind: 'number',
        unit: 'times',
      },
      { name: 'adaptive_timeout.learned', label: 'Learn from measured durations', kind: 'toggle' },
    ],
  },
  {
    title: 'Levels of complexity',
    isFolded: true,
    fields: (['simple', 'medium', 'complex', 'ui_heavy'] as const).flatMap((level): Field[] => [
      {
        name: `adaptive_timeout.complexity.${level}.multiplier`,
        label: `${level}: multiplier`,
        kind: 'number',
        unit: 'times',
      },
      {
        name: `adaptive_timeout.complexity.${level}.keywords`,
        label: `${level}: words`,
        kind: 'lines',
        hint: 'One a line. The heaviest level with a matching word wins.',
      },
    ]),
  },
  {
    title: 'Scoring',
    isFolded: true,
    lead: 'Points and thresholds. What costs is written with a minus; shares are of the day’s target.',
    fields: scoringFields(),
  },
  {
    title: 'Unblocking',
    fields: [
      { name: 'unblock.auto_suggest', label: 'Suggest what to do about blocked tasks', kind: 'toggle' },
      {
        name: 'unblock.max_auto_unblock_attempts',
        label: 'Retries by “Retry all”',
        kind: 'number',
        hint: 'For each task.',
      },
    ],
  },
]

function scoringFields(): Field[] {
  const points: readonly (readonly [string, string])[] = [
    ['verified_required', 'Verified, required'],
    ['verified_optional', 'Verified, optional'],
    ['not_verified', 'Not verified'],
    ['contradiction', 'Contradiction, on top'],
    ['unclear', 'Unclear'],
    ['thumbs_up', 'Thumbs up'],
    ['thumbs_down', 'Thumbs down'],
    ['minimum_target', 'Target, at least'],
    ['maximum_target', 'Target, at most'],
  ]
  const shares: readonly (readonly [string, string])[] = [
    ['lockdown_share', 'Lockdown below minus'],
    ['tightened_share', 'Tightened below'],
    ['warning_share', 'Warning below'],
    ['good_share', 'Good from'],
    ['excellent_share', 'Excellent from'],
    ['outstanding_share', 'Outstanding from'],
  ]
  const minutes: readonly (readonly [string, string])[] = [
    ['lockdown_minutes', 'Interval in lockdown'],
    ['escalated_minutes', 'Interval when escalated'],
    ['tightened_minutes', 'Interval when tightened'],
    ['good_minutes', 'Interval when good'],
    ['excellent_minutes', 'Interval when excellent'],
  ]
  const numbers = (list: typeof points, unit: string): Field[] =>
    list.map(([key, label]) => ({ name: `scoring.${key}`, label, kind: 'number', unit }))
  return [
    ...numbers(points, 'points'),
    ...numbers(shares, 'of the target'),
    ...numbers(minutes, 'minutes'),
    { name: 'scoring.history_days', label: 'Average over', kind: 'number', unit: 'days' },
    { name: 'scoring.streak_days', label: 'A streak begins at', kind: 'number', unit: 'days' },
  ]
}
