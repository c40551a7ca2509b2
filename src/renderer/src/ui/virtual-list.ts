import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

/**
 * A list of `count` items in the page's content, of which only visible ones are drawn, and the one at `active`, which may have the focus.
 * `itemHeight` is the height of an item before it is measured; `added`: how many were let in on top since the list began.
 */
export function useVirtualList(
  list: RefObject<HTMLElement | null>,
  {
    count,
    itemHeight,
    added = 0,
    active,
  }: { count: number; itemHeight: number; added?: number; active: { readonly current: number } },
) {
  const margin = useScrollMargin(list)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => document.getElementById('content'),
    estimateSize: () => itemHeight,
    // Not the item's id, because the focus must stay on an item that is still loading.
    getItemKey: useCallback((index: number) => index - added, [added]),
    scrollMargin: margin,
    overscan: 8,
    rangeExtractor: useCallback((range: Range) => withActive(range, active.current), [active]),
  })
  return { virtualizer, margin }
}

/** Keeps the focused item drawn when it is scrolled out of view, because the focus would be lost with it. */
function withActive(range: Range, active: number): number[] {
  const shown = defaultRangeExtractor(range)
  if (active >= range.count || shown.includes(active)) return shown
  return [...shown, active].sort((a, b) => a - b)
}

/** Returns how far below the top of the scrolled content the list begins, because notices and filters are above it. */
function useScrollMargin(feed: { readonly current: HTMLElement | null }): number {
  const [margin, setMargin] = useState(0)
  // On every render, because the content above may have changed its height.
  useLayoutEffect(() => {
    const main = document.getElementById('content')
    if (feed.current === null || main === null) return
    const top = feed.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop
    if (Math.abs(top - margin) > 1) setMargin(top)
  })
  return margin
}
