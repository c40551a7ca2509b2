import { percentDecoded } from '../../core/text/percent-decoded.ts'
import { type NotificationSubject, notificationTab } from '../../core/vocabulary/notification.ts'

/*
 * Addresses of the page's screens, the part after `#`. The page accepts any: an unknown one shows its start.
 */

export const OVERVIEW = '#/overview'
/** The screen of the small window at the tray; no link leads to it. */
export const GLANCE = '#/glance'
export const SETTINGS = '#/settings'
export const UPDATES = '#/settings/updates'
export const SETUP = '#/setup'
export const HELP = '#/help'

/** Longer links lead nowhere, because ids are short. */
const MAX_LINK_LENGTH = 2_000
const MAX_PARTS = 4
const SCREENS = ['w', 'overview', 'settings', 'setup', 'help']

/** Returns the address of a workspace's tab, or of one item in it. */
export function workspaceAddress(workspace: string, tab = 'today', item?: string): string {
  const parts = item === undefined ? [workspace, tab] : [workspace, tab, item]
  return `#/w/${parts.map(encodeURIComponent).join('/')}`
}

/** Returns the address of the screen that a notification is about. */
export function notificationAddress(
  about: NotificationSubject,
  workspace: string,
  task: string | undefined,
): string {
  if (workspace === '') return OVERVIEW
  const tab = notificationTab(about)
  return workspaceAddress(workspace, tab, tab === 'blocked' ? task : undefined)
}

/** Returns the workspace that an address shows; `null` if it shows none. */
export function workspaceOfAddress(url: string): string | null {
  const id = /#\/w\/([^/?]+)/u.exec(url)?.[1]
  return id === undefined ? null : percentDecoded(id)
}

/**
 * Returns the address that a link such as `pulseward://w/ID/timeline/ENTRY?severity=critical` leads to; `null` for anything else. Links
 * come from anywhere, so they can only show a screen.
 */
export function linkAddress(link: string): string | null {
  // `URL` silently drops some control characters.
  if (link.length > MAX_LINK_LENGTH || /\p{Cc}/u.test(link) || !URL.canParse(link)) return null
  const url = new URL(link)
  if (url.protocol !== 'pulseward:' || url.username !== '' || url.password !== '' || url.port !== '')
    return null
  const parts = [url.hostname, ...url.pathname.split('/').filter((part) => part !== '')].map(percentDecoded)
  if (parts.length > MAX_PARTS || !SCREENS.includes(parts[0] ?? '')) return null
  if (parts.some((part) => part === null || !isPlain(part))) return null
  const query = [...url.searchParams].filter(([name, value]) => /^[a-z]{1,20}$/u.test(name) && isPlain(value))
  const search = new URLSearchParams(query).toString()
  const path = parts.map((part) => encodeURIComponent(part ?? '')).join('/')
  return `#/${path}${search === '' ? '' : `?${search}`}`
}

/** Returns the address of the first link among a program's arguments; `null` if there is none. */
export function linkAmong(args: readonly string[]): string | null {
  const link = args.find((arg) => arg.startsWith('pulseward:'))
  return link === undefined ? null : linkAddress(link)
}

/**
 * Returns whether a text can be a name or id: in any script, but without characters that control a terminal or the direction of the text
 * around it.
 */
function isPlain(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
}
