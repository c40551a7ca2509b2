import type { Theme } from '../../../../api/schemas/settings.ts'
import type { Found } from '../../../../core/read-model/found.ts'
import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import type { Workspace, WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { HELP_PAGES } from '../../format/help-pages.ts'
import { exactTime, isoWithOffset } from '../../format/moments.ts'
import {
  FLEET_PARTS,
  type FleetPart,
  fleetAddress,
  helpAddress,
  OVERVIEW_ADDRESS,
  routeTo,
  SETUP_ADDRESS,
  settingsAddress,
  type Tab,
} from '../../route/route.ts'
import {
  type Act,
  type Command,
  type Group,
  type ShortcutName,
  WORKSPACE_DEEDS,
  type WorkspaceDeed,
} from './command.ts'
import { decisionCommands } from './decision-commands.ts'

const HOUR_MS = 3_600_000

const TABS: readonly (readonly [Tab, string, ...string[]])[] = [
  [
    'today',
    'Today',
    'score',
    'verdicts',
    'heartbeats',
    'thumbs',
    'message to the agent',
    'note',
    'overrule',
    'restore files',
  ],
  ['contract', 'Contract', 'heartbeat.md', 'editor', 'tasks'],
  ['timeline', 'Timeline', 'interventions', 'history', 'events'],
  ['blocked', 'Blocked tasks', 'unblock', 'retry'],
  ['agent', 'Agent', 'profile', 'metrics'],
  ['setup', 'Setup', 'pulseward.toml', 'configuration', 'probes', 'gates'],
]

/** Returns everything that can be found: all workspaces, and the entries of the one on screen. */
export function paletteCommands(
  workspaces: readonly Workspace[],
  shown: WorkspaceDetail | undefined,
  nowMs: number,
  found: readonly Found[] = [],
  has: {
    readonly files: boolean
    /** The host is the center of a fleet. */
    readonly fleet?: boolean
    readonly keys: (name: ShortcutName) => readonly string[]
  } = {
    files: false,
    keys: () => [],
  },
): Command[] {
  const others = workspaces.filter(({ id }) => id !== shown?.id)
  return [
    ...workspaces.map(workspaceCommand),
    ...(shown === undefined ? [] : [...taskCommands(shown), ...actionCommands(shown, nowMs, has.keys)]),
    ...(shown === undefined ? [] : [...deedCommands(shown, has.files), ...tabCommands(shown, has.keys)]),
    ...others.flatMap((other) =>
      [...actionCommands(other, nowMs, () => []), ...deedCommands(other, has.files)].map(quiet),
    ),
    ...found.flatMap((each) => {
      const workspace = workspaces.find(({ id }) => id === each.workspace)
      if (workspace === undefined) return []
      return [
        ...(each.workspace === shown?.id ? [] : foundTasks(workspace, each)),
        ...attemptCommands(workspace, each),
      ].map(quiet)
    }),
    ...(has.fleet === true ? FLEET_PARTS.map(fleetCommand) : []),
    ...screenCommands(workspaces.length > 0, has.keys),
    ...THEMES.map(themeCommand),
    ...SETTINGS.map(settingCommand),
    ...decisionCommands(workspaces),
    ...helpCommands(has.keys),
  ]
}

function quiet(command: Command): Command {
  return { ...command, isQuiet: true }
}

function foundTasks({ id, name, shield, unreviewed }: Workspace, { tasks }: Found): Command[] {
  return tasks.map((task) => ({
    id: `task ${id} ${task.id}`,
    label: task.id,
    hint: `${name} · ${task.blocked ? 'blocked' : task.status.replace('_', ' ')}`,
    group: 'Tasks',
    keywords: [name],
    shield,
    unreviewed,
    act: {
      kind: 'go',
      address: task.blocked
        ? routeTo(id, 'blocked', task.id)
        : task.attemptId === null
          ? routeTo(id, 'contract', task.id)
          : routeTo(id, 'attempt', task.attemptId),
    },
  }))
}

function attemptCommands({ id, name, shield, unreviewed }: Workspace, { attempts }: Found): Command[] {
  return attempts.map(({ attemptId, taskId, startedAt, verdict, groundTruthContradiction }) => ({
    id: `attempt ${id} ${attemptId}`,
    label: `${taskId}, ${exactTime(Date.parse(startedAt))}`,
    hint: `${name} · ${groundTruthContradiction ? 'contradiction' : verdict === null ? 'not judged' : VERDICT_WORDS[verdict].title.toLowerCase()}`,
    group: 'Attempts',
    keywords: [attemptId, name, 'attempt'],
    shield,
    unreviewed,
    act: { kind: 'go', address: routeTo(id, 'attempt', attemptId) },
  }))
}

/** Returns commands that open the documentation and each of its pages, which are found by their topics. */
function helpCommands(keysOf: (name: ShortcutName) => readonly string[]): Command[] {
  const whole: Command = {
    id: 'help',
    label: 'Documentation',
    hint: '',
    keys: keysOf('help'),
    group: 'Help',
    keywords: ['help', 'manual', 'docs'],
    act: { kind: 'go', address: helpAddress() },
  }
  const pages = HELP_PAGES.map(
    ({ id, title, keywords }): Command => ({
      id: `help ${id}`,
      label: title,
      hint: 'Documentation',
      group: 'Help',
      keywords: ['help', 'documentation', ...keywords],
      isQuiet: true,
      act: { kind: 'go', address: helpAddress(id) },
    }),
  )
  return [whole, ...pages]
}

const DEED_WORDS: Readonly<Record<WorkspaceDeed, readonly [string, ...string[]]>> = {
  openFolder: ['Open folder', 'file manager', 'directory'],
  openInEditor: ['Open in editor', 'code'],
  copyPath: ['Copy path', 'clipboard'],
  exportRecord: ['Export record', 'json', 'save', 'download'],
  remove: ['Remove', 'delete', 'forget', 'unsupervise'],
}

function deedCommands(workspace: Workspace, hasFiles: boolean): Command[] {
  const rename: Command = {
    id: `rename ${workspace.id}`,
    label: 'Rename and tags…',
    hint: workspace.name,
    group: 'Actions',
    keywords: ['name', 'label', 'group', workspace.name],
    shield: workspace.shield,
    unreviewed: workspace.unreviewed,
    act: { kind: 'rename', workspace },
  }
  const deeds = WORKSPACE_DEEDS.filter((deed) => hasFiles || deed !== 'openFolder').map((deed): Command => {
    const [label, ...keywords] = DEED_WORDS[deed]
    return {
      id: `${deed} ${workspace.id}`,
      label,
      hint: workspace.name,
      group: 'Actions',
      keywords: [...keywords, workspace.name],
      shield: workspace.shield,
      unreviewed: workspace.unreviewed,
      act: { kind: deed, workspace },
    }
  })
  const verify: Command = {
    ...rename,
    id: `verify ${workspace.id}`,
    label: 'Verify a change…',
    keywords: ['branch', 'pull request', 'custody', 'claims', 'diff', workspace.name],
    act: { kind: 'go', address: routeTo(workspace.id, 'verify') },
  }
  return [rename, verify, ...deeds]
}

const SETTINGS: readonly (readonly [section: string, label: string, ...string[]])[] = [
  ['appearance', 'Appearance', 'theme', 'dark', 'light', 'zoom'],
  ['notifications', 'Notifications', 'quiet hours', 'sound'],
  ['running', 'Running', 'start at login', 'port', 'heartbeats at once', 'editor'],
  ['limits', 'Daily limits', 'budget', 'money', 'tokens', 'prices', 'cost'],
  ['channels', 'Channels', 'phone', 'ntfy', 'slack', 'webhook', 'e-mail', 'quiet hours', 'daily report'],
  ['data', 'Data folder', 'backup', 'settings.json', 'open the log', 'pulseward.log'],
  ['updates', 'Updates', 'check for updates', 'new version', 'changelog'],
  ['about', 'About', 'version', 'license', 'diagnostics', 'crash reports'],
]

const THEMES: readonly (readonly [Theme, label: string, ...string[]])[] = [
  ['dark', 'Use the dark theme', 'night'],
  ['light', 'Use the light theme', 'day'],
  ['system', 'Use the system’s theme', 'automatic'],
]

/** Returns a command for a setting that is a single action. */
function themeCommand([theme, label, ...keywords]: (typeof THEMES)[number]): Command {
  return {
    id: `theme ${theme}`,
    label,
    hint: 'Settings',
    group: 'Actions',
    keywords: ['appearance', 'theme', ...keywords],
    isQuiet: true,
    act: { kind: 'theme', theme },
  }
}

function settingCommand([section, label, ...keywords]: (typeof SETTINGS)[number]): Command {
  return {
    id: `setting ${section}`,
    label,
    hint: 'Settings',
    group: 'Settings',
    keywords: ['settings', ...keywords],
    isQuiet: true,
    act: { kind: 'go', address: settingsAddress(section) },
  }
}

function workspaceCommand(workspace: Workspace): Command {
  const { id, name, path, shield, unreviewed, agentId, tags = [] } = workspace
  return {
    id: `workspace ${id}`,
    label: name,
    hint: standingTitle(workspace),
    shield,
    unreviewed,
    group: 'Workspaces',
    keywords: [path, agentId ?? '', ...tags],
    act: { kind: 'go', address: routeTo(id) },
  }
}

function taskCommands({ id, name, tasks, attempts }: WorkspaceDetail): Command[] {
  return tasks.map((task) => ({
    id: `task ${id} ${task.id}`,
    label: task.id,
    hint: task.blocked ? 'blocked' : task.status.replace('_', ' '),
    group: 'Tasks',
    keywords: [task.description, name],
    act: { kind: 'go', address: taskAddress(id, task, attempts) },
  }))
}

/** Returns the address that shows the most about a task: why it is blocked, its last attempt, or its line in the contract. */
function taskAddress(
  workspace: string,
  task: WorkspaceDetail['tasks'][number],
  attempts: WorkspaceDetail['attempts'],
): string {
  if (task.blocked) return routeTo(workspace, 'blocked', task.id)
  const latest = attempts.find(({ taskId }) => taskId === task.id)
  return latest === undefined
    ? routeTo(workspace, 'contract', task.id)
    : routeTo(workspace, 'attempt', latest.attemptId)
}

function actionCommands(
  shown: Workspace,
  nowMs: number,
  keysOf: (name: ShortcutName) => readonly string[],
): Command[] {
  const { id, name, shield, unreviewed, running, paused, suspended, trust } = shown
  const action = (key: string, label: string, act: Act, ...keywords: string[]): Command => ({
    id: `${key} ${id}`,
    label,
    hint: name,
    shield,
    unreviewed,
    keys: keysOf(key),
    group: 'Actions',
    keywords: [...keywords, name],
    act,
  })
  const canRun = running === null && suspended === null && trust !== 'unapproved' && trust !== 'missing'
  const pauses = (
    [
      ['pause-hour', 'Pause for an hour', isoWithOffset(nowMs + HOUR_MS)],
      ['pause-day', 'Pause until tomorrow', 'tomorrow'],
      ['pause', 'Pause until I resume', null],
    ] as const
  ).map(([key, label, until]) =>
    action(key, label, { kind: 'pause', workspace: id, until }, 'stop', 'snooze'),
  )
  return [
    ...(canRun ? [action('run', 'Run now', { kind: 'run', workspace: id }, 'heartbeat', 'start')] : []),
    ...(running === null
      ? []
      : [action('stop', 'Stop now', { kind: 'stop', workspace: id }, 'end', 'kill', 'cancel', 'abort')]),
    ...(paused === null
      ? pauses
      : [action('resume', 'Resume', { kind: 'resume', workspace: id }, 'unpause')]),
  ]
}

function tabCommands(
  { id, name }: WorkspaceDetail,
  keysOf: (name: ShortcutName) => readonly string[],
): Command[] {
  return TABS.map(([tab, label, ...keywords]) => ({
    // Applies to whichever workspace is on screen, so it is remembered without the workspace.
    id: `tab ${tab}`,
    label,
    hint: name,
    keys: keysOf(tab),
    group: 'Screens',
    keywords,
    act: { kind: 'go', address: routeTo(id, tab) },
  }))
}

const FLEET_LABELS: Readonly<Record<FleetPart, readonly [string, ...string[]]>> = {
  workspaces: ['Fleet', 'all hosts', 'workspaces'],
  hosts: ['Hosts of the fleet', 'late', 'down', 'fork'],
  leaderboard: ['7 days of the fleet', 'leaderboard', 'ranking'],
  timeline: ['Timeline of the fleet', 'all hosts', 'history', 'export'],
}

function fleetCommand(part: FleetPart): Command {
  const [label, ...keywords] = FLEET_LABELS[part]
  return {
    id: `fleet ${part}`,
    label,
    hint: '',
    group: 'Screens',
    keywords,
    act: { kind: 'go', address: fleetAddress(part) },
  }
}

function screenCommands(
  hasWorkspaces: boolean,
  keysOf: (name: ShortcutName) => readonly string[],
): Command[] {
  const command = (id: string, label: string, group: Group, act: Act, ...keywords: string[]): Command => ({
    id,
    label,
    hint: '',
    keys: keysOf(id),
    group,
    keywords,
    act,
  })
  const go = (address: string): Act => ({ kind: 'go', address })
  return [
    ...(hasWorkspaces
      ? [command('overview', 'Overview', 'Screens', go(OVERVIEW_ADDRESS), 'all workspaces', 'leaderboard')]
      : []),
    command(
      'settings',
      'Settings',
      'Screens',
      go(settingsAddress()),
      'preferences',
      'theme',
      'zoom',
      'quiet hours',
    ),
    command(
      'setup',
      'Set up a folder',
      'Actions',
      go(SETUP_ADDRESS),
      'first run',
      'new workspace',
      'template',
    ),
    command('add-folder', 'Add a folder', 'Actions', { kind: 'add-folder' }, 'workspace'),
    command('keys', 'Keyboard shortcuts', 'Actions', { kind: 'keys' }, 'help'),
    quiet(command('refresh', 'Reload everything', 'Actions', { kind: 'refresh' }, 'reload', 'refresh')),
  ]
}
