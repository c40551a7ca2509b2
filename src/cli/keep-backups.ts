import { mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RequestProblem } from '../api/request-problem.ts'
import type { FleetEntry } from '../core/fleet/view.ts'
import { withoutSecrets } from '../core/text/secrets.ts'
import { createBackup } from '../main/backup/create-backup.ts'
import { type Backup, backupNames, backupsDirectory, readManifest } from '../main/backup/manifest.ts'
import { type Restored, restoreBackup } from '../main/backup/restore-backup.ts'
import { type FileReading, readBoundedFile } from '../main/files/bounded-file.ts'
import { exists } from '../main/files/durable-file.ts'
import { readOperatorFile } from '../main/files/operator-file.ts'
import { createFileLog } from '../main/host/log.ts'
import { systemClock } from '../main/host/system-clock.ts'
import { claimDataFolder } from '../main/ledger/data-folder.ts'
import { BACKUP_RESTORED } from '../main/ledger/log-witness.ts'
import { readEvents } from '../main/ledger/read-events.ts'
import { sealStore } from '../main/ledger/seal.ts'
import { fleetDocumentOf } from '../main/procedures/timeline-document.ts'

export async function createNow(dataDirectory: string, version: string): Promise<Backup> {
  if (!(await exists(dataDirectory))) {
    const message = `There is no data folder ${dataDirectory} yet, so there is nothing to back up. Name another with --data-dir.`
    throw new RequestProblem('not-found', message)
  }
  return createBackup({ dataDirectory, version, nowMs: systemClock.nowMs(), kind: 'asked' })
}

/** Lists the readable backups, newest first. */
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

/**
 * Restores a backup while no host owns the data folder. Accepts the restored records: the operator rolled them back, so they are not
 * tampering.
 */
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
    createFileLog(dataDirectory, process.env).info('A backup was restored', {
      ...BACKUP_RESTORED,
      from: given,
    })
    for (const id of restored.workspaces) await sealStore(join(dataDirectory, 'workspaces', id)).forget()
    return restored
  } finally {
    await claim.release()
  }
}

/** The files of a workspace that are exported: documents for people and other tools. */
const EXPORTED = [
  'heartbeat-score.json',
  'heartbeat-progress.json',
  'interventions/events.json',
  'interventions/profile.json',
]

/** No exported file is longer. */
const MAX_EXPORTED_BYTES = 64 * 1024 * 1024

/**
 * Writes a workspace into an empty folder, to be read elsewhere: without secrets, and without a contract or configuration that is a link
 * out of the repository. Rejects with a `RequestProblem`.
 */
export async function exportWorkspace(
  dataDirectory: string,
  { id, path }: { readonly id: string; readonly path: string },
  target: string,
): Promise<readonly string[]> {
  const there = await readdir(target).catch(() => [])
  if (there.length > 0)
    throw new RequestProblem('conflict', `${target} is not empty: name a folder that does not exist yet.`)
  const data = join(dataDirectory, 'workspaces', id)
  const written: string[] = []
  await mkdir(target, { recursive: true, mode: 0o700 })
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await writeFile(join(target, name), withoutSecrets(text))
    written.push(name)
  }
  const copy = async (name: string, reading: FileReading): Promise<void> => {
    if (reading.ok) await write(name, reading.bytes.toString('utf8'))
  }
  for (const name of ['HEARTBEAT.md', 'pulseward.toml'])
    await copy(name, await readOperatorFile(path, name, MAX_EXPORTED_BYTES))
  for (const name of EXPORTED) await copy(name, await readBoundedFile(join(data, name), MAX_EXPORTED_BYTES))
  const events = await readEvents(join(data, 'ledger'), 1, Number.MAX_SAFE_INTEGER, MAX_EXPORTED_EVENTS)
  await write('events.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  return written
}

/** Enough for years of a busy workspace; older events are in the segments of the record itself. */
const MAX_EXPORTED_EVENTS = 500_000

/** Writes entries of all hosts into a new file; returns its size, or `null` if the file can't be created. */
export async function exportFleet(
  path: string,
  format: 'json' | 'csv',
  pages: AsyncIterable<readonly FleetEntry[]>,
): Promise<number | null> {
  const file = await open(path, 'wx').catch(() => null)
  if (file === null) return null
  try {
    for await (const piece of fleetDocumentOf(format, pages)) await file.appendFile(withoutSecrets(piece))
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}
