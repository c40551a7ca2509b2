import { type RefObject, useEffect } from 'react'

/**
 * Keeps the entry of `list` that is current (`aria-current="page"`) in sight: when `current` changes, and again whenever the list
 * or the entry gets another size, since what stands beside them may come a moment later.
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
