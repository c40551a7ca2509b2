import { Check, CircleHelp, TriangleAlert, X } from 'lucide-react'
import type { HintTrial } from '../../../../../api/schemas/contract-trial.ts'
import { Prose } from '../../../ui/prose.tsx'
import styles from './trial.module.css'

/** Result of trying a check: whether it passes, every value read, and what a verdict would need. */
export function HintFinding({ trial }: { trial: HintTrial }) {
  const { Icon, word, tone } = signOf(trial)
  return (
    <section className={styles.finding} data-tone={tone} aria-label={`Check of ${trial.taskId}`}>
      <p className={styles.word}>
        <Icon size={15} aria-hidden /> {word}
        <span className={styles.quiet}>measured in {trial.durationMs} ms</span>
      </p>
      <p>
        <Prose text={trial.finding} />
      </p>
      {trial.probes.length > 0 && (
        <dl className="stack gap-half">
          {trial.probes.map(({ name, value, reason }) => (
            <div key={name} className={styles.value}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd dir="auto">{value === null ? `not read: ${reason}` : <code>{value}</code>}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>
        <Prose text={trial.needs} />
      </p>
      {trial.problem !== null && (
        <p className={styles.remedy}>
          <Prose text={trial.problem} />
        </p>
      )}
    </section>
  )
}

function signOf({ holds, problem }: HintTrial) {
  if (problem !== null) return { Icon: TriangleAlert, word: 'Cannot be measured', tone: 'warning' }
  if (holds === null) return { Icon: CircleHelp, word: 'Needs a claim', tone: 'plain' }
  return holds
    ? { Icon: Check, word: 'Passes now', tone: 'good' }
    : { Icon: X, word: 'Fails now', tone: 'plain' }
}
