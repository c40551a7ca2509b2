import { type RefObject, useEffect } from 'react'

/**
 * Keeps the current entry of `list` (`aria-current="page"`) visible: when `current` changes, and whenever the list or the entry changes its
 * size, because content next to them may load a moment later.
 */
export function useCurrentInSight(list: RefObject<HTMLElement | null>, current: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is current
  useEffect(() => {
    const entry = list.current?.querySelector('[aria-current="page"]')
    if (list.current === null || entry == null) return
    const sizes = new ResizeObserver(() => entry.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
    for (const each of [list.current, entry]) sizes.observe(each)
    return () => sizes.disconnect()
  }, [list, current])
}
