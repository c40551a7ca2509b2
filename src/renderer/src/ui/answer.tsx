import type { TrustAnswer } from '../../../core/read-model/trust-answer.ts'
import styles from './answer.module.css'

/** The main statement at the top of a screen of several workspaces. */
export function Answer({ answer: { lead, why } }: { answer: TrustAnswer }) {
  return (
    <p className={styles.answer}>
      <span className="faint">Can you trust your agents?</span> <strong>{lead}</strong> {why}
    </p>
  )
}
