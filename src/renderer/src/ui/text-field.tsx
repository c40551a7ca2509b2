import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { FieldNote } from './field-note.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  /** One sentence below the field. */
  hint?: ReactNode
  /** What is wrong with the text; shown instead of the note below the field. */
  problem?: string | null
}

/** A one-line text field with its label above and a note below. */
export function TextField({ label, hint, problem = null, ...input }: TextFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className={styles.field}>
      <label className="medium" htmlFor={id}>
        {label}
      </label>
      <input
        className="input"
        id={id}
        dir="auto"
        aria-describedby={hint === undefined && problem === null ? undefined : hintId}
        aria-invalid={problem === null ? undefined : true}
        {...input}
      />
      <FieldNote id={hintId} hint={hint} problem={problem} />
    </div>
  )
}
