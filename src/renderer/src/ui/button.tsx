import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` once a screen; `quiet` has no border; `icon` is a square. */
  look?: 'primary' | 'plain' | 'quiet' | 'icon'
}

/** A button. Never submits a form unless told so. */
export function Button({ look = 'plain', className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={classNames(styles.button, styles[look], className)} {...props} />
}
