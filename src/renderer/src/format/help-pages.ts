/** A document that can be read in the app: its file name, its title, and words to find it by. */
export interface HelpPage {
  readonly id: string
  readonly title: string
  readonly keywords: readonly string[]
}

interface HelpGroup {
  readonly title: string
  readonly pages: readonly HelpPage[]
}

const page = (id: string, title: string, ...keywords: string[]): HelpPage => ({ id, title, keywords })

/** The documents for users, grouped by purpose; the others are for Pulseward's developers. */
export const HELP_GROUPS: readonly HelpGroup[] = [
  {
    title: 'Get started',
    pages: [
      page('desktop', 'The app', 'screens', 'tray', 'keyboard', 'links', 'first run'),
      page('installing', 'Installing and updating', 'packages', 'updates', 'service', 'container'),
      page('troubleshooting', 'Troubleshooting', 'problem', 'does not run', 'doctor'),
      page('glossary', 'Glossary', 'words', 'meaning'),
    ],
  },
  {
    title: 'Write tasks',
    pages: [
      page('contract', 'The contract', 'heartbeat.md', 'tasks', 'checks', 'verify'),
      page('contract-editor', 'Editing the contract', 'completion', 'conflict'),
      page('prompt', 'What the agent is told', 'report', 'heartbeat-report'),
    ],
  },
  {
    title: 'Understand results',
    pages: [
      page('verdicts', 'Verdicts and score', 'points', 'standing', 'target', 'lockdown', 'held'),
      page('interventions', 'Interventions', 'contradiction', 'suspension', 'circuit breaker', 'feedback'),
      page('unblocking', 'Blocked tasks', 'unblock', 'retry'),
      page('adaptive-timeout', 'How long an attempt may take', 'timeout', 'difficulty'),
    ],
  },
  {
    title: 'Run agents',
    pages: [
      page('agents', 'Agents', 'claude', 'codex', 'permissions', 'cost', 'log in'),
      page('unattended', 'Running unattended', 'channels', 'budget', 'serve', 'phone', 'night'),
      page('landing', 'Landing verified work', 'worktree', 'parallel', 'queue', 'merge'),
      page('sessions', 'Agents that you run yourself', 'hook', 'session', 'gate', 'shadow'),
      page('assistant', 'Your own assistant', 'mcp'),
      page('fleet', 'Many hosts', 'hub', 'leases'),
    ],
  },
  {
    title: 'Stay safe',
    pages: [
      page('sandbox', 'The sandbox', 'bubblewrap', 'network'),
      page('security', 'Security', 'trust', 'approve', 'secrets'),
    ],
  },
  {
    title: 'Verify changes',
    pages: [
      page('verify', 'Verify a change', 'pull request', 'branch', 'custody', 'claims'),
      page('verify-ci', 'Verify in CI', 'github action', 'gitlab', 'forgejo'),
      page('attestations', 'Attestations', 'sign', 'key', 'in-toto'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('configuration', 'Configuration', 'pulseward.toml', 'probes', 'gates', 'settings', 'data folder'),
      page('command-line', 'Command line and HTTP', 'cli', 'api', 'endpoints', 'metrics'),
      page('tuning', 'Tuning', 'intervals', 'thresholds'),
      page('telemetry', 'Telemetry', 'opentelemetry', 'traces'),
    ],
  },
]

export const HELP_PAGES: readonly HelpPage[] = HELP_GROUPS.flatMap(({ pages }) => pages)
