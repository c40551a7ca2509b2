import { Worker } from 'node:worker_threads'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

export interface RecordChecks {
  readonly workspaces: () => readonly WorkspaceRuntime[]
  /** Returns what is wrong with the record in a workspace's data folder, one sentence each. */
  readonly verify: (directory: string) => Promise<readonly string[]>
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
}

/** Delayed, because a start is busy enough. */
const FIRST_MS = 5 * 60_000
const DAY_MS = 86_400_000
/** By then, whatever was being written during the first reading is complete. */
const AGAIN_MS = 10_000
const PATIENCE_MS = 15 * 60_000

/** Reads every record completely, soon after the start and then daily, one after another; notifies of problems. */
export function checkRecordsDaily(checks: RecordChecks): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = (async () => {
    for (let waitMs = FIRST_MS; !stopping.signal.aborted; waitMs = DAY_MS) {
      await checks.clock.sleep(waitMs, stopping.signal)
      for (const runtime of checks.workspaces()) {
        if (!stopping.signal.aborted) await checkRecord(runtime, checks, stopping.signal)
      }
    }
  })().catch((error: unknown) =>
    checks.log.error('The records are checked no more', { error: String(error) }),
  )
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Reads one whole record. Only problems found twice count, because the record may be written to while it is read. */
export async function checkRecord(
  runtime: Pick<WorkspaceRuntime, 'id' | 'dataDirectory' | 'foundBroken'>,
  { verify, clock, log }: Pick<RecordChecks, 'verify' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const first = await verify(runtime.dataDirectory)
    if (first.length === 0) return
    await clock.sleep(AGAIN_MS, signal)
    if (signal.aborted) return
    const again = await verify(runtime.dataDirectory)
    await runtime.foundBroken(first.filter((problem) => again.includes(problem)))
  } catch (error) {
    log.warn('A record could not be checked', { workspace: runtime.id, error: String(error) })
  }
}

/** Verifies in a separate thread, with the built `script`. */
export function verifyInThread(script: string): RecordChecks['verify'] {
  return (directory) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script, { workerData: { directory } })
      const timer = setTimeout(() => void worker.terminate(), PATIENCE_MS)
      worker.once('message', (problems: readonly string[]) => resolve(problems))
      worker.once('error', reject)
      worker.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`it ended with ${code} without an answer`))
      })
      worker.unref()
    })
}
