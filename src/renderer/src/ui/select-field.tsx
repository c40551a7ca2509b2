import { type ComponentProps, useId } from 'react'
import styles from './field.module.css'

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id'> & { label: string }

/** A choice among few, on the platform's own element; `children` are its options. */
export function SelectField({ label, children, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select className={styles.input} id={id} {...select}>
        {children}
      </select>
    </div>
  )
}
