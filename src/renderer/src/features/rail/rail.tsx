import { FolderPlus, LayoutGrid, Search, Settings } from 'lucide-react'
import type { Workspace } from '../../../../api/schemas/workspace.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { STANDING_WORDS } from '../../format/standing.ts'
import { OVERVIEW_ADDRESS, type Route, routeTo, settingsAddress } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { classNames } from '../../ui/class-names.ts'
import { Shield } from '../../ui/shield.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './rail.module.css'

/** All workspaces at a glance: shield, score, name, and how many things ask for the operator. */
export function Rail({
  route,
  onAddFolder,
  onFind,
}: {
  route: Route
  onAddFolder: () => void
  onFind: () => void
}) {
  const workspaces = useApp((state) => state.workspaces)
  const shownId = route.screen === 'workspace' ? route.workspaceId : null
  return (
    <nav className={styles.rail} aria-label="Workspaces">
      <button type="button" className={styles.add} onClick={onFind}>
        <Search size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>Find anything</span>
      </button>
      <a
        className={styles.add}
        href={OVERVIEW_ADDRESS}
        aria-current={route.screen === 'overview' ? 'page' : undefined}
      >
        <LayoutGrid size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>Overview</span>
      </a>
      <ul className={styles.list}>
        {workspaces.map((workspace) => (
          <li key={workspace.id}>
            <RailItem workspace={workspace} shown={workspace.id === shownId} />
          </li>
        ))}
      </ul>
      <button type="button" className={styles.add} onClick={onAddFolder}>
        <FolderPlus size={18} strokeWidth={1.75} aria-hidden />
        <span className={styles.label}>Add folder</span>
      </button>
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

function RailItem({ workspace, shown }: { workspace: Workspace; shown: boolean }) {
  const { id, name, path, shield, score, running } = workspace
  const alerts = alertCount(workspace)
  return (
    <a
      className={styles.item}
      href={routeTo(id)}
      aria-current={shown ? 'page' : undefined}
      title={`${name}\n${path}`}
    >
      <span className={classNames(styles.shield, running !== null && styles.running)}>
        <Shield level={shield} size={22} />
        {alerts > 0 && <span className={styles.dot} />}
      </span>
      <VisuallyHidden>{STANDING_WORDS[shield]}, </VisuallyHidden>
      <span className={styles.score} data-negative={score.score < 0}>
        {isUntouched(workspace) ? '–' : formatSignedPoints(score.score)}
      </span>{' '}
      <bdi className={styles.label}>{name}</bdi>
      {running !== null && <VisuallyHidden>, running</VisuallyHidden>}
      {alerts > 0 && (
        <span className={styles.alerts}>
          {alerts} <VisuallyHidden>{alerts === 1 ? 'alert' : 'alerts'}</VisuallyHidden>
        </span>
      )}
    </a>
  )
}

/** Nothing was ever judged here: a zero would look like a result. */
function isUntouched({ score }: Workspace): boolean {
  return score.lifetime.daysTracked === 0 && score.verified + score.failed + score.unclear === 0
}

/** Notices that stand, and a configuration that waits for approval. */
function alertCount({ notices, trust }: Workspace): number {
  return notices.length + (trust === 'unapproved' || trust === 'changed' ? 1 : 0)
}
