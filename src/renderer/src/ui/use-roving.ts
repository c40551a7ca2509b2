import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** How many entries Page Up and Page Down skip. */
const PAGE_STEP = 10

/**
 * One entry of a virtual list has the focus; the arrows, j and k, Home and End move it, Enter opens it. An entry that is not drawn is first
 * scrolled to, and gets the focus as soon as it is drawn.
 */
export function useRoving({
  feed,
  count,
  active: place,
  scrollTo,
  onEnter,
}: {
  feed: RefObject<HTMLElement | null>
  count: number
  active: { current: number }
  scrollTo: (index: number) => void
  onEnter: (index: number) => void
}) {
  const [active, setActive] = useState(place.current)
  const [pending, setPending] = useState<number | null>(null)
  /** The entry reached by key stays visible while content above it is loaded and measured, until the user scrolls. */
  const followed = useRef<number | null>(null)
  useEffect(() => {
    if (followed.current === null) return
    feed.current?.querySelector(`[data-index="${followed.current}"]`)?.scrollIntoView({ block: 'nearest' })
  })
  const letGo = () => {
    followed.current = null
  }
  // On every render, because the entry may only just have been drawn.
  useEffect(() => {
    if (pending === null) return
    const item = feed.current?.querySelector<HTMLElement>(`[data-index="${pending}"]`)
    if (item == null) return
    item.focus({ preventScroll: true })
    setPending(null)
  })
  const moveTo = (index: number) => {
    place.current = index
    setActive(index)
    setPending(index)
    followed.current = index
    scrollTo(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Only on an entry itself: controls inside an opened entry handle their own keys.
    if (!(event.target instanceof HTMLElement) || event.target.dataset.index === undefined) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return onEnter(active)
    }
    const target = targetOf(event.key, active, count)
    if (target === null) return
    event.preventDefault()
    moveTo(Math.min(Math.max(target, 0), count - 1))
  }
  const onFocus = (event: FocusEvent) => {
    const item = event.target.closest<HTMLElement>('[data-index]')
    const index = Number(item?.dataset.index)
    if (item === null || Number.isNaN(index)) return
    place.current = index
    setActive(index)
  }
  return {
    active,
    handlers: { onKeyDown, onFocus, onWheel: letGo, onPointerDown: letGo, onTouchMove: letGo },
  }
}

function targetOf(key: string, active: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return active + 1
    case 'ArrowUp':
    case 'k':
      return active - 1
    case 'PageDown':
      return active + PAGE_STEP
    case 'PageUp':
      return active - PAGE_STEP
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
