import { copyFile, stat, utimes } from 'node:fs/promises'

/**
 * Copies an index with its age: git reads each file again that changed no earlier than its index was written, for within one second it
 * cannot see by the times alone whether it changed once more. By a younger copy it would take such a file for unchanged.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from)
  await copyFile(from, to)
  const seconds = Math.floor(mtimeMs / 1000)
  await utimes(to, seconds, seconds)
}
