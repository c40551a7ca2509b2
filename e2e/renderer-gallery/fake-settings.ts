import type { ConfigurationEdit, ConfigurationReport } from '../../src/api/schemas/configuration.ts'
import type { HintTrial } from '../../src/api/schemas/contract-trial.ts'
import {
  type SettingsChanges,
  type SettingsDocument,
  settingsSchema,
  type Theme,
} from '../../src/api/schemas/settings.ts'
import type { Template } from '../../src/api/schemas/setup.ts'

const CONFIGURATION =
  '[agent]\ncommand = ["claude", "-p", "--yolo"]\n\n[heartbeat]\ninterval_minutes = "soon"\n\n[gates]\ncommands = [["npm", "test"]]\n'

const TEMPLATES: Template[] = [
  ['code', 'Code with tests', 'Works off a to-do list in a code base.'],
  ['empty', 'Empty', 'A heading and nothing else.'],
].map(([id = '', title = '', description = '']) => ({
  id,
  title,
  description,
  contract:
    '# Work\n\n## Tasks\n\n- [ ] next_item | Do the first item | required | verify: changed("TODO.md")\n',
  configuration: CONFIGURATION.replace('"soon"', '15'),
}))

function trial(taskId: string, holds: boolean | null, problem: string | null): HintTrial {
  return {
    taskId,
    line: 5,
    hint: { kind: 'expression', source: 'changed("TODO.md")' },
    probes: [{ name: 'count', value: problem === null ? '3' : null, reason: problem }],
    holds,
    finding: 'No attempt has run, so nothing counts as changed.',
    needs: 'It has to hold after the attempt, whatever the agent says.',
    problem,
    durationMs: 3,
  }
}

/** A report as the host would give it, but for the parsing: what is wrong is the interval, where it is no number. */
function report(text: string): ConfigurationReport {
  const problems = text.includes('"soon"')
    ? [
        {
          message:
            'heartbeat.interval_minutes: expected a number greater than 0, at most 1440, found "soon".',
          line: 5,
          column: 20,
          path: 'heartbeat.interval_minutes',
        },
      ]
    : []
  const command = ['claude', '-p', '--yolo']
  const warnings = ['With --yolo the agent does anything without asking or being held back.']
  return {
    text,
    textHash: 'h',
    problems,
    values: {
      'agent.command': command,
      'heartbeat.interval_minutes': 'soon',
      'gates.commands': [['npm', 'test']],
    },
    defaults: {
      'heartbeat.interval_minutes': 15,
      'interventions.enabled': true,
      'interventions.protected': ['test/**', '**/*.test.*'],
    },
    trust: {
      state: 'changed',
      commands: [
        { purpose: 'Agent claude', command, kind: 'command', when: 'attempt', warnings, isNew: true },
      ],
      hash: 'h',
      text,
      approvedText: text.replace(' "--yolo"', ''),
      problems: problems.map(({ message, line, column }) => ({ message, line, column })),
      reason: null,
      checks: [],
    },
    refusal: null,
  }
}

/** The calls about settings and the desktop, over settings in memory. */
export function settingsCalls(theme: Theme) {
  let settings = settingsSchema.parse({ theme })
  const document = (): SettingsDocument => ({
    settings,
    hash: JSON.stringify(settings),
    path: '~/.pulseward/settings.json',
    dataDirectory: '~/.pulseward',
  })
  return {
    settings: {
      get: async () => document(),
      put: async ({ changes }: { changes: SettingsChanges }) => {
        const notifications = { ...settings.notifications, ...changes.notifications }
        const kinds = { ...settings.notifications.kinds, ...changes.notifications?.kinds }
        settings = settingsSchema.parse({
          ...settings,
          ...changes,
          notifications: { ...notifications, kinds },
        })
        return document()
      },
    },
    configuration: {
      get: async () => ({
        ...report(CONFIGURATION),
        path: '~/src/backend/pulseward.toml',
        hash: 'h',
        unreadable: null,
      }),
      check: async ({ text, edits = [] }: { text: string; edits?: ConfigurationEdit[] }) =>
        report(text + edits.map(({ path, value }) => `# ${path.join('.')} = ${String(value)}\n`).join('')),
    },
    setup: {
      templates: async () => ({ templates: TEMPLATES }),
      folders: async () => ({
        parent: '/home/you/',
        folders: [
          { name: 'backend', path: '/home/you/backend', hasContract: true },
          { name: 'تقارير', path: '/home/you/تقارير', hasContract: false },
        ],
        isCut: false,
        problem: null,
      }),
      inspect: async ({ path }: { path: string }) => ({
        path,
        name: 'notes',
        problem:
          path === '/nowhere'
            ? 'There is no folder /nowhere. Check the path, or make the folder first.'
            : null,
        workspace: null,
        contract: null,
        configuration: null,
        isGit: false,
        testCommand: null,
        testProbe: null,
      }),
      check: async ({ text }: { text: string }) => report(text),
      tryOut: async () => ({
        tasks: [
          trial('next_item', false, null),
          trial('count', null, 'Check [probes.count] in pulseward.toml.'),
        ],
      }),
    },
    desktop: {
      capabilities: async () => ({ chooseFolder: true, openPath: true, startAtLogin: false, zoom: true }),
    },
  }
}
