import { watch as watchNode } from 'node:fs'
import { basename, join } from 'node:path'
import { watch } from 'chokidar'
import type { Log } from '../ports/log.ts'

/** Editors write in several steps; one change is notified once the file has been quiet for so long. */
const QUIET_MS = 150

/**
 * Tells when `HEARTBEAT.md` or `pulseward.toml` of a workspace appears, changes or goes, and, on Linux, when its folder is renamed or
 * comes back. Answers with the function that ends the watch. Trouble with watching is logged: everything is read anew at each heartbeat
 * all the same.
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
 * Files do not tell that a folder above them was renamed: the folder itself does, under its own name, as often as it is moved. Elsewhere
 * than on Linux the system watches all below a folder for that, or holds on to the folder.
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
    // It is not there, which is told otherwise.
    return () => {}
  }
}
