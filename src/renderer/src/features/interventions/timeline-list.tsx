import type { Intervention } from '../../../../api/schemas/intervention.ts'
import { counted } from '../../format/counted.ts'
import { INTERVENTION_WORDS } from '../../format/intervention.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Term } from '../../ui/term.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import styles from './intervention.module.css'
import { InterventionBody } from './intervention-body.tsx'
import { SeverityGlyph } from './severity-glyph.tsx'
import { type TimelineFilter, useTimeline } from './use-timeline.ts'

/** The entries that `filter` lets through; `onShowAll` where it is one that can be taken away. */
export function TimelineList({
  workspaceId,
  filter,
  onShowAll,
}: {
  workspaceId: string
  filter: TimelineFilter
  onShowAll: (() => void) | null
}) {
  const { pages, problem, retry, older, loadOlder } = useTimeline(workspaceId, filter)
  if (pages === null) {
    if (problem === null) return <Skeleton width="60%" />
    return (
      <p role="alert">
        The timeline could not be loaded. {problem.message}{' '}
        <Button look="quiet" onClick={retry}>
          Try again
        </Button>
      </p>
    )
  }
  const { interventions, nextCursor } = pages
  if (interventions.length === 0) return <NothingNoticed onShowAll={onShowAll} />
  const words = counted(interventions.length, 'intervention')
  return (
    <>
      <p className={styles.count} role="status">
        {nextCursor === null ? `${words}, newest first` : `The newest ${words}`}
      </p>
      <ol className={styles.list} aria-label="Interventions">
        {interventions.map((intervention) => (
          <TimelineEntry key={intervention.id} intervention={intervention} />
        ))}
      </ol>
      {nextCursor !== null && (
        <Button className={styles.more} aria-disabled={older.busy} onClick={() => void loadOlder()}>
          {older.busy ? 'Loading…' : 'Load more'}
        </Button>
      )}
      {older.problem !== null && <p role="alert">{older.problem.message}</p>}
    </>
  )
}

function NothingNoticed({ onShowAll }: { onShowAll: (() => void) | null }) {
  return (
    <div className={styles.empty}>
      {onShowAll === null ? (
        <p>
          Nothing has been noticed. When a claim and what is found differ, both stand here side by side, with
          what the agent was told about it.
        </p>
      ) : (
        <>
          <p>Nothing of this kind is recorded.</p>
          <Button onClick={onShowAll}>Show everything</Button>
        </>
      )}
    </div>
  )
}

const REMEDIATION_WORDS = {
  none: null,
  pending: 'feedback waits for the next attempt',
  succeeded: 'verified at the next attempt',
  failed: 'not verified at the next attempt either',
} as const satisfies Record<Intervention['remediation'], string | null>

function TimelineEntry({ intervention }: { intervention: Intervention }) {
  const { event_type, severity, task_id, iteration, timestamp, remediation } = intervention
  const after = REMEDIATION_WORDS[remediation]
  return (
    <li className={styles.entry} data-severity={severity}>
      <SeverityGlyph severity={severity} />
      <div className={styles.content}>
        <div className={styles.head}>
          <h2 className={styles.name}>
            <Term name={event_type}>{INTERVENTION_WORDS[event_type]}</Term>
          </h2>
          {task_id !== null && <bdi className={styles.task}>{task_id}</bdi>}
          <span className={styles.when}>
            heartbeat {iteration}, <RelativeTime at={timestamp} />
          </span>
        </div>
        <InterventionBody raised={intervention} />
        {after !== null && (
          <p className={styles.after} data-remediation={remediation}>
            Afterwards: {after}
          </p>
        )}
      </div>
    </li>
  )
}
