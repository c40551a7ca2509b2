import { useApp } from '../../store/use-app.ts'
import styles from './notes.module.css'

/** The operator's messages in the prompt of this attempt; shows nothing if there were none. */
export function DeliveredNotes({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  const notes = useApp((state) => state.details[workspaceId]?.notes)
  const delivered = (notes ?? []).filter(({ deliveredIn }) => deliveredIn === attemptId)
  if (delivered.length === 0) return null
  return (
    <section className="stack small" aria-label="What you told the agent">
      <h3 className={styles.heading}>You told the agent, in this attempt’s prompt</h3>
      <ul className="stack">
        {delivered.map(({ id, text }) => (
          <li key={id} className={styles.note}>
            <p className={styles.text} dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
