import { percentDecoded } from '../../../core/text/percent-decoded.ts'

/** The current route, kept in the address after `#`, so that back, reload and links work. */
export type Route =
  /** No address: shows whatever comes first. */
  | { readonly screen: 'start' }
  /** All workspaces side by side. */
  | { readonly screen: 'overview' }
  /** The app's settings; `section` scrolls to one of them. */
  | { readonly screen: 'settings'; readonly section: string | null }
  /** Scores, the worst claim and decisions in the small tray window. */
  | { readonly screen: 'glance' }
  /** Setting up a folder, step by step. */
  | { readonly screen: 'setup' }
  /** The documentation; `page` is one of its documents, `anchor` a heading of it. */
  | { readonly screen: 'help'; readonly page: string | null; readonly anchor: string | null }
  | FleetRoute
  | WorkspaceRoute

/** On a center: all hosts and their workspaces. */
export interface FleetRoute {
  readonly screen: 'fleet'
  readonly part: FleetPart
  /** The workspace shown in full, or the open timeline entry; `null` if there is none. */
  readonly item: FleetItem | null
  /** The filter by host, group and tag. */
  readonly query: Readonly<Record<string, string>>
}

export interface FleetItem {
  readonly host: string
  readonly workspace: string
  /** For the timeline: the entry's id in that workspace. */
  readonly entry?: string
}

export const FLEET_PARTS = ['workspaces', 'hosts', 'leaderboard', 'timeline'] as const

export type FleetPart = (typeof FLEET_PARTS)[number]

export interface WorkspaceRoute {
  readonly screen: 'workspace'
  readonly workspaceId: string
  readonly tab: Tab
  /** The shown item of the tab: an attempt's id, an entry of the timeline, a task. */
  readonly item: string | null
  /** The tab's filter, such as that of the timeline. */
  readonly query: Readonly<Record<string, string>>
}

const TABS = [
  'today',
  'contract',
  'timeline',
  'blocked',
  'landing',
  'agent',
  'setup',
  'attempt',
  'session',
  'verify',
] as const

/** Screens whose address always names an item. They are not tabs, and neither is `verify`. */
const NAMED: readonly Tab[] = ['attempt', 'session']

export type Tab = (typeof TABS)[number]

/** Returns the route for a `location.hash`; the start if it is unknown. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/u, '').split('?')
  const [root, ...rest] = path.split('/').filter((part) => part !== '')
  if (root === 'overview') return { screen: 'overview' }
  if (root === 'settings') return { screen: 'settings', section: decoded(rest[0]) }
  if (root === 'glance') return { screen: 'glance' }
  if (root === 'setup') return { screen: 'setup' }
  if (root === 'help') return { screen: 'help', page: decoded(rest[0]), anchor: decoded(rest[1]) }
  if (root === 'fleet') return parseFleet(rest, search)
  const workspaceId = root === 'w' ? decoded(rest[0]) : null
  if (workspaceId === null) return { screen: 'start' }
  const item = decoded(rest[2])
  const tab = TABS.find((known) => known === rest[1]) ?? 'today'
  return {
    screen: 'workspace',
    workspaceId,
    tab: NAMED.includes(tab) && item === null ? 'today' : tab,
    item,
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

function parseFleet([name, ...names]: readonly string[], search: string): FleetRoute {
  const [host, workspace, entry] = names.map(decoded)
  const part = FLEET_PARTS.find((known) => known === name) ?? 'workspaces'
  const item = host == null || workspace == null ? null : itemOf(part, host, workspace, entry ?? null)
  return { screen: 'fleet', part, item, query: Object.fromEntries(new URLSearchParams(search)) }
}

function itemOf(part: FleetPart, host: string, workspace: string, entry: string | null): FleetItem | null {
  if (part === 'workspaces') return { host, workspace }
  return part === 'timeline' && entry !== null ? { host, workspace, entry } : null
}

/** Returns the address of a screen of the fleet, of one workspace in it, or of one entry of its timeline. */
export function fleetAddress(
  part: FleetPart = 'workspaces',
  item: FleetItem | null = null,
  query: Readonly<Record<string, string>> = {},
): string {
  const whole =
    item === null ? [] : [item.host, item.workspace, ...(item.entry === undefined ? [] : [item.entry])]
  const names = whole.map(encodeURIComponent)
  const isWhole = part !== 'workspaces' || names.length > 0
  return withQuery(['#/fleet', ...(isWhole ? [part] : []), ...names].join('/'), query)
}

/** The address of whatever is shown first. */
export const START_ADDRESS = '#/'
export const OVERVIEW_ADDRESS = '#/overview'
export const GLANCE_ADDRESS = '#/glance'
export const SETUP_ADDRESS = '#/setup'

/** Returns the address of the settings, or of one section of them. */
export function settingsAddress(section: string | null = null): string {
  return section === null ? '#/settings' : `#/settings/${encodeURIComponent(section)}`
}

/** Returns the address of the documentation, of one of its documents, or of a heading in one. */
export function helpAddress(page: string | null = null, anchor: string | null = null): string {
  const parts = [page, anchor].flatMap((part) => (part === null ? [] : [encodeURIComponent(part)]))
  return ['#/help', ...parts].join('/')
}

/** Returns the address of a workspace's tab, or of one item in it, for `href` and `location.hash`. */
export function routeTo(
  workspaceId: string,
  tab: Tab = 'today',
  item: string | null = null,
  query: Readonly<Record<string, string>> = {},
): string {
  const workspace = `#/w/${encodeURIComponent(workspaceId)}`
  const place = tab === 'today' && item === null ? workspace : `${workspace}/${tab}`
  const whole = item === null ? place : `${place}/${encodeURIComponent(item)}`
  return withQuery(whole, query)
}

/** The item of the Today tab when the user comes to approve. */
const APPROVAL = 'approve'

/** Returns the address for approving a workspace's commands. */
export function approvalAddress(workspaceId: string): string {
  return routeTo(workspaceId, 'today', APPROVAL)
}

export function asksForApproval({ tab, item }: WorkspaceRoute): boolean {
  return tab === 'today' && item === APPROVAL
}

/** Returns the address of a line of the contract, counted from 1. */
export function contractLineAddress(workspaceId: string, line: number): string {
  return routeTo(workspaceId, 'contract', null, { line: String(line) })
}

/** Returns the line that an address of the contract names; `null` if there is none. */
export function lineOf({ query }: WorkspaceRoute): number | null {
  const line = Number(query.line)
  return Number.isInteger(line) && line > 0 ? line : null
}

/** Returns the address of a day in the timeline, such as `2026-11-20`. */
export function dayAddress(
  workspaceId: string,
  day: string,
  query: Readonly<Record<string, string>> = {},
): string {
  return routeTo(workspaceId, 'timeline', null, { ...query, day })
}

/** Returns the address of Setup with a path added to what the agent may write to, not saved yet. */
export function allowPathAddress(workspaceId: string, path: string): string {
  return routeTo(workspaceId, 'setup', 'sandbox', { allow: path })
}

/** Returns the path that an address of Setup asks to allow; `null` if there is none. */
export function pathToAllow({ query }: WorkspaceRoute): string | null {
  return query.allow ?? null
}

function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? address : `${address}?${search}`
}

/** Returns the first screen of a workspace. */
export function workspaceRoute(workspaceId: string): WorkspaceRoute {
  return { screen: 'workspace', workspaceId, tab: 'today', item: null, query: {} }
}

function decoded(part: string | undefined): string | null {
  return part === undefined ? null : percentDecoded(part)
}
