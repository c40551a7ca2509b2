import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { fileTime, freePath, PRIVATE_DIRECTORY, PRIVATE_FILE } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import { BACKED_UP, type BackupManifest, backupsDirectory, readManifest } from './manifest.ts'

export interface Restored {
  /** Where the previous data is now; null if there was none. */
  readonly before: string | null
  /** The workspaces in the backup and in the previous data. */
  readonly workspaces: readonly string[]
  readonly files: number
}

/**
 * Restores a backup, by name or by path, into a data folder that the caller owns. Reads and compares the whole backup first; the previous
 * data is set aside, not deleted. Rejects with a `RequestProblem` if the backup is damaged or newer (then nothing is changed), otherwise
 * with a `StorageError`.
 */
export async function restoreBackup(dataDirectory: string, given: string, nowMs: number): Promise<Restored> {
  const path = given.includes('/') ? resolve(given) : join(backupsDirectory(dataDirectory), given)
  const manifest = await readManifest(path)
  for (const file of manifest.files) await readWhole(path, file)
  try {
    const known = await workspaceIds(dataDirectory)
    const before = await setAside(dataDirectory, nowMs)
    for (const file of manifest.files) {
      const target = join(dataDirectory, file.path)
      await mkdir(dirname(target), { recursive: true, mode: PRIVATE_DIRECTORY })
      await writeFile(target, await readWhole(path, file), { mode: PRIVATE_FILE, flush: true })
    }
    const workspaces = [...new Set([...known, ...(await workspaceIds(dataDirectory))])]
    return { before, workspaces, files: manifest.files.length }
  } catch (error) {
    if (error instanceof RequestProblem) throw error
    throw storageError('restore', dataDirectory, error)
  }
}

async function readWhole(path: string, file: BackupManifest['files'][number]): Promise<Buffer> {
  const content = await readFile(join(path, file.path)).catch((error: unknown) => {
    throw new RequestProblem(
      'unprocessable',
      `${join(path, file.path)} can't be read (${errorCode(error)}): use another backup. Nothing was changed.`,
      { cause: error },
    )
  })
  if (sha256(content) === file.sha256) return content
  throw new RequestProblem(
    'unprocessable',
    `${join(path, file.path)} was changed after the backup: use another backup. Nothing was changed.`,
  )
}

async function workspaceIds(dataDirectory: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDirectory, 'workspaces')).catch(() => [])
  return names.filter((name) => !name.startsWith('.'))
}

async function setAside(dataDirectory: string, nowMs: number): Promise<string | null> {
  const there = (await readdir(dataDirectory)).filter((name) => BACKED_UP.includes(name))
  if (there.length === 0) return null
  const place = await freePath(join(dataDirectory, `before-restore-${fileTime(nowMs)}`))
  await mkdir(place, { mode: PRIVATE_DIRECTORY })
  for (const name of there) await rename(join(dataDirectory, name), join(place, name))
  return place
}
