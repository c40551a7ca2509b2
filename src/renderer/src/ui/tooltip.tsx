import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './float.module.css'

/** Shows `text` next to `children` on hover and focus. `children` must be one focusable element. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      {/* Inside the page's content: outside it, the tooltip would belong to no landmark. */}
      <Radix.Portal container={document.getElementById('content')}>
        <Radix.Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Shares the delay between all tooltips below it. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={300}>{children}</Radix.Provider>
}
