import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How much later, in milliseconds, a file must be than what was written before: more than a tick of any file system's clock. */
const TICK_MS = 20

/** Resolves when a file that is written in `folder` is later than all that was written there before the call. */
export async function untilFilesAreLater(folder: string): Promise<void> {
  const probe = join(folder, '.later')
  const fromMs = Date.now() + TICK_MS
  do await writeFile(probe, '')
  while ((await stat(probe)).ctimeMs <= fromMs)
  await rm(probe)
}
