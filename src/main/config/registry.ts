import { readdir, realpath, rename, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { workspaceNameSchema, workspaceTagsSchema } from '../../core/read-model/workspace.ts'
import { readJson } from '../../core/text/json.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { exists, fileTime, makeDirectories, setAside } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode, explainCode, isOfTheMoment } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'
import { readContractFile } from './contract-file.ts'

const MAXIMUM_BYTES = 64 * 1024
const READ_AT_ONCE = 32

const documentSchema = z.object({
  id: z.string().min(1).max(200),
  path: z.string().min(1).max(8192),
  /** ISO 8601. */
  addedAt: z.string(),
  /** The operator's name for it; if omitted, the folder's name. */
  name: workspaceNameSchema.optional().catch(undefined),
  tags: workspaceTagsSchema.optional().catch(undefined),
})

/** A supervised folder, as stored in `workspaces/<id>/workspace.json`. */
export interface RegisteredWorkspace {
  readonly id: string
  /** The operator's name for it, otherwise the folder's name. */
  readonly name: string
  /** The operator's tags for grouping it. */
  readonly tags?: readonly string[] | undefined
  /** Absolute and without symbolic links. */
  readonly path: string
  /** ISO 8601. */
  readonly addedAt: string
}

/** A workspace with a record whose folder is unknown. */
export interface UnreadableWorkspace {
  readonly id: string
  readonly name: string
  /** The reason, and how to fix it. */
  readonly reason: string
}

/** Returns the ids in a data folder, readable or not. Rejects with a `RequestProblem` if they cannot be listed. */
export function knownIds(dataDirectory: string): Promise<string[]> {
  return folderNames(join(dataDirectory, 'workspaces'))
}

/** The content of a data folder: workspaces, and those with an unusable `workspace.json`. */
export interface Registry {
  /** In the order in which they were added. */
  readonly workspaces: RegisteredWorkspace[]
  readonly unreadable: readonly UnreadableWorkspace[]
}

/**
 * Reads which workspaces a data folder contains. Sets an unreadable `workspace.json` aside; its folder stays, is reported each time, and is
 * reused when the same workspace is added again. With `onlyLooks`, moves nothing.
 */
export async function readRegistry(dataDirectory: string, onlyLooks = false): Promise<Registry> {
  const limit = pLimit(READ_AT_ONCE)
  const ids = await knownIds(dataDirectory)
  const found = await Promise.all(ids.map((id) => limit(() => readDocument(dataDirectory, id, onlyLooks))))
  const workspaces = found.filter((each) => each !== null && 'path' in each)
  return {
    workspaces: workspaces.sort(
      (left, right) => left.addedAt.localeCompare(right.addedAt) || left.id.localeCompare(right.id),
    ),
    unreadable: found.filter((each) => each !== null && 'reason' in each),
  }
}

/** Returns the known workspaces in the order in which they were added; logs unreadable ones. */
export async function listWorkspaces(dataDirectory: string, log: Log): Promise<RegisteredWorkspace[]> {
  const { workspaces, unreadable } = await readRegistry(dataDirectory)
  for (const { reason } of unreadable) log.error(reason)
  return workspaces
}

/**
 * Registers a folder with a `HEARTBEAT.md` for supervision. The same folder under any path is the same workspace, and adding it
 * again returns the existing one. Rejects with a `RequestProblem` (`unprocessable`) if the folder or a new one's contract cannot
 * be read, or the data folder is not writable.
 */
export async function addWorkspace(
  dataDirectory: string,
  path: string,
  nowMs: number,
): Promise<RegisteredWorkspace> {
  const real = await realFolder(resolve(path))
  const { id, existing } = await workspaceIn(dataDirectory, real)
  const folder = join(dataDirectory, 'workspaces', id)
  // Don't read the contract here: if an agent deleted it, the tasks remain and heartbeats continue.
  if (existing !== null) return existing
  const own = await problemOfOwnFolder(dataDirectory, real)
  if (own !== null) throw new RequestProblem('unprocessable', own)
  const contract = await readContractFile(real)
  if (!contract.ok) throw new RequestProblem('unprocessable', contract.reason)
  const document = { id, path: real, addedAt: new Date(nowMs).toISOString() }
  await makeDirectories(folder).catch((error: unknown) => {
    throw new RequestProblem('unprocessable', `Cannot create ${folder}: ${explainCode(errorCode(error))}`, {
      cause: error,
    })
  })
  await replaceFile(join(folder, 'workspace.json'), `${JSON.stringify(document, null, 2)}\n`, 0o600)
  return { ...document, name: nameOf(real) }
}

/**
 * Returns why a folder, by its real path, cannot be a workspace even with a contract: what we write into it would count as its agent's
 * work. The sample's folder next to our records is allowed. `null`: nothing prevents it.
 */
export async function problemOfOwnFolder(dataDirectory: string, real: string): Promise<string | null> {
  const data = await realpath(dataDirectory).catch(() => dataDirectory)
  const records = join(data, 'workspaces')
  if (real !== data && !`${real}${sep}`.startsWith(`${records}${sep}`)) return null
  return `${real} contains Pulseward's own records. Choose a folder outside ${data}.`
}

/**
 * Ends the supervision of a workspace. Does not touch its folder; keeps its record as `workspaces/.removed-<id>-<time>`. Rejects
 * with a `RequestProblem` if there is no such id or it cannot be moved.
 */
export async function removeWorkspace(dataDirectory: string, id: string, nowMs: number): Promise<void> {
  const folder = join(dataDirectory, 'workspaces', id)
  if (!isFolderName(id)) throw new RequestProblem('not-found', `There is no workspace ${JSON.stringify(id)}.`)
  try {
    await rename(folder, join(dataDirectory, 'workspaces', `.removed-${id}-${fileTime(nowMs)}`))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT')
      throw new RequestProblem('not-found', `There is no workspace ${JSON.stringify(id)}.`)
    throw new RequestProblem('unprocessable', `Cannot move ${folder}: ${explainCode(code)}`, { cause: error })
  }
}

/**
 * Supervises a removed workspace again, with its record: the last one removed with this id. Rejects with a `RequestProblem` if
 * there is none, or the folder was added again.
 */
export async function restoreWorkspace(dataDirectory: string, id: string): Promise<RegisteredWorkspace> {
  const parent = join(dataDirectory, 'workspaces')
  const prefix = `.removed-${id}-`
  const names = isFolderName(id) ? await readdir(parent).catch(() => []) : []
  const latest = names
    // Another id may begin with this one: `notes-1a2b3c-2`.
    .filter((name) => name.startsWith(prefix) && FILE_TIME.test(name.slice(prefix.length)))
    .sort()
    .at(-1)
  if (latest === undefined)
    throw new RequestProblem('not-found', `No workspace ${JSON.stringify(id)} was removed.`)
  if (names.includes(id) || (await isAddedAgain(dataDirectory, latest)))
    throw new RequestProblem(
      'conflict',
      `The folder of ${id} was added again; its old record is ${join(parent, latest)}.`,
    )
  await rename(join(parent, latest), join(parent, id)).catch((error: unknown) => {
    throw new RequestProblem(
      'unprocessable',
      `Cannot move ${join(parent, latest)}: ${explainCode(errorCode(error))}`,
      {
        cause: error,
      },
    )
  })
  const document = await readDocument(dataDirectory, id)
  if (document === null || !('path' in document))
    throw new RequestProblem('unprocessable', `The record of ${id} cannot be read. Add its folder again.`)
  return document
}

/** What `fileTime` writes. */
const FILE_TIME = /^\d{4}-\d\d-\d\dT[\d-]+Z$/

/** Returns whether the folder of a removed workspace is now that of another one: after a move, it gets another id. */
async function isAddedAgain(dataDirectory: string, removed: string): Promise<boolean> {
  const reading = await readBoundedFile(
    join(dataDirectory, 'workspaces', removed, 'workspace.json'),
    MAXIMUM_BYTES,
  )
  const document = reading.ok ? readJson(documentSchema, reading.bytes.toString('utf8')) : null
  return document !== null && (await workspaceIn(dataDirectory, document.path)).existing !== null
}

/**
 * Sets the new folder of a workspace whose folder was moved or renamed, keeping its id and record. Rejects with a `RequestProblem` if the
 * folder does not exist, has no readable contract, or is another workspace's.
 */
export async function moveWorkspace(
  dataDirectory: string,
  id: string,
  path: string,
): Promise<RegisteredWorkspace> {
  const real = await realFolder(resolve(path))
  const before = await readDocument(dataDirectory, id)
  if (before === null || !('path' in before))
    throw new RequestProblem('not-found', `There is no workspace ${JSON.stringify(id)}.`)
  const { existing } = await workspaceIn(dataDirectory, real)
  if (existing !== null && existing.id !== id)
    throw new RequestProblem('conflict', `${real} is the folder of another workspace, ${existing.id}.`)
  const own = await problemOfOwnFolder(dataDirectory, real)
  if (own !== null) throw new RequestProblem('unprocessable', own)
  const contract = await readContractFile(real)
  if (!contract.ok) throw new RequestProblem('unprocessable', contract.reason)
  const { name, addedAt, tags } = before
  const document = { id, path: real, addedAt, ...(name !== nameOf(before.path) && { name }), tags }
  await replaceFile(movedFile(dataDirectory, real), `${id}\n`, 0o600)
  await replaceFile(
    join(dataDirectory, 'workspaces', id, 'workspace.json'),
    `${JSON.stringify(document, null, 2)}\n`,
    0o600,
  )
  return { ...document, name: name === nameOf(before.path) ? nameOf(real) : name }
}

/** Returns the path of a file that names the workspace moved into this folder, because that workspace's id comes from its earlier path. */
function movedFile(dataDirectory: string, real: string): string {
  return join(dataDirectory, 'workspaces', `.moved-${workspaceId(real)}`)
}

/** Returns the workspace in a folder, by its real path, and its id; if there is none, the id for a new one. */
async function workspaceIn(
  dataDirectory: string,
  real: string,
): Promise<{ readonly id: string; readonly existing: RegisteredWorkspace | null }> {
  const moved = await readBoundedFile(movedFile(dataDirectory, real), MAXIMUM_BYTES)
  const own = workspaceId(real)
  const ids = [...(moved.ok ? [moved.bytes.toString('utf8').trim()] : []), own].filter(isFolderName)
  for (const id of ids) {
    const document = await readDocument(dataDirectory, id)
    if (document !== null && 'path' in document && document.path === real) return { id, existing: document }
  }
  // The id may be taken by a workspace that was here and has moved away.
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? own : `${own}-${number}`
    const document = await readDocument(dataDirectory, id)
    if (document === null || !('path' in document)) return { id, existing: null }
    if (document.path === real) return { id, existing: document }
  }
}

/** Stores the operator's name for a workspace, and its tags. Rejects with a `RequestProblem` if that cannot be written. */
export async function labelWorkspace(
  dataDirectory: string,
  { id, path, addedAt }: RegisteredWorkspace,
  label: { readonly name: string | null; readonly tags: readonly string[] },
): Promise<{ readonly name: string; readonly tags: readonly string[] }> {
  const { name, tags } = label
  const document = { id, path, addedAt, ...(name !== null && { name }), tags }
  const file = join(dataDirectory, 'workspaces', id, 'workspace.json')
  await replaceFile(file, `${JSON.stringify(document, null, 2)}\n`, 0o600)
  return { name: name ?? nameOf(path), tags }
}

/** Returns the id of the workspace in this folder: its name, made unique by its path. */
export function workspaceId(realPath: string): string {
  const slug = basename(realPath)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${slug || 'workspace'}-${sha256(realPath).slice(0, 6)}`
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (error) {
    const code = errorCode(error)
    const what =
      code === 'ENOENT'
        ? `There is no folder ${path}. Check the path.`
        : `Cannot open ${path}: ${explainCode(code)}`
    throw new RequestProblem('unprocessable', what, { cause: error })
  }
  throw new RequestProblem('unprocessable', `${path} is a file. Name the folder that contains HEARTBEAT.md.`)
}

async function readDocument(
  dataDirectory: string,
  id: string,
  onlyLooks = false,
): Promise<RegisteredWorkspace | UnreadableWorkspace | null> {
  const folder = join(dataDirectory, 'workspaces', id)
  const path = join(folder, 'workspace.json')
  const unreadable = (what: string): UnreadableWorkspace => {
    const name = id.replace(/-[0-9a-f]{6}$/, '')
    return { id, name, reason: `${path} ${what}` }
  }
  const again =
    'Add its folder again (`pulseward add DIR`) to continue its record, or remove it with `pulseward remove`.'
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok && isOfTheMoment(reading.code)) {
    return unreadable(`cannot be read right now: ${explainCode(reading.code)} Then restart Pulseward.`)
  }
  if (!reading.ok && reading.code === 'ENOTDIR') return null
  if (!reading.ok && reading.code === 'ENOENT') {
    return (await exists(join(folder, 'ledger')))
      ? unreadable(`cannot be used: it is missing. ${again}`)
      : null
  }
  const document = reading.ok ? readJson(documentSchema, reading.bytes.toString('utf8')) : null
  // A folder copied or renamed by hand must not be served under two ids.
  if (document !== null && document.id === id)
    return { ...document, name: document.name ?? nameOf(document.path) }
  const aside = onlyLooks ? null : await setAside(path, Date.now())
  return unreadable(`cannot be used${aside === null ? '' : ` and is now ${aside}`}. ${again}`)
}

async function folderNames(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && isFolderName(entry.name))
      .map((entry) => entry.name)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw new RequestProblem('storage', `Cannot read ${path}: ${explainCode(errorCode(error))}`, {
      cause: error,
    })
  }
}

/** Returns whether a name is a workspace's folder; those of removed workspaces start with a dot. */
function isFolderName(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(id)
}

function nameOf(path: string): string {
  return basename(path) || path
}
