import { type ComponentProps, useId } from 'react'
import styles from './form.module.css'
import { useField } from './use-field.ts'

type FieldLineProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange' | 'onBlur'> & {
  label: string
  value: string
  commit: (text: string) => string | null
  normalise?: (text: string) => string
  isLabelHidden?: boolean
}

/** An input for one value of the contract, with its problem below. */
export function FieldLine({ label, value, commit, normalise, isLabelHidden, ...input }: FieldLineProps) {
  const id = useId()
  const field = useField(value, commit, normalise)
  const problemId = `${id}-problem`
  return (
    <div className={styles.field}>
      {isLabelHidden !== true && (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      <input
        {...input}
        id={id}
        className={styles.input}
        dir="auto"
        aria-label={isLabelHidden === true ? label : undefined}
        aria-invalid={field.problem !== null}
        aria-describedby={field.problem === null ? undefined : problemId}
        value={field.shown}
        onChange={(event) => field.write(event.target.value)}
        onBlur={field.leave}
      />
      {field.problem !== null && (
        <p className={styles.problem} id={problemId} role="alert">
          {field.problem}
        </p>
      )}
    </div>
  )
}
