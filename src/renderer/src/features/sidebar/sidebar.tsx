import { FolderPlus, LayoutGrid, Search, Server, Settings } from 'lucide-react'
import { useRef, useState } from 'react'
import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints, formatSignedPoints } from '../../../../core/scoring/format.ts'
import { needsInWords } from '../../../../core/vocabulary/need.ts'
import { unreviewedCount } from '../../../../core/vocabulary/unreviewed.ts'
import { isUntouched } from '../../format/standing.ts'
import { fleetAddress, OVERVIEW_ADDRESS, type Route, routeTo, settingsAddress } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { classNames } from '../../ui/class-names.ts'
import { KEPT_OF_NAMES, MiddleCut } from '../../ui/middle-cut.tsx'
import { Shield } from '../../ui/shield.tsx'
import { useCurrentInSight } from '../../ui/use-current-in-sight.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { WorkspaceMenu } from '../workspace-menu/workspace-menu.tsx'
import { Messages } from './messages.tsx'
import styles from './sidebar.module.css'

/** All workspaces at a glance: shield, score, name, and how many things need the operator. */
export function Sidebar({
  route,
  onAddFolder,
  onFind,
}: {
  route: Route
  onAddFolder: () => void
  onFind: () => void
}) {
  const workspaces = useApp((state) => state.workspaces)
  const isCentre = useApp((state) => state.isCentre)
  const shownId = route.screen === 'workspace' ? route.workspaceId : null
  const list = useRef<HTMLUListElement>(null)
  const isListed = workspaces.some(({ id }) => id === shownId)
  // If it was opened by address or key, the current workspace may be outside the visible part of the sidebar.
  useCurrentInSight(list, isListed ? shownId : null)
  return (
    <nav className={styles.sidebar} aria-label="Workspaces">
      <button type="button" className={styles.add} onClick={onFind}>
        <Search size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>Find anything</span>
      </button>
      {/* Hidden on a fleet hub without workspaces, because the overview would be empty. */}
      {!(isCentre && workspaces.length === 0) && (
        <a
          className={styles.add}
          href={OVERVIEW_ADDRESS}
          aria-current={route.screen === 'overview' ? 'page' : undefined}
        >
          <LayoutGrid size={18} strokeWidth={1.75} aria-hidden />
          <span className={styles.label}>Overview</span>
        </a>
      )}
      {isCentre && (
        <a
          className={styles.add}
          href={fleetAddress()}
          aria-current={route.screen === 'fleet' ? 'page' : undefined}
        >
          <Server size={18} strokeWidth={1.75} aria-hidden />
          <span className={styles.label}>Fleet</span>
        </a>
      )}
      <ul className={styles.list} ref={list}>
        {workspaces.map((workspace) => (
          <SidebarRow key={workspace.id} workspace={workspace} shown={workspace.id === shownId} />
        ))}
        <Unsupervised />
      </ul>
      <button type="button" className={styles.add} onClick={onAddFolder}>
        <FolderPlus size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>Add folder</span>
      </button>
      <Messages className={styles.add} labelClass={styles.label} />
      <a
        className={styles.add}
        href={settingsAddress()}
        aria-current={route.screen === 'settings' ? 'page' : undefined}
      >
        <Settings size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>Settings</span>
      </a>
    </nav>
  )
}

/** Workspaces that the host knows but does not supervise: still opening, or failed to open. */
function Unsupervised() {
  const opening = useApp((state) => state.opening)
  const unopened = useApp((state) => state.unopened)
  return (
    <>
      {unopened.map(({ id, name, reason }) => (
        <li key={id} className={styles.unsupervised} title={reason}>
          <bdi>{name}</bdi>: could not be opened. {reason}
        </li>
      ))}
      {opening.length > 0 && (
        <li className={styles.unsupervised} role="status">
          Opening {opening.length === 1 ? opening[0]?.name : `${opening.length} more`} …
        </li>
      )}
    </>
  )
}

/** Its menu appears on hover, on focus or on right click: otherwise there would be a hundred buttons to tab through. */
function SidebarRow({ workspace, shown }: { workspace: Workspace; shown: boolean }) {
  const [isNear, setNear] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  return (
    <li
      ref={row}
      className={styles.row}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onContextMenu={(event) => {
        const button = row.current?.querySelector('button')
        if (button == null) return
        event.preventDefault()
        button.focus()
        button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      }}
    >
      <SidebarItem workspace={workspace} shown={shown} />
      {isNear && (
        <span className={styles.menu}>
          <WorkspaceMenu workspace={workspace} />
        </span>
      )}
    </li>
  )
}

function SidebarItem({ workspace, shown }: { workspace: Workspace; shown: boolean }) {
  const { id, name, path, shield, score, running, needs, unreviewed, unreviewedOthers } = workspace
  const title = `${name}: ${standingTitle(workspace)}, ${formatPoints(score.score)} of ${formatPoints(score.target)}\n${unreviewed > 0 ? `${unreviewedCount(unreviewed, unreviewedOthers)}\n` : ''}${path}`
  return (
    <a className={styles.item} href={routeTo(id)} aria-current={shown ? 'page' : undefined} title={title}>
      <span className={classNames(styles.shield, running !== null && styles.running)}>
        <Shield level={shield} unreviewed={unreviewed} size={22} />
        {needs.length > 0 && <span className={styles.dot} />}
      </span>
      <VisuallyHidden>{standingTitle(workspace)}, </VisuallyHidden>
      <span className={styles.score} data-sign={isUntouched(workspace) ? 0 : Math.sign(score.score)}>
        {isUntouched(workspace) ? '–' : formatSignedPoints(score.score)}
      </span>{' '}
      <MiddleCut className={styles.label} text={name} title={title} kept={KEPT_OF_NAMES} />
      {running !== null && <VisuallyHidden>, running</VisuallyHidden>}
      {score.failed > 0 && (
        <span
          className={styles.failed}
          title={`${score.failed} of today’s verdicts are contradictions or not verified`}
        >
          {score.failed}
          <VisuallyHidden> not verified today</VisuallyHidden>
        </span>
      )}
      {needs.length > 0 && (
        <span className={styles.alerts}>
          {needs.length}
          <VisuallyHidden>{needsInWords(needs.length).replace(/^\d+/u, '')}</VisuallyHidden>
        </span>
      )}
    </a>
  )
}
