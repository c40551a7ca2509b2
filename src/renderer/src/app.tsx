import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import type { KnownWorkspace } from '../../api/schemas/host.ts'
import styles from './app.module.css'
import { Connecting } from './features/connection/connecting.tsx'
import { ConnectionBanner } from './features/connection/connection-banner.tsx'
import { MissingPlace } from './features/missing/missing-place.tsx'
import { OverviewScreen } from './features/overview/overview-screen.tsx'
import { useFinders } from './features/palette/finders.tsx'
import { PermissionRequests } from './features/permissions/permission-requests.tsx'
import { Sidebar } from './features/sidebar/sidebar.tsx'
import { Welcome } from './features/welcome/welcome.tsx'
import { WorkspaceScreen } from './features/workspace/workspace-screen.tsx'
import { pageTitle } from './page-title.ts'
import { type FleetRoute, type Route, routeTo, SETUP_ADDRESS, workspaceRoute } from './route/route.ts'
import { navigate, useRoute } from './route/use-route.ts'
import { useApp } from './store/use-app.ts'
import { LooksOnly } from './ui/button.tsx'
import { lazyNamed } from './ui/lazy-named.tsx'
import { TitleBar } from './ui/title-bar.tsx'
import { Toasts } from './ui/toasts.tsx'

const SettingsScreen = lazyNamed(() => import('./features/settings/settings-screen.tsx'), 'SettingsScreen')
const AddWorkspaceScreen = lazyNamed(
  () => import('./features/add-workspace/add-workspace-screen.tsx'),
  'AddWorkspaceScreen',
)
const GlanceScreen = lazyNamed(() => import('./features/glance/glance-screen.tsx'), 'GlanceScreen')
const FleetScreen = lazyNamed(() => import('./features/fleet/fleet-screen.tsx'), 'FleetScreen')
const HelpScreen = lazyNamed(() => import('./features/help/help-screen.tsx'), 'HelpScreen')
const addFolder = () => navigate(SETUP_ADDRESS)

/** The page: all of it, or the content of the small window at the tray. */
export function App() {
  const { screen } = useRoute()
  return screen === 'glance' ? <GlancePage /> : <WholePage />
}

function GlancePage() {
  return (
    <div className={styles.alone}>
      <main className={styles.main}>
        <ConnectionBanner />
        <Acting>
          <GlanceScreen />
        </Acting>
      </main>
      <Messages />
    </div>
  )
}

/** The sidebar of workspaces, and the screen of one of them. */
function WholePage() {
  const workspaces = useApp((state) => state.workspaces)
  const known = useKnown()
  // A workspace that cannot be opened is listed there, even if it is the only one.
  const hasUnopened = useApp((state) => state.unopened.length > 0)
  const isCentre = useApp((state) => state.isCentre)
  const { asked, shown: route } = useShownRoute()
  const { openPalette, finders } = useFinders(addFolder)
  const title = pageTitle(workspaces, shownBy(route))
  useEffect(() => {
    document.title = title
  }, [title])
  useFocusKept(asked)
  return (
    <div className={styles.app}>
      <TitleBar title={title} />
      <button type="button" className={styles.skip} onClick={skipToContent}>
        Skip to the workspace
      </button>
      {(known.length > 0 || hasUnopened || isCentre) && (
        <Sidebar route={route} onAddFolder={addFolder} onFind={openPalette} />
      )}
      <main id="content" className={styles.main} tabIndex={-1}>
        <ConnectionBanner />
        <Acting above={<PermissionRequests />}>
          {asked !== route && <MissingPlace asked={asked} />}
          <Screen route={route} onAddFolder={addFolder} />
        </Acting>
      </main>
      {finders}
      <Messages />
    </div>
  )
}

/** Disables the controls that act while the connection is lost; navigation keeps working. */
function Acting({ above, children }: { above?: ReactNode; children: ReactNode }) {
  const answered = useApp((state) => state.version !== null)
  const canAct = useApp(({ connection }) => connection.kind !== 'lost')
  const readsOnly = useApp((state) => state.readsOnly)
  return (
    <fieldset className={styles.acting} role="presentation" disabled={!canAct}>
      <LooksOnly value={readsOnly}>
        {above}
        {answered ? <Suspense fallback={<Connecting />}>{children}</Suspense> : <Connecting />}
      </LooksOnly>
    </fieldset>
  )
}

function Messages() {
  const toasts = useApp((state) => state.toasts)
  const dismissToast = useApp((state) => state.dismissToast)
  return <Toasts toasts={toasts} onDismiss={dismissToast} />
}

function Screen({ route, onAddFolder }: { route: ShownRoute; onAddFolder: () => void }) {
  switch (route.screen) {
    case 'start':
      return <Welcome onAddFolder={onAddFolder} />
    case 'overview':
      return <OverviewScreen />
    case 'fleet':
      return <FleetScreen route={route} />
    case 'settings':
      return <SettingsScreen section={route.section} />
    case 'setup':
      return <AddWorkspaceScreen />
    case 'help':
      return <HelpScreen page={route.page} anchor={route.anchor} />
    case 'workspace':
      return <WorkspaceScreen key={route.workspaceId} route={route} />
  }
}

const SCREEN_NAMES: Readonly<Partial<Record<ShownRoute['screen'], string>>> = {
  overview: 'Overview',
  settings: 'Settings',
  setup: 'Set up a folder',
  help: 'Documentation',
  fleet: 'Fleet',
}

/** Returns what the page title names for a screen. */
function shownBy(route: ShownRoute): Parameters<typeof pageTitle>[1] {
  if (route.screen === 'workspace') return { id: route.workspaceId }
  const screen = SCREEN_NAMES[route.screen]
  return screen === undefined ? {} : { screen }
}

/** Returns all workspaces that have a screen, including those still being opened. */
function useKnown(): readonly KnownWorkspace[] {
  const workspaces = useApp((state) => state.workspaces)
  const opening = useApp((state) => state.opening)
  return useMemo(() => [...workspaces, ...opening], [workspaces, opening])
}

const FLEET_ROUTE: FleetRoute = { screen: 'fleet', part: 'workspaces', item: null, query: {} }

/** The tray window is a separate page. */
type ShownRoute = Exclude<Route, { readonly screen: 'glance' }>

/** Returns the requested route and the screen it leads to; the store keeps the shown workspace up to date. */
function useShownRoute(): { readonly asked: Route; readonly shown: ShownRoute } {
  const asked = useRoute()
  const known = useKnown()
  const watch = useApp((state) => state.watch)
  const isCentre = useApp((state) => state.isCentre)
  const route = shownRoute(asked, known, isCentre)
  const shownId = route.screen === 'workspace' ? route.workspaceId : null
  // Until the host has listed the workspaces, the most likely one is watched.
  const answered = useApp((state) => state.version !== null)
  useEffect(() => {
    if (answered) watch(shownId)
  }, [answered, shownId, watch])
  // Put the shown workspace into the address, so that it stays on screen when a second workspace is added.
  const isStart = asked.screen === 'start'
  useEffect(() => {
    if (isStart && shownId !== null) window.history.replaceState(window.history.state, '', routeTo(shownId))
  }, [isStart, shownId])
  return { asked, shown: route }
}

/**
 * Returns the screen that an address leads to. The start is the only workspace, or the overview of several. The address of a removed
 * workspace leads there too, and a message says so. A fleet hub without workspaces starts with its fleet.
 */
function shownRoute(asked: Route, known: readonly KnownWorkspace[], isCentre: boolean): ShownRoute {
  const isKnown = asked.screen !== 'workspace' || known.some(({ id }) => id === asked.workspaceId)
  const isEmptyOverview = asked.screen === 'overview' && known.length === 0
  const isOfNoFleet = asked.screen === 'fleet' && !isCentre
  if (asked.screen !== 'start' && asked.screen !== 'glance' && isKnown && !isEmptyOverview && !isOfNoFleet)
    return asked
  const [first, ...others] = known
  if (first === undefined) return isCentre ? FLEET_ROUTE : { screen: 'start' }
  return others.length === 0 ? workspaceRoute(first.id) : { screen: 'overview' }
}

/**
 * Moves the focus to the new screen's content if navigation removed the focused element, so that keyboard and screen-reader users start at
 * its top.
 */
function useFocusKept(asked: Route): void {
  const before = useRef(asked)
  useEffect(() => {
    // The start replaces its own address, which is not a navigation.
    const hasGone = before.current !== asked && before.current.screen !== 'start'
    before.current = asked
    if (hasGone && document.activeElement === document.body) skipToContent()
  }, [asked])
}

/** A button, not a link: the address after `#` is the route. */
function skipToContent(): void {
  document.getElementById('content')?.focus()
}
