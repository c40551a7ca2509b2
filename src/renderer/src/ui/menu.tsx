import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './float.module.css'

/** A menu of actions below its button. Not modal, because a modal menu would lock scrolling with an injected style sheet. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* Inside the page's content, so that screen readers find it in a landmark. */}
      <Radix.Portal container={document.getElementById('content')}>
        <Radix.Content className={styles.menu} sideOffset={4} align="start" collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A note about the items below it. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.note}>{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className={styles.separator} />
}

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  const select = (event: Event) => {
    focusTriggerOf(event.currentTarget as HTMLElement)
    onSelect()
  }
  return (
    <Radix.Item className={styles.item} onSelect={select}>
      {children}
    </Radix.Item>
  )
}

/** An on/off item; the menu stays open for the next one. */
export function MenuToggle({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: () => void
  children: ReactNode
}) {
  return (
    <Radix.CheckboxItem
      className={styles.item}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className={styles.mark}>
        <Radix.ItemIndicator>
          <Check size={14} aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}

/** Moves the focus at once, not after the menu has closed: a dialog opened by the item gives the focus back to where it was. */
function focusTriggerOf(item: HTMLElement): void {
  const triggerId = item.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (triggerId != null) document.getElementById(triggerId)?.focus()
}
