const KEY = 'pulseward-palette-recent'
const KEPT = 30

/** Ids of the commands last chosen, newest first. */
export function recentIds(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT) : []
  } catch {
    // If storage is refused or damaged, nothing is recent.
    return []
  }
}

export function rememberRecent(id: string): void {
  try {
    const ids = [id, ...recentIds().filter((each) => each !== id)].slice(0, KEPT)
    localStorage.setItem(KEY, JSON.stringify(ids))
  } catch {
    // A browser may refuse storage.
  }
}
