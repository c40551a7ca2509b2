import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { Task } from '../../../../core/read-model/task.ts'
import { plainText } from '../../store/output-buffer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Explained } from '../../ui/explained.tsx'
import { useNow } from '../../ui/use-now.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './running-line.module.css'
import type { RunningAttempt } from './task-rows.ts'

/** How long it has been running out of how long it may, and the agent's last line. */
export function RunningLine({
  running,
  task,
  workspaceId,
}: {
  running: RunningAttempt
  task: Task
  workspaceId: string
}) {
  const stopNow = useApp((state) => state.stopNow)
  const nowMs = useNow()
  const written = useApp((state) =>
    state.outputs[running.attemptId]?.lines.findLast((line) => plainText(line).trim() !== ''),
  )
  const lastLine = written === undefined ? undefined : plainText(written)
  const elapsedMs = nowMs - Date.parse(running.startedAt)
  const share = Math.min(1, Math.max(0, elapsedMs / (running.timeoutSeconds * 1000)))
  const timeout = durationWords(running.timeoutSeconds * 1000)
  // The task's reason is about its next attempt, and only fits the running one if both have the same timeout.
  const reason = task.timeoutSeconds === running.timeoutSeconds ? task.timeoutReason : null
  return (
    <div className={styles.running}>
      <p className={styles.time}>
        <span>
          running <strong>{durationWords(elapsedMs)}</strong> of{' '}
          {reason === null ? (
            timeout
          ) : (
            <Explained text={`${timeout} because: ${reason}`}>{timeout}</Explained>
          )}
        </span>
        <Button
          acts
          look="quiet"
          className={styles.stop}
          title="Stops the agent and this heartbeat now. Nothing is scored."
          onClick={() => void stopNow(workspaceId)}
        >
          Stop<VisuallyHidden> {task.id} now</VisuallyHidden>
        </Button>
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
