import type { MenuItemConstructorOptions } from 'electron'
import { standingTitle } from '../../core/read-model/standing-title.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { needsInWords } from '../../core/vocabulary/need.ts'
import type { PermissionAnswer } from '../../core/vocabulary/permission.ts'
import { OVERVIEW, SETTINGS, workspaceAddress } from './address.ts'
import type { HostView } from './follow-host.ts'
import { isWhole, nameLabel } from './label.ts'
import { scoreWords, trayState, worstFirst } from './tray-state.ts'

export interface TrayActions {
  /** Shows the window, at an address if one is given. */
  readonly show: (address?: string) => void
  readonly run: (workspace: string) => void
  /** Ends what is running; nothing is scored. */
  readonly stop: (workspace: string) => void
  readonly unblock: (workspace: string, task: string) => void
  /** `until`: ISO 8601, `tomorrow`, or `null` until resumed. */
  readonly pause: (workspaces: readonly string[], until: string | null) => void
  readonly resume: (workspaces: readonly string[]) => void
  readonly answer: (permissionId: string, answer: PermissionAnswer) => void
  readonly nowMs: () => number
  readonly quit: () => void
}

/** A menu with more is hard to take in; the rest is in the overview. */
const MAX_WORKSPACES = 20
const MAX_BLOCKED = 10
const HOUR_MS = 3_600_000

type Item = MenuItemConstructorOptions

/** Builds the tray's menu: each workspace with its score and actions, and what needs attention. */
export function trayMenu(view: HostView, actions: TrayActions): Item[] {
  const { workspaces } = view
  const shown = worstFirst(workspaces).slice(0, MAX_WORKSPACES)
  const rest = workspaces.length - shown.length
  return [
    { id: 'show', label: 'Open Pulseward', click: () => actions.show() },
    ...attentionItem(view, actions),
    ...permissionItems(view, actions),
    { type: 'separator' },
    ...shown.map((workspace) => workspaceItem(workspace, actions)),
    ...(rest > 0
      ? [{ label: `${rest} more in the overview`, click: () => actions.show(OVERVIEW) } satisfies Item]
      : []),
    ...blockedItems(view, actions),
    ...allItems(workspaces, actions),
    { type: 'separator', visible: workspaces.length > 0 },
    { id: 'overview', label: 'Overview', click: () => actions.show(OVERVIEW) },
    { id: 'settings', label: 'Settings…', click: () => actions.show(SETTINGS) },
    { type: 'separator' },
    { id: 'quit', label: 'Quit Pulseward', click: actions.quit },
  ]
}

function attentionItem(view: HostView, actions: TrayActions): Item[] {
  const { attention, unreviewed, unreviewedWords } = trayState(view)
  const show = () => actions.show(OVERVIEW)
  return [
    ...(unreviewed === 0 ? [] : [{ id: 'unreviewed', label: unreviewedWords, click: show }]),
    ...(attention === 0 ? [] : [{ id: 'attention', label: needsInWords(attention), click: show }]),
  ]
}

/**
 * Returns the menu items for permission requests. One that can't be shown whole can only be denied here: no one should allow what a menu
 * has truncated.
 */
function permissionItems({ permissions }: HostView, actions: TrayActions): Item[] {
  return permissions.map(({ id, workspace, workspaceName, agentId, tool, target }) => {
    const shown = nameLabel(target)
    return {
      id: `permission:${id}`,
      label: `${nameLabel(workspaceName)}: ${nameLabel(agentId)} asks to ${nameLabel(tool)} ${shown}`,
      submenu: [
        ...(isWhole(target)
          ? [
              {
                id: `allow:${id}`,
                label: 'Allow once',
                click: () => actions.answer(id, 'allowed'),
              } satisfies Item,
            ]
          : []),
        { id: `deny:${id}`, label: 'Deny', click: () => actions.answer(id, 'denied') },
        { label: 'Show', click: () => actions.show(workspaceAddress(workspace)) },
      ],
    }
  })
}

function workspaceItem(workspace: Workspace, actions: TrayActions): Item {
  const { id, name, running, paused } = workspace
  const tasks = blockedTasks(workspace)
  return {
    id: `workspace:${id}`,
    label: `${nameLabel(name)}  ${scoreWords(workspace)} · ${standingTitle(workspace)}`,
    submenu: [
      { id: `open:${id}`, label: 'Open', click: () => actions.show(workspaceAddress(id)) },
      {
        id: `run:${id}`,
        label: running === null ? 'Run now' : 'Running…',
        enabled: canRun(workspace),
        click: () => actions.run(id),
      },
      ...(running === null
        ? []
        : [{ id: `stop:${id}`, label: 'Stop now', click: () => actions.stop(id) } satisfies Item]),
      ...(paused === null
        ? [pauseItem(id, 'Pause', [id], actions)]
        : [{ id: `resume:${id}`, label: 'Resume', click: () => actions.resume([id]) } satisfies Item]),
      { type: 'separator', visible: tasks.length > 0 },
      ...tasks.slice(0, MAX_BLOCKED).flatMap((task): Item[] => [
        blockedItem(id, task, `Blocked: ${nameLabel(task)}`, actions),
        {
          id: `unblock:${id}:${task}`,
          label: `Unblock ${nameLabel(task)}`,
          click: () => actions.unblock(id, task),
        },
      ]),
    ],
  }
}

function pauseItem(key: string, label: string, ids: readonly string[], actions: TrayActions): Item {
  const inAnHour = (): string => new Date(actions.nowMs() + HOUR_MS).toISOString()
  return {
    id: `pause:${key}`,
    label,
    submenu: [
      { id: `pause-hour:${key}`, label: 'For an hour', click: () => actions.pause(ids, inAnHour()) },
      { id: `pause-day:${key}`, label: 'Until tomorrow', click: () => actions.pause(ids, 'tomorrow') },
      { id: `pause-on:${key}`, label: 'Until I resume', click: () => actions.pause(ids, null) },
    ],
  }
}

/** Returns the items that lead to all blocked tasks. */
function blockedItems({ workspaces }: HostView, actions: TrayActions): Item[] {
  const all = workspaces.flatMap((workspace) =>
    blockedTasks(workspace).map((task) => ({ id: workspace.id, name: workspace.name, task })),
  )
  if (all.length === 0) return []
  return [
    { type: 'separator' },
    {
      id: 'blocked',
      label: all.length === 1 ? '1 blocked task' : `${all.length} blocked tasks`,
      submenu: all.slice(0, MAX_WORKSPACES).map(({ id, name, task }) => ({
        ...blockedItem(id, task, `${nameLabel(name)}: ${nameLabel(task)}`, actions),
        id: `jump:${id}:${task}`,
      })),
    },
  ]
}

/** Returns the blocked tasks from the list of what needs the operator. */
function blockedTasks({ needs }: Workspace): string[] {
  return needs.filter(({ kind }) => kind === 'blocked').map(({ id }) => id)
}

function blockedItem(workspace: string, task: string, label: string, actions: TrayActions): Item {
  return {
    id: `blocked:${workspace}:${task}`,
    label,
    click: () => actions.show(workspaceAddress(workspace, 'blocked', task)),
  }
}

function allItems(workspaces: readonly Workspace[], actions: TrayActions): Item[] {
  const idsWhere = (paused: boolean): string[] =>
    workspaces.filter((workspace) => (workspace.paused !== null) === paused).map(({ id }) => id)
  const [active, paused] = [idsWhere(false), idsWhere(true)]
  if (workspaces.length < 2) return []
  return [
    { type: 'separator' },
    ...(active.length > 0 ? [pauseItem('', 'Pause all', active, actions)] : []),
    ...(paused.length > 0
      ? [{ id: 'resume-all', label: 'Resume all', click: () => actions.resume(paused) } satisfies Item]
      : []),
  ]
}

export function canRun({ running, suspended, trust }: Workspace): boolean {
  return running === null && suspended === null && trust !== 'unapproved' && trust !== 'missing'
}
