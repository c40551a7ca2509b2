/** A session, with what shows whether it may have changed another session's files. */
export interface NearSession {
  readonly sessionId: string
  readonly directory: string
  /** ISO 8601. */
  readonly startedAt: string
  /** The tree it began with; `null` if unknown. */
  readonly tree: string | null
  /** Oldest first. */
  readonly turns: readonly { readonly at: string; readonly tree: string | null }[]
  /** Sessions in the same folder that were in the middle of a turn when it started: their agents may have started it. */
  readonly startedDuring: readonly string[]
}

/**
 * Returns whether another session may have changed what this one is judged by: it has a measured turn that changed files in the same folder
 * since this one started. A session that was only started or only asked something is no excuse. Neither is one that started in the middle
 * of a turn of this one, because this one's agent could have started or forged it. Pure.
 */
export function isWorkedBeside(
  own: Pick<NearSession, 'sessionId' | 'directory' | 'startedAt'>,
  others: readonly NearSession[],
): boolean {
  const sinceMs = Date.parse(own.startedAt)
  return others.some(({ sessionId, directory, tree, turns, startedDuring }) => {
    if (sessionId === own.sessionId || directory !== own.directory) return false
    if (startedDuring.includes(own.sessionId)) return false
    return turns.some((turn, index) => {
      const before = turns.slice(0, index).findLast((one) => one.tree !== null)?.tree ?? tree
      return Date.parse(turn.at) >= sinceMs && turn.tree !== null && turn.tree !== before
    })
  })
}

/** An attempt of a heartbeat, with what shows whether it may have changed a session's files. */
interface NearAttempt {
  readonly attemptId: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly filesChangedCount?: number
}

/** Where heartbeats work: in the folder itself, or in trees, whose work reaches the folder when it lands. */
interface HeartbeatPlace {
  readonly isIsolated: boolean
  readonly landings: readonly { readonly attemptId: string; readonly state: string; readonly at: string }[]
}

/** Returns the attempts that changed files in a session's folder since it started. Pure. */
export function attemptsBeside<Attempt extends NearAttempt>(
  own: Pick<NearSession, 'startedAt'>,
  attempts: readonly Attempt[],
  { isIsolated, landings }: HeartbeatPlace,
): readonly Attempt[] {
  const sinceMs = Date.parse(own.startedAt)
  return attempts.filter(({ attemptId, startedAt, durationMs, filesChangedCount = 0 }) => {
    if (filesChangedCount === 0) return false
    if (!isIsolated) return Date.parse(startedAt) + durationMs >= sinceMs
    const landing = landings.find((one) => one.attemptId === attemptId)
    return landing?.state === 'landed' && Date.parse(landing.at) >= sinceMs
  })
}
