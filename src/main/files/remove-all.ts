import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { succeeds } from './succeeds.ts'

/** Removes a folder with everything in it, making unreadable folders readable first. Never rejects. */
export async function removeAll(path: string): Promise<void> {
  const gone = await succeeds(rm(path, { recursive: true, force: true }))
  if (gone) return
  await openFolders(path)
  await rm(path, { recursive: true, force: true }).catch(() => undefined)
}

async function openFolders(path: string): Promise<void> {
  // A link leads to folders that are not ours to open.
  if ((await lstat(path).catch(() => null))?.isDirectory() !== true) return
  await chmod(path, 0o700).catch(() => undefined)
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await openFolders(join(path, entry.name))
}
