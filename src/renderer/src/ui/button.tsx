import { type ComponentProps, createContext, use } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary`: one per screen; `quiet`: no border; `icon`: a square. */
  look?: 'primary' | 'plain' | 'quiet' | 'icon'
  /** Whether it changes something at the host, so that it is disabled on a read-only page. Default: true for buttons that submit a form. */
  acts?: boolean
}

/** Whether the page below is read-only. */
export const LooksOnly = createContext(false)

/** A button. Does not submit a form unless told to. */
export function Button({
  look = 'plain',
  className,
  type = 'button',
  acts = type === 'submit',
  ...props
}: ButtonProps) {
  const isBarred = use(LooksOnly) && acts
  const barred = isBarred ? { disabled: true, title: 'This page is read-only.' } : {}
  return (
    <button
      type={type}
      className={classNames(styles.button, styles[look], className)}
      {...props}
      {...barred}
    />
  )
}
