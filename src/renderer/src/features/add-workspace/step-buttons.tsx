import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './add-workspace.module.css'
import { useSetup } from './add-workspace-state.ts'

/** Buttons for back and next; `hindrance` says why the next step is not available yet. */
export function StepButtons({
  onNext,
  label = 'Next',
  busy = false,
  hindrance = null,
  children,
}: {
  onNext: () => void
  label?: string
  busy?: boolean
  hindrance?: string | null
  /** Further buttons. */
  children?: ReactNode
}) {
  const step = useSetup((state) => state.step)
  const change = useSetup((state) => state.change)
  const isBlocked = hindrance !== null || busy
  return (
    <div className={classNames(styles.buttons, styles.onward)}>
      {step > 0 && <Button onClick={() => change({ step: step - 1 })}>Back</Button>}
      <Button look="primary" aria-disabled={isBlocked} onClick={() => !isBlocked && onNext()}>
        {busy ? 'Looking…' : label}
      </Button>
      {children}
      {hindrance !== null && (
        <p className={styles.note} role="status">
          {hindrance}
        </p>
      )}
    </div>
  )
}
