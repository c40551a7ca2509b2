import { CircleCheck } from 'lucide-react'
import { counted } from '../../../format/counted.ts'
import { useLongList } from '../../../ui/use-long-list.tsx'
import type { ContractSession } from '../session/contract-session.ts'
import type { SessionState } from '../session/session-state.ts'
import { ProblemLine } from './problem-line.tsx'
import styles from './problems.module.css'

/** Everything that the parser finds wrong, each with a link to it and, if obvious, a fix. */
export function ProblemList({ session, state }: { session: ContractSession; state: SessionState }) {
  const { diagnostics } = state.contract
  const { shown, more } = useLongList(diagnostics)
  if (diagnostics.length === 0)
    return (
      <p className={styles.none}>
        <CircleCheck size={15} aria-hidden /> No problems
      </p>
    )
  return (
    <section aria-label="Problems" className="stack">
      <h2 className="small">{counted(diagnostics.length, 'problem')}</h2>
      <ul className={styles.box} aria-label="Diagnostics">
        {shown.map((diagnostic, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no state, and two may say the same about one place
          <li key={index} className={styles.entry}>
            <ProblemLine session={session} diagnostic={diagnostic} />
          </li>
        ))}
      </ul>
      {more}
    </section>
  )
}
