import { INTERVENTION_ROWS } from '../../../../core/vocabulary/intervention.ts'
import { Term } from '../../ui/term.tsx'
import type { RaisedIntervention } from './details.ts'
import styles from './intervention.module.css'
import { InterventionBody } from './intervention-body.tsx'
import { SeverityGlyph } from './severity-glyph.tsx'

/** The interventions raised for one attempt. */
export function AttemptInterventions({
  interventions,
  isCompared,
}: {
  interventions: readonly RaisedIntervention[]
  /** Claim and finding are compared above, so each one repeats them only when opened. */
  isCompared: boolean
}) {
  return (
    <ul className={styles.ofAttempt} aria-label="Interventions">
      {interventions.map((raised) => (
        <li key={raised.event_type} className={styles.entry} data-severity={raised.severity}>
          <SeverityGlyph severity={raised.severity} />
          <div className="stack gap-icon small">
            <p className={styles.name}>
              <Term name={raised.event_type}>{INTERVENTION_ROWS[raised.event_type].title}</Term>
            </p>
            <InterventionBody raised={raised} isCompared={isCompared} />
          </div>
        </li>
      ))}
    </ul>
  )
}
