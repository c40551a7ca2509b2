import { COMPLEXITY_LEVELS } from '../vocabulary/complexity.ts'
import { LEVEL_SETTINGS, TIMEOUT_SETTINGS } from './adaptive-timeout.ts'
import { AGENT_SETTINGS } from './agent.ts'
import { APP_SETTINGS, LIMIT_SETTINGS, NOTIFICATION_SETTINGS } from './app.ts'
import {
  CLAIM_SETTINGS,
  GATE_SETTINGS,
  JUDGE_SETTINGS,
  PROBE_SETTINGS,
  VERIFICATION_SETTINGS,
} from './checks.ts'
import { FLEET_SETTINGS } from './fleet.ts'
import { HEARTBEAT_SETTINGS } from './heartbeat.ts'
import { INTERVENTION_SETTINGS } from './interventions.ts'
import { LANDING_SETTINGS } from './landing.ts'
import { SCORING_SETTINGS } from './scoring.ts'
import { SESSION_SETTINGS } from './sessions.ts'
import type { Settings } from './setting.ts'
import { UNBLOCK_SETTINGS } from './unblock.ts'
import { WORKSPACE_SETTINGS } from './workspace.ts'

/** Settings that belong together in the file and in the form. */
export interface SettingSection {
  /** Its table in the file: `heartbeat`, `adaptive_timeout.complexity.simple`. */
  readonly name: string
  readonly settings: Settings
  /** Its heading in the form; sections with the same heading are shown together. `null` if it is not in the form. */
  readonly title: string | null
  /** A sentence below the heading. */
  readonly lead?: string
  /** True if it is rarely changed, so it is collapsed by default. */
  readonly isFolded?: boolean
  /** Settings of this section that the form shows below another heading. */
  readonly parts?: readonly SettingPart[]
}

export interface SettingPart {
  readonly title: string
  readonly lead?: string
  readonly keys: readonly string[]
}

/** The sections of `pulseward.toml`, in the order of the form. */
export const FILE_SECTIONS: readonly SettingSection[] = [
  { name: 'heartbeat', settings: HEARTBEAT_SETTINGS, title: 'Heartbeat' },
  {
    name: 'agent',
    settings: AGENT_SETTINGS,
    title: 'Agent',
    parts: [
      { title: 'Permissions', keys: ['allow', 'deny', 'permission_timeout_seconds'] },
      {
        title: 'Sandbox',
        lead: 'The agent may always write to the workspace, to folders for temporary files, and to what its program keeps.',
        keys: ['sandbox', 'network', 'checks_network', 'hide', 'writable'],
      },
      {
        title: 'Budget',
        keys: [
          'daily_budget_usd',
          'daily_tokens',
          'at_daily_limit',
          'attempt_budget_usd',
          'attempt_tokens',
          'account',
          'window_share',
        ],
      },
    ] satisfies readonly (SettingPart & { readonly keys: readonly (keyof typeof AGENT_SETTINGS)[] })[],
  },
  {
    name: 'gates',
    settings: GATE_SETTINGS,
    title: 'Gates',
    lead: 'Checks of the whole workspace after each attempt. If one fails, the verdict is not verified.',
  },
  { name: 'probes.NAME', settings: PROBE_SETTINGS, title: null },
  {
    name: 'judge',
    settings: JUDGE_SETTINGS,
    title: 'Judge',
    lead: 'Asked if a check consists of words only and nothing measures it. It never overrides a measured value.',
  },
  { name: 'verification', settings: VERIFICATION_SETTINGS, title: 'Commands in checks' },
  { name: 'claims', settings: CLAIM_SETTINGS, title: null },
  { name: 'interventions', settings: INTERVENTION_SETTINGS, title: 'Interventions' },
  {
    name: 'adaptive_timeout',
    settings: TIMEOUT_SETTINGS,
    title: 'Timeouts',
    lead: 'Timeout = mode timeout × the level’s multiplier × growth for each timeout so far, within the limits.',
  },
  ...COMPLEXITY_LEVELS.map((level) => ({
    name: `adaptive_timeout.complexity.${level}`,
    settings: LEVEL_SETTINGS[level],
    title: 'Levels of complexity',
    isFolded: true,
  })),
  {
    name: 'scoring',
    settings: SCORING_SETTINGS,
    title: 'Scoring',
    isFolded: true,
    lead: 'Points and thresholds. Penalties are negative; shares are of the day’s target.',
  },
  { name: 'unblock', settings: UNBLOCK_SETTINGS, title: 'Unblocking' },
  { name: 'sessions', settings: SESSION_SETTINGS, title: 'Sessions' },
  {
    name: 'workspace',
    settings: WORKSPACE_SETTINGS,
    title: 'Isolation',
    isFolded: true,
    lead: 'In place, the agent works in your folder. With a separate tree, it cannot touch your files, and only verified work lands on your branch.',
  },
  { name: 'landing', settings: LANDING_SETTINGS, title: 'Landing', isFolded: true },
  {
    name: 'fleet',
    settings: FLEET_SETTINGS,
    title: 'Fleet',
    isFolded: true,
    lead: 'What leaves this machine in addition to the record, if its host has joined a fleet. The hub deletes it after 30 days.',
  },
]

/** The sections of `settings.json`. */
export const APP_SECTIONS: readonly SettingSection[] = [
  { name: '', settings: APP_SETTINGS, title: null },
  { name: 'limits', settings: LIMIT_SETTINGS, title: null },
  { name: 'notifications', settings: NOTIFICATION_SETTINGS, title: null },
]
