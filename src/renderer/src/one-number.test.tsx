import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { NEED_ACTIONS, NEED_KINDS, needsInWords } from '../../core/vocabulary/need.ts'
import { trayState } from '../../main/desktop/tray-state.ts'
import { Decisions } from './features/decisions/decisions.tsx'
import { Inbox } from './features/decisions/inbox.tsx'
import { WorkspaceList } from './features/overview/workspace-list.tsx'
import { Sidebar } from './features/sidebar/sidebar.tsx'
import { createAppStore } from './store/app-store.ts'
import { AppStoreContext } from './store/use-app.ts'

/* The host's own list, the full workspace and the command line are compared with the tray in main/procedures/needs.test.ts. */

const needs = NEED_KINDS.map((kind) => ({
  kind,
  workspace: 'w',
  id: kind,
  reason: `Because of ${kind}.`,
  action: NEED_ACTIONS[kind],
}))

const workspaceWith = (some: readonly (typeof needs)[number][]): Workspace =>
  ({
    id: 'w',
    name: 'backend',
    path: '/home/me/backend',
    shield: 'good',
    running: null,
    paused: null,
    score: { score: 5, target: 50, failed: 0, verified: 1, lifetime: { daysTracked: 1 } },
    group: null,
    tags: [],
    next: { at: null, reason: '' },
    needs: some,
  }) as unknown as Workspace

/** Returns the text shown there, without markup. */
function wordsOf(workspace: Workspace, what: React.ReactNode): string {
  const store = createAppStore({} as never)
  store.setState({ workspaces: [workspace] })
  // Outside a browser, React uses the initial state of the store.
  Object.assign(store, { getInitialState: store.getState })
  const markup = renderToStaticMarkup(<AppStoreContext value={store}>{what}</AppStoreContext>)
  return markup.replaceAll(/<[^>]*>/g, '')
}

test.each([0, 1, needs.length])(
  'counts %d decisions in the sidebar, the overview and its list, as in the tray',
  (count) => {
    const workspace = workspaceWith(needs.slice(0, count))
    const nothing = () => {}
    const sidebar = wordsOf(
      workspace,
      <Sidebar route={{ screen: 'overview' }} onAddFolder={nothing} onFind={nothing} />,
    )
    const inbox = wordsOf(workspace, <Inbox workspaces={[workspace]} isNamed />)
    const list = wordsOf(workspace, <WorkspaceList order="urgency" by="none" workspaces={[workspace]} />)
    expect(trayState({ workspaces: [workspace] }).attention).toBe(count)
    expect(sidebar.includes('need you') || sidebar.includes('needs you')).toBe(count > 0)
    if (count === 0) return expect(inbox).toBe('')
    expect(sidebar).toContain(needsInWords(count))
    expect(list).toContain(needsInWords(count))
    expect(inbox).toContain(count === 1 ? '1 decision' : `${count} decisions`)
    expect(needs.slice(0, count).filter(({ reason }) => inbox.includes(reason))).toHaveLength(count)
  },
)

test.each([
  ['good', 'Nothing needs your attention.'],
  ['lockdown', 'No decisions are waiting.'],
] as const)('without decisions and with a workspace that is %s, the overview says: %s', (shield, words) => {
  const workspace = { ...workspaceWith([]), shield, unreviewed: 0 }
  expect(wordsOf(workspace, <Decisions workspaces={[workspace]} />).trim()).toBe(words)
})
