/** A document that can be read in the app: its name among the documents, what it is called, and words it is found by. */
export interface HelpPage {
  readonly id: string
  readonly title: string
  readonly keywords: readonly string[]
}

const page = (id: string, title: string, ...keywords: string[]): HelpPage => ({ id, title, keywords })

/** For who uses the app, in the order in which one would read them; the rest of the documents is for who works on it. */
export const HELP_PAGES: readonly HelpPage[] = [
  page('desktop', 'The app', 'screens', 'tray', 'keyboard', 'links'),
  page('contract', 'The contract', 'heartbeat.md', 'tasks', 'hints', 'verify'),
  page('contract-editor', 'Editing the contract', 'completion', 'conflict'),
  page('verdicts', 'Verdicts and score', 'points', 'standing', 'target', 'lockdown', 'held'),
  page('verify', 'Verify a change', 'pull request', 'branch', 'custody', 'claims'),
  page('verify-ci', 'Verify in CI', 'github action', 'gitlab', 'forgejo'),
  page('interventions', 'Interventions', 'false completion', 'stagnation'),
  page('unblocking', 'Blocked tasks', 'unblock', 'retry'),
  page('adaptive-timeout', 'How long an attempt may take', 'timeout', 'difficulty'),
  page('agents', 'Agents', 'claude', 'codex', 'install', 'log in'),
  page('prompt', 'What the agent is told', 'report', 'heartbeat-report'),
  page('sandbox', 'The sandbox', 'bubblewrap', 'network'),
  page('security', 'Security', 'trust', 'approve', 'secrets'),
  page('unattended', 'Running unattended', 'channels', 'budget', 'serve', 'phone'),
  page('fleet', 'Many hosts', 'hub', 'leases'),
  page('configuration', 'Configuration', 'pulseward.toml', 'probes', 'gates', 'settings'),
  page('command-line', 'Command line and HTTP', 'cli', 'api', 'endpoints'),
  page('installing', 'Installing and updating', 'packages', 'updates'),
  page('tuning', 'Tuning', 'intervals', 'rules'),
  page('troubleshooting', 'Troubleshooting', 'problem', 'does not run', 'doctor'),
  page('glossary', 'Glossary', 'words', 'meaning'),
]
