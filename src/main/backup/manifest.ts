import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { parseJson } from '../../core/text/json.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { errorCode, storageError } from '../files/storage-error.ts'

/** The format of a backup; a change that an older version could not restore gets a new number. */
export const BACKUP_FORMAT = 1
export const MANIFEST = 'backup.json'
/** What is backed up from the data folder and replaced by a restore. */
export const BACKED_UP = ['workspaces', 'settings.json', 'channels.json', 'format.json']
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024

const manifestSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** The version of Pulseward that made it. */
  version: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  files: z.array(
    z.object({
      // Allows only paths in the data folder.
      path: z
        .string()
        .regex(/^(?!.*(^|\/)\.{0,2}(\/|$))[^\\\0]+$/u)
        .refine((path) => BACKED_UP.includes(path.split('/')[0] ?? '')),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
})

export type BackupManifest = z.infer<typeof manifestSchema>
export type BackedUpFile = BackupManifest['files'][number]

export interface Backup {
  readonly name: string
  readonly path: string
  readonly createdAt: string
  readonly files: number
  readonly bytes: number
}

const NAME = /^\d{4}-\d\d-\d\dT\d{6}Z-(daily|asked)(-\d+)?$/

export function backupsDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'backups')
}

/** Returns the names of the backups, oldest first, readable or not. Rejects with a `StorageError`. */
export async function backupNames(dataDirectory: string): Promise<readonly string[]> {
  const directory = backupsDirectory(dataDirectory)
  const names = await readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw storageError('read the folder', directory, error)
  })
  return names.filter((name) => NAME.test(name)).sort()
}

/** Reads a backup's manifest. Rejects with a `RequestProblem` if it is not a backup, is damaged, or was made by a newer version. */
export async function readManifest(path: string): Promise<BackupManifest> {
  const file = await readBoundedFile(join(path, MANIFEST), MAX_MANIFEST_BYTES)
  if (!file.ok) {
    throw new RequestProblem(
      'not-found',
      `${path} is not a backup: its ${MANIFEST} can't be read (${file.code}). \`pulseward backup list\` shows the backups.`,
    )
  }
  const document = parseJson(file.bytes.toString('utf8'))
  const format = z.object({ format: z.number(), version: z.string().max(100).optional() }).safeParse(document)
  if (format.success && format.data.format > BACKUP_FORMAT) {
    throw new RequestProblem(
      'unprocessable',
      `${path} was made by a newer Pulseward (${format.data.version ?? 'unknown'}, format ${format.data.format}); this one restores format ${BACKUP_FORMAT}. Install that version first.`,
    )
  }
  const manifest = manifestSchema.safeParse(document)
  if (manifest.success) return manifest.data
  throw new RequestProblem('unprocessable', `${join(path, MANIFEST)} is damaged: use another backup.`)
}
