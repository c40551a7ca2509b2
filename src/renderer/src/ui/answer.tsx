import type { TrustAnswer } from '../../../core/read-model/trust-answer.ts'
import styles from './answer.module.css'

/** What a screen of several workspaces says first. */
export function Answer({ answer: { lead, why } }: { answer: TrustAnswer }) {
  return (
    <p className={styles.answer}>
      <span className={styles.question}>Can you trust your agents?</span> <strong>{lead}</strong> {why}
    </p>
  )
}
