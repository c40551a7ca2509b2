import { join } from 'node:path'
import { changedPaths } from '../../../core/verification/difference.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import { lstat } from '../../files/names.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import type { RunTimeout } from '../cycle-context.ts'

const MAX_LOOKED_AT = 500
/** The last part of its time limit in which an agent must have shown work, and the most that this may be. */
const WINDOW_SHARE01 = 0.25
const MAX_WINDOW_MS = 60_000

/** What is known about the timing of a run, besides its own record. */
export interface RunTimes {
  readonly timeout: RunTimeout
  /** When it was started, on the file system's clock (epoch ms). */
  readonly startMarkMs: number | null
  readonly hasCalledWithin: (windowMs: number) => boolean
}

/**
 * Whether a run that we ended at its limit was still at work: shortly before, a file of the workspace changed, or its stream had a tool
 * call begin or still open. Output alone is not work. False for a run that ended otherwise. Never rejects.
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
  // If it had to be killed, its end came some seconds after its limit.
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
