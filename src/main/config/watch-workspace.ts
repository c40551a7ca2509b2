import { join } from 'node:path'
import { watch } from 'chokidar'
import type { Log } from '../ports/log.ts'

/** Editors write in several steps; one change is notified once the file has been quiet for so long. */
const QUIET_MS = 150

/**
 * Tells when `HEARTBEAT.md` or `pulseward.toml` of a workspace appears, changes or goes. Answers with the function that ends
 * the watch. Trouble with watching is logged: everything is read anew at each heartbeat all the same.
 */
export function watchWorkspace(directory: string, onChange: () => void, log: Log): () => Promise<void> {
  const watcher = watch(
    ['HEARTBEAT.md', 'pulseward.toml'].map((name) => join(directory, name)),
    { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: QUIET_MS, pollInterval: 50 } },
  )
  watcher.on('all', onChange)
  watcher.on('error', (error) =>
    log.warn('A workspace cannot be watched', { directory, error: String(error) }),
  )
  return () => watcher.close()
}
