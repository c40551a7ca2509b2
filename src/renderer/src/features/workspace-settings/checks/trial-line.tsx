import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import styles from './checks.module.css'

/** A test button with the result next to it. */
export function TrialLine({
  of,
  busy,
  problem,
  hindrance,
  note,
  onStart,
  onStop,
  children,
}: {
  /** What is tested, for screen readers. */
  of: string
  busy: boolean
  problem: string | null
  /** Why it cannot be tested yet. */
  hindrance: string | null
  note?: string
  onStart: () => void
  onStop: () => void
  children: ReactNode
}) {
  return (
    <div className="stack">
      <div className="row flow">
        <Button
          acts
          aria-disabled={busy || hindrance !== null}
          onClick={() => hindrance === null && onStart()}
        >
          {busy ? 'Testing…' : 'Test it'}
          <VisuallyHidden>: {of}</VisuallyHidden>
        </Button>
        {busy && (
          <Button look="quiet" onClick={onStop}>
            Stop
          </Button>
        )}
        <p className="small quiet">{hindrance ?? note}</p>
      </div>
      <div role="status" className={styles.result}>
        {children}
      </div>
      <ProblemNote text={problem} />
    </div>
  )
}
