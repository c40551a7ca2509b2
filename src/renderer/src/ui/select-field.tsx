import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { FieldNote } from './field-note.tsx'

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id'> & {
  label: string
  /** One sentence below the field. */
  hint?: ReactNode
  /** What is wrong with the choice; shown instead of the note below the field. */
  problem?: string | null
}

/** A choice among a few options, using the platform's own element; `children` are its options. */
export function SelectField({ label, hint, problem = null, children, ...select }: SelectFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className={styles.field}>
      <label className="medium" htmlFor={id}>
        {label}
      </label>
      <select
        className="input"
        id={id}
        aria-describedby={hint === undefined && problem === null ? undefined : hintId}
        aria-invalid={problem === null ? undefined : true}
        {...select}
      >
        {children}
      </select>
      <FieldNote id={hintId} hint={hint} problem={problem} />
    </div>
  )
}
