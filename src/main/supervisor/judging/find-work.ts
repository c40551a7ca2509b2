import { join } from 'node:path'
import { changedPaths } from '../../../core/verification/difference.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import { lstat } from '../../files/names.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import type { RunTimeout } from '../cycle-context.ts'

const MAX_LOOKED_AT = 500
/** Part of its limit within which an agent has to have shown work, and at most so long. */
const WINDOW_SHARE01 = 0.25
const MAX_WINDOW_MS = 60_000

/** What is known of a run's time besides its own account. */
export interface RunTimes {
  readonly timeout: RunTimeout
  /** When it was started, by the clock of the file system (epoch ms). */
  readonly startMarkMs: number | null
  readonly hasCalledWithin: (windowMs: number) => boolean
}

/**
 * Whether a run that we ended at its limit was at work then: a file of the workspace changed, or a tool call was begun or still open
 * in its stream, shortly before. Output alone is no work. False for a run that ended otherwise. Never rejects.
 */
export async function findWork(
  directory: string,
  difference: FileDifference,
  run: AgentRun,
  { timeout, startMarkMs, hasCalledWithin }: RunTimes,
): Promise<boolean> {
  if (run.outcome !== 'timeout') return false
  const windowMs = Math.min(timeout.seconds * 1000 * WINDOW_SHARE01, MAX_WINDOW_MS)
  if (hasCalledWithin(windowMs)) return true
  if (startMarkMs === null) return false
  // Its end came some seconds after its limit, where it had to be killed.
  const sinceMs = startMarkMs + Math.min(run.durationMs, timeout.seconds * 1000) - windowMs
  const times = await Promise.all(
    changedPaths(difference)
      .slice(0, MAX_LOOKED_AT)
      .map((path) =>
        lstat(join(directory, path)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
  )
  return times.some((mtimeMs) => mtimeMs >= sinceMs)
}
