/** A session, by what tells whether it may have changed the files of another. */
export interface NearSession {
  readonly sessionId: string
  readonly directory: string
  /** ISO 8601. */
  readonly startedAt: string
  /** The tree that it began with; `null`: not known. */
  readonly tree: string | null
  /** Oldest first. */
  readonly turns: readonly { readonly at: string; readonly tree: string | null }[]
  /** Its program reported something of a turn at this time, and not yet that the turn ended; `null`: it is idle. */
  readonly openAtMs: number | null
}

/** A turn that reported nothing for so long was interrupted. */
const OPEN_MS = 30 * 60_000

/**
 * Returns whether another session may have changed what this one is judged by: it has a turn that changed files in the same folder since
 * this one started, or one that has not ended. A session that was only started or asked something excuses no one. Pure.
 */
export function isWorkedBeside(
  own: Pick<NearSession, 'sessionId' | 'directory' | 'startedAt'>,
  others: readonly NearSession[],
  nowMs: number,
): boolean {
  const sinceMs = Date.parse(own.startedAt)
  return others.some(({ sessionId, directory, tree, turns, openAtMs }) => {
    if (sessionId === own.sessionId || directory !== own.directory) return false
    if (openAtMs !== null && openAtMs >= sinceMs && nowMs - openAtMs < OPEN_MS) return true
    return turns.some((turn, index) => {
      const before = turns.slice(0, index).findLast((one) => one.tree !== null)?.tree ?? tree
      return Date.parse(turn.at) >= sinceMs && turn.tree !== null && turn.tree !== before
    })
  })
}
