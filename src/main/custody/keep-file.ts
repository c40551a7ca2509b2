import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'

/**
 * Writes to disk what is also known in memory. If the disk refuses, it is known only until this process ends, and a warning is logged.
 * Never rejects. With `isDurable` false it may be lost in a power cut, which the caller must be able to bear.
 */
export async function keepFile(
  path: string,
  text: string,
  log: Pick<Log, 'warn'>,
  { isDurable = true }: { readonly isDurable?: boolean } = {},
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await replaceFile(path, text, 0o600, { isDurable })
  } catch (error) {
    log.warn('What custody knows could not be written down; until the next start it is known all the same', {
      path,
      error: String(error),
    })
  }
}
