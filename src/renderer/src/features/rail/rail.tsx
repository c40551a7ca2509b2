import { FolderPlus } from 'lucide-react'
import type { Workspace } from '../../../../api/schemas/workspace.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { STANDING_WORDS } from '../../format/standing.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { classNames } from '../../ui/class-names.ts'
import { Shield } from '../../ui/shield.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './rail.module.css'

/** All workspaces at a glance: shield, score, name, and how many things ask for the operator. */
export function Rail({ shownId, onAddFolder }: { shownId: string | null; onAddFolder: () => void }) {
  const workspaces = useApp((state) => state.workspaces)
  return (
    <nav className={styles.rail} aria-label="Workspaces">
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
