import type { Task } from '../../../../core/read-model/task.ts'
import { clockDuration } from '../../format/moments.ts'
import { plainText } from '../../store/output-buffer.ts'
import { useApp } from '../../store/use-app.ts'
import { Explained } from '../../ui/explained.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './running-line.module.css'
import type { RunningAttempt } from './task-rows.ts'

/** How long it has been running of how long it may, and the last line the agent wrote. */
export function RunningLine({ running, task }: { running: RunningAttempt; task: Task }) {
  const nowMs = useNow()
  const written = useApp((state) =>
    state.outputs[running.attemptId]?.lines.findLast((line) => plainText(line).trim() !== ''),
  )
  const lastLine = written === undefined ? undefined : plainText(written)
  const elapsedMs = nowMs - Date.parse(running.startedAt)
  const share = Math.min(1, Math.max(0, elapsedMs / (running.timeoutSeconds * 1000)))
  const timeout = clockDuration(running.timeoutSeconds * 1000)
  // The task speaks of its next attempt, which the running one is only while both have the same timeout.
  const reason = task.timeoutSeconds === running.timeoutSeconds ? task.timeoutReason : null
  return (
    <div className={styles.running}>
      <p className={styles.time}>
        running <strong>{clockDuration(elapsedMs)}</strong> of{' '}
        {reason === null ? timeout : <Explained text={`${timeout} because: ${reason}`}>{timeout}</Explained>}
      </p>
      <span className={styles.track} aria-hidden>
        <span className={styles.fill} style={{ inlineSize: `${share * 100}%` }} />
      </span>
      {lastLine !== undefined && (
        <p className={styles.output} dir="auto" aria-hidden>
          {lastLine.slice(0, 200)}
        </p>
      )}
    </div>
  )
}
