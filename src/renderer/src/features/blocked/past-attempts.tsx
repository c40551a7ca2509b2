import { ChevronRight, LockOpen } from 'lucide-react'
import { useId, useState } from 'react'
import { durationWords, takenDuration } from '../../../../core/pacing/duration-words.ts'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { OUTCOME_WORDS } from '../../../../core/vocabulary/outcome.ts'
import { VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { counted } from '../../format/counted.ts'
import { sentence } from '../../format/sentence.ts'
import { Button } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AttemptById } from '../attempt/attempt-by-id.tsx'
import { foldAlike, type HistoryLine } from './alike.ts'
import { type PastAttempt, pastKind } from './attempt-bars.ts'
import { AttemptChart } from './attempt-chart.tsx'
import styles from './past-attempts.module.css'

/** How many entries of a history are shown at first. */
const FIRST_ENTRIES = 4

/** What was tried: a chart of durations and timeouts, then each attempt, newest first, which opens in full. */
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
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  if (task.history.length === 0) return <p className={styles.none}>Its attempts are no longer kept.</p>
  const lines = foldAlike(task.history).flatMap((line): readonly HistoryLine[] =>
    line.kind === 'attempt' && unfolded.has(line.entry.attemptId)
      ? [line.entry, ...line.alike].map((entry) => ({ kind: 'attempt', entry, alike: [] }))
      : [line],
  )
  const shown = lines.filter(
    (line, index) =>
      all || index < FIRST_ENTRIES || (line.kind === 'attempt' && line.entry.attemptId === shownId),
  )
  return (
    <>
      <AttemptChart history={task.history} />
      <ol className={styles.list} aria-label={`History of ${task.taskId}`}>
        {shown.map((line) =>
          line.kind === 'unblock' ? (
            <PastUnblock key={`unblock ${line.entry.at}`} entry={line.entry} />
          ) : (
            <PastAttemptRow
              key={line.entry.attemptId}
              workspaceId={workspaceId}
              attempt={line.entry}
              alike={line.alike.length}
              open={shownId === line.entry.attemptId}
              onToggle={() => onShow(shownId === line.entry.attemptId ? null : line.entry.attemptId)}
              onUnfold={() => setUnfolded(new Set([...unfolded, line.entry.attemptId]))}
            />
          ),
        )}
      </ol>
      {shown.length < lines.length && (
        <Button look="quiet" className={styles.older} onClick={() => setAll(true)}>
          Show {lines.length - shown.length} older
          <VisuallyHidden> of {task.taskId}</VisuallyHidden>
        </Button>
      )}
    </>
  )
}

function PastUnblock({ entry }: { entry: Extract<HistoryLine, { kind: 'unblock' }>['entry'] }) {
  const { at, by, reason, timeoutSeconds } = entry
  return (
    <li className={styles.unblock}>
      <LockOpen size={14} aria-hidden />
      <p dir="auto">
        Unblocked <RelativeTime at={at} /> {by === 'auto' ? 'by a retry of all' : 'by you'}
        {timeoutSeconds !== null && ` with ${durationWords(timeoutSeconds * 1000)}`}: <Prose text={reason} />
      </p>
    </li>
  )
}

function PastAttemptRow({
  workspaceId,
  attempt,
  alike,
  open,
  onToggle,
  onUnfold,
}: {
  workspaceId: string
  attempt: PastAttempt
  /** How many attempts right before it ended the same way. */
  alike: number
  open: boolean
  onToggle: () => void
  onUnfold: () => void
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
          {takenDuration(durationMs)} of {durationWords(timeoutSeconds * 1000)}
        </span>
        <span className={styles.when}>
          <RelativeTime at={at} />
        </span>
        <ChevronRight className={styles.chevron} size={14} aria-hidden />
        <span className={styles.reason} dir="auto">
          <Prose text={sentence(reason)} />
          {criteria.total > 0 &&
            ` (${criteria.met} of ${counted(criteria.total, 'criterion', 'criteria')} met)`}
        </span>
      </button>
      {alike > 0 && (
        <Button look="quiet" className={styles.alike} onClick={onUnfold}>
          and {counted(alike, 'attempt')} before it that ended alike
        </Button>
      )}
      {open && (
        <div id={panelId} className={styles.panel}>
          <AttemptById workspaceId={workspaceId} attemptId={attempt.attemptId} />
        </div>
      )}
    </li>
  )
}
