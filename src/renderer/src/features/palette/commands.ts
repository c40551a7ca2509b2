import type { Workspace, WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { SHIELD_ROWS } from '../../../../core/vocabulary/standing.ts'
import { isoWithOffset } from '../../format/moments.ts'
import { OVERVIEW_ADDRESS, routeTo, SETUP_ADDRESS, settingsAddress, type Tab } from '../../route/route.ts'

/** Something that can be found and done; `id` tells one from all others and is what is remembered of it. */
export interface Command {
  readonly id: string
  readonly label: string
  /** Beside the label, quieter: where it belongs, how it stands. */
  readonly hint: string
  readonly group: Group
  /** Found by these too, though they are not shown. */
  readonly keywords: readonly string[]
  readonly act: Act
}

/** What is done; the palette knows how. */
type Act =
  | { readonly kind: 'go'; readonly address: string }
  | { readonly kind: 'run' | 'stop' | 'resume'; readonly workspace: string }
  /** `until`: see the API's `heartbeat.pause`. */
  | { readonly kind: 'pause'; readonly workspace: string; readonly until: string | null }
  | { readonly kind: 'add-folder' | 'keys' }

export const GROUPS = ['Recent', 'Workspaces', 'Tasks', 'Actions', 'Screens'] as const

export type Group = (typeof GROUPS)[number]

const HOUR_MS = 3_600_000

const TABS: readonly (readonly [Tab, string, ...string[]])[] = [
  ['today', 'Today', 'score', 'verdicts', 'heartbeats'],
  ['contract', 'Contract', 'heartbeat.md', 'editor', 'tasks'],
  ['timeline', 'Timeline', 'interventions', 'history', 'events'],
  ['blocked', 'Blocked tasks', 'unblock', 'retry'],
  ['agent', 'Agent', 'profile', 'metrics'],
  ['setup', 'Setup', 'pulseward.toml', 'configuration', 'probes', 'gates'],
]

/** Everything that can be found: all workspaces, and what belongs to the one on screen. */
export function paletteCommands(
  workspaces: readonly Workspace[],
  shown: WorkspaceDetail | undefined,
  nowMs: number,
): Command[] {
  return [
    ...workspaces.map(workspaceCommand),
    ...(shown === undefined ? [] : [...taskCommands(shown), ...actionCommands(shown, nowMs)]),
    ...(shown === undefined ? [] : tabCommands(shown)),
    ...screenCommands(workspaces.length > 0),
  ]
}

function workspaceCommand({ id, name, path, shield, agentId }: Workspace): Command {
  return {
    id: `workspace ${id}`,
    label: name,
    hint: SHIELD_ROWS[shield].title,
    group: 'Workspaces',
    keywords: [path, agentId ?? ''],
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

/** Where there is most to see of a task: why it is blocked, what its last attempt came to, what it asks. */
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

function actionCommands(shown: WorkspaceDetail, nowMs: number): Command[] {
  const { id, name, running, paused, suspended, trust } = shown
  const action = (key: string, label: string, act: Act, ...keywords: string[]): Command => ({
    id: `${key} ${id}`,
    label,
    hint: name,
    group: 'Actions',
    keywords,
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

function tabCommands({ id, name }: WorkspaceDetail): Command[] {
  return TABS.map(([tab, label, ...keywords]) => ({
    // Of whichever workspace is on screen: it is remembered as a screen, not as a place.
    id: `tab ${tab}`,
    label,
    hint: name,
    group: 'Screens',
    keywords,
    act: { kind: 'go', address: routeTo(id, tab) },
  }))
}

function screenCommands(hasWorkspaces: boolean): Command[] {
  const command = (id: string, label: string, group: Group, act: Act, ...keywords: string[]): Command => ({
    id,
    label,
    hint: '',
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
  ]
}
