import { type FileHandle, open } from 'node:fs/promises'
import { errorCode } from './storage-error.ts'

/**
 * Writes `text` into the file in place, `distance` bytes after the first `name` in it, which needs no disk space. Survives a
 * power cut unless `isLost`. Returns whether the file exists and contains the name.
 */
export async function overwrite(
  path: string,
  name: string,
  text: string,
  { distance = 0, isLost = false }: { readonly distance?: number; readonly isLost?: boolean } = {},
): Promise<boolean> {
  try {
    const file = await open(path, 'r+')
    try {
      const at = await placeOf(name, file)
      if (at < 0) return false
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length; ) {
        const place = at + name.length + distance + done
        done += (await file.write(bytes, done, bytes.length - done, place)).bytesWritten
      }
      if (!isLost) await file.datasync()
      return true
    } finally {
      await file.close()
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return false
  }
}

/** The overwritten text is usually near the start of its file, which may be long. */
const START_BYTES = 512

async function placeOf(name: string, file: FileHandle): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
  const at = buffer.subarray(0, bytesRead).indexOf(name)
  return at >= 0 || bytesRead < START_BYTES ? at : (await file.readFile()).indexOf(name)
}
