import { watch as watchNode } from 'node:fs'
import { basename, join } from 'node:path'
import { watch } from 'chokidar'
import type { Log } from '../ports/log.ts'

/** Editors write in several steps; a change is reported once the file has been quiet for this long. */
const QUIET_MS = 150

/**
 * Calls `onChange` when `HEARTBEAT.md` or `pulseward.toml` of a workspace appears, changes or disappears and, on Linux, when its
 * folder is renamed or comes back. Returns a function that ends the watch. Logs errors only, because everything is read again at
 * each heartbeat.
 */
export function watchWorkspace(directory: string, onChange: () => void, log: Log): () => Promise<void> {
  const watcher = watch(
    ['HEARTBEAT.md', 'pulseward.toml'].map((name) => join(directory, name)),
    { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: QUIET_MS, pollInterval: 50 } },
  )
  const onError = (error: unknown) =>
    log.warn('A workspace cannot be watched', { directory, error: String(error) })
  watcher.on('all', onChange)
  watcher.on('error', onError)
  const stopWatchingFolder = watchFolder(directory, onChange, onError)
  return async () => {
    stopWatchingFolder()
    await watcher.close()
  }
}

/**
 * Watches the folder itself, because a file watch does not notice that a parent folder was renamed. Only on Linux: other systems would
 * watch everything in it, or lock the folder.
 */
function watchFolder(directory: string, onMoved: () => void, onError: (error: unknown) => void): () => void {
  if (process.platform !== 'linux') return () => {}
  try {
    const name = basename(directory)
    const watcher = watchNode(directory, (event, moved) => {
      if (event === 'rename' && moved === name) onMoved()
    })
    watcher.on('error', onError)
    return () => watcher.close()
  } catch {
    // The folder does not exist; that is reported elsewhere.
    return () => {}
  }
}
