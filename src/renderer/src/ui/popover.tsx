import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './float.module.css'

/** A small answer that floats beside the button asked. */
export function Popover({
  trigger,
  label,
  children,
}: {
  trigger: ReactNode
  label: string
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.popover}
          sideOffset={6}
          collisionPadding={12}
          align="end"
          aria-label={label}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
