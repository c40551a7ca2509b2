import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds between two files so that one is clearly later: more than one tick of any file system's clock. */
const TICK_MS = 20

/** Resolves when a file written in `folder` is later than everything written there before the call. */
export async function untilFilesAreLater(folder: string): Promise<void> {
  const probe = join(folder, '.later')
  const fromMs = Date.now() + TICK_MS
  do await writeFile(probe, '')
  while ((await stat(probe)).ctimeMs <= fromMs)
  await rm(probe)
}
