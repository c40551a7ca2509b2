import { useState } from 'react'
import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { Task } from '../../../../core/read-model/task.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { shownVerdict, VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { counted } from '../../format/counted.ts'
import { exactTime, timeOfDay } from '../../format/moments.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import styles from './attempt-history.module.css'
import { AttemptPanel } from './attempt-panel.tsx'
import { LiveOutput } from './live-output.tsx'

type RunningAttempt = NonNullable<NonNullable<WorkspaceDetail['running']>['attempt']>

/** A task's attempts of today, newest first, one of them in full; a running one with its live output. */
export function AttemptHistory({
  workspaceId,
  task,
  attempts,
  running,
}: {
  workspaceId: string
  task: Task
  attempts: readonly AttemptRow[]
  running: RunningAttempt | null
}) {
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = attempts.find((attempt) => attempt.attemptId === chosenId) ?? attempts[0]
  return (
    <div className="stack gap-3">
      <p className={styles.rule}>
        check: <code>{task.verify}</code>, {task.attempts} of {counted(task.maxAttempts, 'attempt')} used
        {running === null && (
          <>
            , the next may take {durationWords(task.timeoutSeconds * 1000)} ({task.timeoutReason})
          </>
        )}
      </p>
      {running !== null && <LiveOutput workspaceId={workspaceId} attemptId={running.attemptId} />}
      {chosen === undefined ? (
        running === null && (
          <p className="small quiet">No attempt yet today. It is tried at the next heartbeat.</p>
        )
      ) : (
        <>
          {attempts.length > 1 && (
            <ol className="flow gap-icon" aria-label={`Attempts at ${task.id} today`}>
              {attempts.map((attempt) => (
                <li key={attempt.attemptId}>
                  <AttemptChip
                    attempt={attempt}
                    chosen={attempt === chosen}
                    onChoose={() => setChosenId(attempt.attemptId)}
                  />
                </li>
              ))}
            </ol>
          )}
          <AttemptPanel key={chosen.attemptId} workspaceId={workspaceId} attempt={chosen} />
        </>
      )}
    </div>
  )
}

function AttemptChip({
  attempt,
  chosen,
  onChoose,
}: {
  attempt: AttemptRow
  chosen: boolean
  onChoose: () => void
}) {
  const startedMs = Date.parse(attempt.startedAt)
  const kind = shownVerdict(attempt)
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={chosen}
      title={`${exactTime(startedMs)}, heartbeat ${attempt.cycle}: ${VERDICT_WORDS[kind].title}`}
      onClick={onChoose}
    >
      <VerdictGlyph kind={kind} size={14} />
      {timeOfDay(startedMs)}
      <span className="quiet">{attempt.verdict === null ? '–' : formatSignedPoints(attempt.points)}</span>
    </button>
  )
}
