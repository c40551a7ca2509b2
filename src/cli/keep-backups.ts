import { join } from 'node:path'
import { RequestProblem } from '../api/request-problem.ts'
import { createBackup } from '../main/backup/create-backup.ts'
import { type Backup, backupNames, backupsDirectory, readManifest } from '../main/backup/manifest.ts'
import { type Restored, restoreBackup } from '../main/backup/restore-backup.ts'
import { systemClock } from '../main/host/system-clock.ts'
import { claimDataFolder } from '../main/ledger/data-folder.ts'
import { sealStore } from '../main/ledger/seal.ts'

export function createNow(dataDirectory: string, version: string): Promise<Backup> {
  return createBackup({ dataDirectory, version, nowMs: systemClock.nowMs(), kind: 'asked' })
}

/** The readable ones, newest first. */
export async function listBackups(dataDirectory: string): Promise<readonly Backup[]> {
  const backups: Backup[] = []
  for (const name of await backupNames(dataDirectory)) {
    const path = join(backupsDirectory(dataDirectory), name)
    const manifest = await readManifest(path).catch(() => null)
    if (manifest === null) continue
    const { createdAt, files } = manifest
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    backups.unshift({ name, path, createdAt, files: files.length, bytes })
  }
  return backups
}

/** Puts a backup back while nobody supervises, and takes the records as they then stand: it is the operator who rolls them back. */
export async function restore(dataDirectory: string, given: string): Promise<Restored> {
  const claim = await claimDataFolder(dataDirectory)
  if (claim.kind === 'owned') {
    throw new RequestProblem(
      'conflict',
      `Pulseward runs for ${dataDirectory}${claim.pid === null ? '' : ` (process ${claim.pid})`}: quit it first. Nothing was changed.`,
    )
  }
  try {
    const restored = await restoreBackup(dataDirectory, given, systemClock.nowMs())
    for (const id of restored.workspaces) await sealStore(join(dataDirectory, 'workspaces', id)).forget()
    return restored
  } finally {
    await claim.release()
  }
}
