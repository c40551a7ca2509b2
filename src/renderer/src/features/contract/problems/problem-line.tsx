import { CircleX, TriangleAlert } from 'lucide-react'
import type { Diagnostic } from '../../../../../core/contract/types.ts'
import { Button } from '../../../ui/button.tsx'
import type { ContractSession } from '../session/contract-session.ts'
import styles from './problems.module.css'
import { quickFixes } from './quick-fixes.ts'

/** One problem: its place (with a link into the text), a description, and the obvious fixes. */
export function ProblemLine({ session, diagnostic }: { session: ContractSession; diagnostic: Diagnostic }) {
  const { severity, message, range } = diagnostic
  const { contract, world, isReadOnly } = session.snapshot()
  const probeNames = world.probes.map(({ name }) => name)
  const fixes = isReadOnly ? [] : quickFixes(diagnostic, contract, probeNames)
  const Icon = severity === 'error' ? CircleX : TriangleAlert
  return (
    <div className={styles.problem} data-severity={severity}>
      <button
        type="button"
        className={styles.place}
        aria-label={`${range.start.line}:${range.start.column}, go to this line and column`}
        onClick={() => session.show(diagnostic)}
      >
        {range.start.line}:{range.start.column}
      </button>
      <Icon size={15} role="img" aria-label={severity} />
      <p dir="auto">{message}</p>
      {fixes.length > 0 && (
        <div className={styles.fixes}>
          {fixes.map((fix) => (
            <Button key={fix.name} onClick={() => session.fix(fix)}>
              {fix.name}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
