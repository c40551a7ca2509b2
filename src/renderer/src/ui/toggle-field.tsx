import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { FieldNote } from './field-note.tsx'

type ToggleFieldProps = Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: ReactNode
  /** One sentence below it. */
  hint?: ReactNode
  problem?: string | null
}

/** A switch. */
export function ToggleField({ label, hint, problem = null, ...input }: ToggleFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className={styles.toggle}>
      <input
        type="checkbox"
        id={id}
        aria-describedby={hint === undefined && problem === null ? undefined : hintId}
        {...input}
      />
      <label htmlFor={id}>{label}</label>
      <FieldNote id={hintId} hint={hint} problem={problem} />
    </div>
  )
}
