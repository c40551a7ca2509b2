import { ChevronRight, LockOpen } from 'lucide-react'
import { useId, useState } from 'react'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { OUTCOME_WORDS } from '../../../../core/vocabulary/outcome.ts'
import { VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { counted } from '../../format/counted.ts'
import { clockDuration } from '../../format/moments.ts'
import { sentence } from '../../format/sentence.ts'
import { Button } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AttemptById } from '../attempt/attempt-by-id.tsx'
import { type PastAttempt, pastKind } from './attempt-bars.ts'
import { AttemptChart } from './attempt-chart.tsx'
import styles from './past-attempts.module.css'

/** Entries of a history that are shown before they are asked for. */
const FIRST_ENTRIES = 4

/** What was tried: durations against timeouts as a chart, then each attempt, newest first, opening to the whole of it. */
export function PastAttempts({
  workspaceId,
  task,
  shownId,
  onShow,
}: {
  workspaceId: string
  task: BlockedTask
  shownId: string | null
  onShow: (attemptId: string | null) => void
}) {
  const [all, setAll] = useState(false)
  if (task.history.length === 0) return <p className={styles.none}>Its attempts are no longer kept.</p>
  const isShown = (entry: BlockedTask['history'][number], index: number) =>
    all || index < FIRST_ENTRIES || (entry.kind === 'attempt' && entry.attemptId === shownId)
  const shown = task.history.filter(isShown)
  return (
    <>
      <AttemptChart history={task.history} />
      <ol className={styles.list} aria-label={`History of ${task.taskId}`}>
        {shown.map((entry) =>
          entry.kind === 'unblock' ? (
            <li key={`unblock ${entry.at}`} className={styles.unblock}>
              <LockOpen size={14} aria-hidden />
              <p dir="auto">
                Unblocked <RelativeTime at={entry.at} />{' '}
                {entry.by === 'auto' ? 'by a retry of all' : 'by you'}
                {entry.timeoutSeconds !== null && ` with ${entry.timeoutSeconds} s`}:{' '}
                <Prose text={entry.reason} />
              </p>
            </li>
          ) : (
            <PastAttemptRow
              key={entry.attemptId}
              workspaceId={workspaceId}
              attempt={entry}
              open={shownId === entry.attemptId}
              onToggle={() => onShow(shownId === entry.attemptId ? null : entry.attemptId)}
            />
          ),
        )}
      </ol>
      {shown.length < task.history.length && (
        <Button look="quiet" className={styles.older} onClick={() => setAll(true)}>
          Show {task.history.length - shown.length} older
          <VisuallyHidden> of {task.taskId}</VisuallyHidden>
        </Button>
      )}
    </>
  )
}

function PastAttemptRow({
  workspaceId,
  attempt,
  open,
  onToggle,
}: {
  workspaceId: string
  attempt: PastAttempt
  open: boolean
  onToggle: () => void
}) {
  const panelId = useId()
  const { outcome, durationMs, timeoutSeconds, criteria, at, reason } = attempt
  const kind = pastKind(attempt)
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={onToggle}
      >
        <VerdictGlyph kind={kind} size={16} />
        <span className={styles.ending}>
          {VERDICT_WORDS[kind].title}, {OUTCOME_WORDS[outcome]}
        </span>
        <span className={styles.time}>
          {clockDuration(durationMs)} of {clockDuration(timeoutSeconds * 1000)}
        </span>
        <span className={styles.when}>
          <RelativeTime at={at} />
        </span>
        <ChevronRight className={styles.chevron} size={14} aria-hidden />
        <span className={styles.reason} dir="auto">
          {sentence(reason)}
          {criteria.total > 0 &&
            ` (${criteria.met} of ${counted(criteria.total, 'criterion', 'criteria')} met)`}
        </span>
      </button>
      {open && (
        <div id={panelId} className={styles.panel}>
          <AttemptById workspaceId={workspaceId} attemptId={attempt.attemptId} />
        </div>
      )}
    </li>
  )
}
