import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDirectory, PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import {
  BACKED_UP,
  BACKUP_FORMAT,
  type BackedUpFile,
  type Backup,
  backupNames,
  backupsDirectory,
  MANIFEST,
  readManifest,
} from './manifest.ts'

/** How many daily backups to keep; older ones are deleted. Those created on request stay. */
export const DAILY_KEPT = 7
/** A ledger segment may be closed and renamed while others are read. */
const TRIES = 5

/** Not backed up: large files that are rebuilt from the ledger or contain agents' output, and are not part of the record. */
const LEFT_OUT = [
  /^attempts$/,
  /^timeline$/,
  /^reserve$/,
  /^snapshot\.json/,
  /^torn-/,
  /\.corrupt-/,
  /\.(tmp|claim)/,
  /^\./,
]

interface BackupRequest {
  readonly dataDirectory: string
  readonly version: string
  readonly nowMs: number
  readonly kind: 'daily' | 'asked'
}

/**
 * Copies the record, the settings and approvals into `backups/` of the data folder, even while a host writes to it. Files that equal an
 * earlier backup's are linked, not copied. Rejects with a `StorageError`, and then leaves nothing behind.
 */
export async function createBackup(request: BackupRequest): Promise<Backup> {
  const { dataDirectory, version, nowMs, kind } = request
  const directory = backupsDirectory(dataDirectory)
  await createDirectory(directory)
  const createdAt = new Date(nowMs).toISOString()
  const name = await freeName(dataDirectory, `${createdAt.slice(0, 19).replaceAll(':', '')}Z-${kind}`)
  const making = join(directory, `.making-${process.pid}`)
  try {
    const files = await copyWhole(dataDirectory, making, await latest(dataDirectory))
    const manifest = `${JSON.stringify({ format: BACKUP_FORMAT, version, createdAt, files }, null, 1)}\n`
    await writeFile(join(making, MANIFEST), manifest, { mode: PRIVATE_FILE })
    await rename(making, join(directory, name))
    await syncDirectory(directory)
    if (kind === 'daily') await dropOldest(dataDirectory)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return { name, path: join(directory, name), createdAt, files: files.length, bytes }
  } catch (error) {
    throw storageError('write a backup to', directory, error)
  } finally {
    await rm(making, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function freeName(dataDirectory: string, wanted: string): Promise<string> {
  const names = await backupNames(dataDirectory)
  let name = wanted
  for (let count = 2; names.includes(name); count += 1) name = `${wanted}-${count}`
  return name
}

/** Returns the newest readable backup's files by path. */
async function latest(dataDirectory: string): Promise<Earlier | null> {
  for (const name of [...(await backupNames(dataDirectory))].reverse()) {
    const path = join(backupsDirectory(dataDirectory), name)
    const manifest = await readManifest(path).catch(() => null)
    if (manifest !== null) return { path, files: new Map(manifest.files.map((file) => [file.path, file])) }
  }
  return null
}

interface Earlier {
  readonly path: string
  readonly files: ReadonlyMap<string, BackedUpFile>
}

async function copyWhole(
  dataDirectory: string,
  making: string,
  earlier: Earlier | null,
): Promise<readonly BackedUpFile[]> {
  for (let tries = 1; ; tries += 1) {
    await rm(making, { recursive: true, force: true })
    await mkdir(making, { mode: PRIVATE_DIRECTORY })
    try {
      const files: BackedUpFile[] = []
      for (const path of await filesOf(dataDirectory)) {
        files.push(await copyOne(dataDirectory, making, path, earlier))
      }
      return files
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === TRIES) throw error
    }
  }
}

/** Copies the ledgers first: the files they refer to were written earlier, so copying those afterwards gets all of them. */
async function filesOf(dataDirectory: string): Promise<readonly string[]> {
  const top = await readdir(dataDirectory)
  const below = top.includes('workspaces') ? await walk(dataDirectory, 'workspaces') : []
  const isLedger = (path: string): boolean => /^workspaces\/[^/]+\/ledger\//.test(path)
  return [
    ...below.filter(isLedger),
    ...below.filter((path) => !isLedger(path)),
    ...BACKED_UP.filter((name) => name !== 'workspaces' && top.includes(name)),
  ]
}

async function walk(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter(({ name }) => !LEFT_OUT.some((rule) => rule.test(name)))
      .map((entry) => {
        const path = `${folder}/${entry.name}`
        if (entry.isDirectory()) return walk(root, path)
        // Pulseward creates no links here, and a link could lead out of the folder.
        return entry.isFile() ? [path] : []
      }),
  )
  return found.flat().sort()
}

async function copyOne(
  root: string,
  making: string,
  path: string,
  earlier: Earlier | null,
): Promise<BackedUpFile> {
  const content = withoutTornLine(path, await readFile(join(root, path)))
  const digest = sha256(content)
  const target = join(making, path)
  await mkdir(dirname(target), { recursive: true, mode: PRIVATE_DIRECTORY })
  const before = earlier?.files.get(path)
  const isSame = before?.sha256 === digest && before.bytes === content.length
  if (!isSame || earlier === null || !(await linked(join(earlier.path, path), target, digest))) {
    await writeFile(target, content, { mode: PRIVATE_FILE, flush: true })
  }
  return { path, bytes: content.length, sha256: digest }
}

/** Links only to an intact file. */
async function linked(source: string, target: string, digest: string): Promise<boolean> {
  try {
    if (sha256(await readFile(source)) !== digest) return false
    await link(source, target).catch(() => copyFile(source, target))
    return true
  } catch {
    return false
  }
}

/** Cuts off an incomplete last line of a ledger; it was not acknowledged yet. */
function withoutTornLine(path: string, content: Buffer): Buffer {
  return path.endsWith('.jsonl') ? content.subarray(0, content.lastIndexOf(0x0a) + 1) : content
}

async function dropOldest(dataDirectory: string): Promise<void> {
  const daily = (await backupNames(dataDirectory)).filter((name) => /-daily(-\d+)?$/.test(name))
  for (const name of daily.slice(0, -DAILY_KEPT)) {
    await rm(join(backupsDirectory(dataDirectory), name), { recursive: true, force: true })
  }
}
