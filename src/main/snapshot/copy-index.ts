import { copyFile, stat, utimes } from 'node:fs/promises'

/**
 * Copies an index with its modification time. Git rereads each file that changed no earlier than its index was written, because within one
 * second times alone cannot show another change. With a newer copy, it would assume that such a file is unchanged.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from)
  await copyFile(from, to)
  const seconds = Math.floor(mtimeMs / 1000)
  await utimes(to, seconds, seconds)
}
