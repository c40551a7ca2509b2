/** Within this distance, the list counts as being at its top, where new entries may be shown at once. */
const NEAR_TOP_PX = 8

/** Returns whether the feed on screen is scrolled to its top and none of its entries has the focus. */
export function isAtTopOfFeed(): boolean {
  const main = document.getElementById('content')
  const isReading = document.activeElement?.closest('[role=feed] article') != null
  return (main?.scrollTop ?? 0) < NEAR_TOP_PX && !isReading
}
