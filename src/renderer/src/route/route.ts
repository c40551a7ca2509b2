/** Where the page is. Kept in the address after `#`, so that back, reload and links work. */
export interface Route {
  readonly workspaceId: string | null
  readonly tab: Tab
}

const TABS = ['today', 'contract', 'timeline', 'blocked'] as const

export type Tab = (typeof TABS)[number]

/** The route that a `location.hash` names; anything unknown is the start. */
export function parseRoute(hash: string): Route {
  const [, id, tab] = /^#\/w\/([^/]+)(?:\/(\w+))?$/u.exec(hash) ?? []
  if (id === undefined) return { workspaceId: null, tab: 'today' }
  return { workspaceId: decoded(id), tab: TABS.find((known) => known === tab) ?? 'today' }
}

/** The address of a workspace's tab, for `href` and `location.hash`. */
export function routeTo(workspaceId: string, tab: Tab = 'today'): string {
  const workspace = `#/w/${encodeURIComponent(workspaceId)}`
  return tab === 'today' ? workspace : `${workspace}/${tab}`
}

function decoded(id: string): string | null {
  try {
    return decodeURIComponent(id)
  } catch {
    return null
  }
}
