import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './float.module.css'

/** A small panel that floats next to the button that opened it. */
export function Popover({
  trigger,
  label,
  align = 'end',
  onOpen,
  children,
}: {
  trigger: ReactNode
  label: string
  align?: 'start' | 'end'
  onOpen?: () => void
  children: ReactNode
}) {
  return (
    <Radix.Root onOpenChange={(open) => open && onOpen?.()}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.popover}
          sideOffset={6}
          collisionPadding={12}
          align={align}
          aria-label={label}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
