/** Counts as the top of the list: what comes in may be shown at once. */
const NEAR_TOP_PX = 8

/** Whether nobody has scrolled down in the feed on screen, or reads an entry of it. */
export function isAtTopOfFeed(): boolean {
  const main = document.getElementById('content')
  const isReading = document.activeElement?.closest('[role=feed] article') != null
  return (main?.scrollTop ?? 0) < NEAR_TOP_PX && !isReading
}
