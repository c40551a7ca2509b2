import { clockDuration } from '../../format/moments.ts'
import { useApp } from '../../store/use-app.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './running-line.module.css'
import type { RunningAttempt } from './task-rows.ts'

/** How long it has been running of how long it may, and the last line the agent wrote. */
export function RunningLine({ running }: { running: RunningAttempt }) {
  const nowMs = useNow()
  const lastLine = useApp((state) =>
    state.outputs[running.attemptId]?.lines.findLast((line) => line.trim() !== ''),
  )
  const elapsedMs = nowMs - Date.parse(running.startedAt)
  const share = Math.min(1, Math.max(0, elapsedMs / (running.timeoutSeconds * 1000)))
  return (
    <div className={styles.running}>
      <p className={styles.time}>
        running <strong>{clockDuration(elapsedMs)}</strong> of {clockDuration(running.timeoutSeconds * 1000)}
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
