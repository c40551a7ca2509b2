import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { isUntouched } from '../../format/standing.ts'
import { routeTo } from '../../route/route.ts'
import { KEPT_OF_NAMES, MiddleCut } from '../../ui/middle-cut.tsx'
import { NeedCount } from '../../ui/need-count.tsx'
import { Shield } from '../../ui/shield.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { GROUPING_WORDS, type Group, type Grouping, grouped, inOrder } from './arrange.ts'
import type { Arrangement } from './list-choices.tsx'
import styles from './workspace-list.module.css'

/** All workspaces in columns, a row each, in an order and groups of the operator’s. */
export function WorkspaceList({
  workspaces,
  order,
  by,
}: Pick<Arrangement, 'order' | 'by'> & { workspaces: readonly Workspace[] }) {
  return (
    <section className="stack" aria-label="Workspaces, listed">
      {grouped(inOrder(workspaces, order), by).map((group) => (
        <Rows key={group.title ?? ''} group={group} by={by} />
      ))}
    </section>
  )
}

function Rows({ group: { title, workspaces }, by }: { group: Group; by: Grouping }) {
  const { shown, more } = useLongList(workspaces, 300)
  return (
    <>
      {by !== 'none' && (
        <h3 className={styles.group}>
          <bdi>{title ?? `No ${GROUPING_WORDS[by]}`}</bdi> <span>{workspaces.length}</span>
        </h3>
      )}
      <ul className={styles.rows}>
        {shown.map((workspace) => (
          <Row key={workspace.id} workspace={workspace} />
        ))}
      </ul>
      {more}
    </>
  )
}

function Row({ workspace }: { workspace: Workspace }) {
  const { id, name, path, shield, score, needs, running, unreviewed } = workspace
  const [first] = needs
  const title = `${name}: ${standingTitle(workspace)}\n${first?.reason ?? path}`
  return (
    <li>
      <a className={styles.row} data-row href={routeTo(id)} title={title}>
        <Shield level={shield} unreviewed={unreviewed} size={16} />
        <VisuallyHidden>{standingTitle(workspace)}, </VisuallyHidden>
        <span className={styles.points} data-negative={score.score < 0}>
          {isUntouched(workspace) ? '–' : formatPoints(score.score)}
        </span>
        <MiddleCut className={styles.name} text={name} title={title} kept={KEPT_OF_NAMES} />
        {running !== null && (
          <span className={styles.running} role="img" aria-label="running" title="running" />
        )}
        <NeedCount count={needs.length} />
      </a>
    </li>
  )
}
