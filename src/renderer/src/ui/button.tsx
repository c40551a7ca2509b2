import { type ComponentProps, createContext, use } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` once a screen; `quiet` has no border; `icon` is a square. */
  look?: 'primary' | 'plain' | 'quiet' | 'icon'
  /** It changes something at the host: disabled on a page that may look only. Left out: what submits a form does. */
  acts?: boolean
}

/** Whether the page below may look only. */
export const LooksOnly = createContext(false)

/** A button. Never submits a form unless told so. */
export function Button({
  look = 'plain',
  className,
  type = 'button',
  acts = type === 'submit',
  ...props
}: ButtonProps) {
  const isBarred = use(LooksOnly) && acts
  const barred = isBarred ? { disabled: true, title: 'This page may look only.' } : {}
  return (
    <button
      type={type}
      className={classNames(styles.button, styles[look], className)}
      {...props}
      {...barred}
    />
  )
}
