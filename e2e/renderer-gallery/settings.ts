import { ORPCError } from '@orpc/client'
import type { ApiClient } from '../../src/api/client.ts'
import type { HintTrial } from '../../src/api/schemas/contract-trial.ts'
import { type SettingsDocument, settingsSchema, type Theme } from '../../src/api/schemas/settings.ts'
import type { Template } from '../../src/api/schemas/setup.ts'
import type { UpdateStatus } from '../../src/core/update/status.ts'
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
    needs: 'It must pass after the attempt, no matter what the agent says.',
    problem,
    durationMs: 3,
  }
}

const report = (text: string) => configurationReport(text, text.replace(' "--yolo"', ''), null, 'h')

/** Returns the calls for settings, folder setup and the desktop, over in-memory settings. */
export function settingsCalls(theme: Theme) {
  let settings = settingsSchema.parse({ theme })
  let updates: UpdateStatus = {
    version: '0.1.0',
    form: 'deb',
    feed: 'https://pulseward.example/feed.json',
    checkedAt: '2026-11-20T14:02:00.000Z',
    problem: null,
    newer: [{ version: '0.2.0', date: '2026-11-19', changes: '### Added\n\n- A fleet of hosts\n' }],
    before: null,
  }
  const newest = { version: '0.3.0', date: '2026-11-21', changes: '- Quieter nights\n' }
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
    updates: {
      status: async () => updates,
      check: async () => {
        updates = { ...updates, checkedAt: '2026-11-21T14:02:00.000Z', newer: [newest, ...updates.newer] }
        return updates
      },
      // Installing a system package needs root, so the operator has to run the command.
      install: async () => {
        updates = { ...updates, before: { version: '0.0.9', backup: '2026-11-21' } }
        const file = '/home/you/.pulseward/updates/pulseward_0.3.0_amd64.deb'
        const command = ['sudo', 'apt-get', 'install', file]
        return {
          version: '0.3.0',
          file,
          installed: false,
          command,
          notes: ['It takes effect after a restart.'],
        }
      },
      rollBack: async () => {
        throw new ORPCError('CONFLICT', { message: 'A heartbeat is running and can’t be replaced.' })
      },
    },
    channels: {
      list: async () => [
        {
          name: 'phone',
          type: 'ntfy' as const,
          to: 'ntfy.example.org',
          kinds: [],
          severity: 'warning' as const,
          workspaces: [],
          quietHours: null,
          link: null,
          answers: false,
          hasSecret: true,
          last: {
            at: '2026-11-20T14:02:00.000+01:00',
            channel: 'phone',
            type: 'ntfy' as const,
            title: 'A test from Pulseward',
            attempt: 1,
            isAccepted: true,
            answer: '200 OK',
            nextTryAt: null,
          },
        },
      ],
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
        warning: null,
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
