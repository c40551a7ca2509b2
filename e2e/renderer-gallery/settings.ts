import type { ApiClient } from '../../src/api/client.ts'
import type { HintTrial } from '../../src/api/schemas/contract-trial.ts'
import { type SettingsDocument, settingsSchema, type Theme } from '../../src/api/schemas/settings.ts'
import type { Template } from '../../src/api/schemas/setup.ts'
import { configurationReport } from '../../src/main/config/text-report.ts'

const CONFIGURATION =
  '[agent]\ncommand = ["claude", "-p", "--yolo"]\n\n[heartbeat]\ninterval_minutes = "soon"\n\n[gates]\ncommands = [["npm", "test"]]\n'

const TEMPLATES: Template[] = [
  ['code', 'Code with tests'],
  ['empty', 'Empty'],
].map(([id = '', title = '']) => ({
  id,
  title,
  description: 'A heading and a task.',
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

const report = (text: string) => configurationReport(text, text.replace(' "--yolo"', ''), null, 'h')

/** The calls about settings, the setup of a folder and the desktop, over settings in memory. */
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
      put: async ({ changes }) => {
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
      check: async ({ text, edits = [] }) =>
        report(text + edits.map(({ path, value }) => `# ${path.join('.')} = ${String(value)}\n`).join('')),
    },
    setup: {
      templates: async () => ({ templates: TEMPLATES }),
      folders: async () => ({
        parent: '/home/you/',
        folders: ['backend', 'تقارير'].map((name) => ({
          name,
          path: `/home/you/${name}`,
          hasContract: name === 'backend',
        })),
        isCut: false,
        problem: null,
      }),
      inspect: async ({ path }) => ({
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
      check: async ({ text }) => report(text),
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
  } satisfies { readonly [Domain in keyof ApiClient]?: Partial<ApiClient[Domain]> }
}
