import { isAbsolute, relative, resolve, sep } from 'node:path'
import { groundOf, lookBeneath, onlyIn, readBeneath } from '../files/beneath.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { realpath } from '../files/names.ts'
import { explainCode } from '../files/storage-error.ts'
import type { EarlierFiles } from '../ports/custody.ts'

/** Where a path is relative to the workspace, with symbolic links followed. */
export type Location =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  /** A symbolic link that leads to nothing. */
  | { readonly kind: 'dangling' }
  /** A link that leads out of the repository. */
  | { readonly kind: 'led-out' }
  /** It is in a folder behind such a link. Whether anything is there is not checked. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The workspace, with some files assumed to be as they were. */
export interface FileWorld {
  readonly directory: string
  readonly earlier?: EarlierFiles
}

export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * Reads the text of a file in the workspace, as `locate` finds it and `readTextFile` reads it; if it leads to no file, returns
 * that.
 */
export async function readFileIn(
  world: FileWorld,
  path: string,
  maxBytes: number,
): Promise<FileReading | Exclude<Location, { kind: 'inside' }>> {
  const kept = keptOf(world, path)
  if (kept?.kind === 'file') return { kind: 'text', text: decoded(kept.bytes) }
  const location = kept ?? (await locate(world.directory, path))
  return location.kind === 'inside' ? readTextFile(world.directory, location.path, maxBytes) : location
}

/** Returns where a path of the workspace leads, with some files assumed to be as they were. */
export async function locateIn(world: FileWorld, path: string): Promise<Location> {
  const kept = keptOf(world, path)
  if (kept?.kind === 'file') return { kind: 'inside', path: resolve(world.directory, path) }
  return kept ?? locate(world.directory, path)
}

/**
 * Returns what the earlier files say about a path; `null` if they say nothing different from what is there now. The folder of
 * such a file counts as existing.
 */
function keptOf(
  { directory, earlier }: FileWorld,
  path: string,
): { readonly kind: 'file'; readonly bytes: Buffer } | Extract<Location, { kind: 'missing' }> | null {
  if (earlier === undefined) return null
  const name = relative(directory, resolve(directory, path)).split(sep).join('/')
  const file = earlier.write.find((one) => one.path === name)
  if (file !== undefined) return { kind: 'file', bytes: file.bytes }
  return earlier.remove.includes(name) ? { kind: 'missing' } : null
}

/**
 * Returns where a path of the workspace leads. A path that leaves it by `..`, or as an absolute path, is `outside`, because it
 * was written that way. A path that a symbolic link leads out of the repository is never followed, because an agent may have
 * created that link. A name is the same in Unicode's composed and decomposed forms, which look identical and which some systems
 * write.
 */
export async function locate(directory: string, path: string): Promise<Location> {
  const located = await locateAsWritten(directory, path)
  if (located.kind !== 'missing') return located
  for (const spelling of new Set([path.normalize('NFC'), path.normalize('NFD')])) {
    if (spelling === path) continue
    const other = await locateAsWritten(directory, spelling)
    if (other.kind !== 'missing' && other.kind !== 'unreadable') return other
  }
  return located
}

async function locateAsWritten(directory: string, path: string): Promise<Location> {
  if (path.includes('\0')) return { kind: 'unreadable', reason: 'its name contains a NUL character' }
  const target = resolve(directory, path)
  if (!isWithin(directory, target)) return { kind: 'outside' }
  const found = await lookBeneath(groundOf(directory), relative(directory, target))
  switch (found.kind) {
    case 'found':
      return { kind: 'inside', path: found.path }
    case 'free':
    case 'missing':
      return { kind: found.isDangling ? 'dangling' : 'missing' }
    case 'unreadable':
      return { kind: 'unreadable', reason: explainCode(found.code) }
    default:
      return found
  }
}

/**
 * Reads a regular file of at most `maxBytes` as UTF-8, or as UTF-16 if it has that byte order mark. Rejects pipes and devices
 * before they can block. A path in the workspace's repository is opened beneath its top; any other is the operator's.
 */
export async function readTextFile(directory: string, path: string, maxBytes: number): Promise<FileReading> {
  const { top } = groundOf(await realpath(directory).catch(() => directory))
  const reading = isWithin(top, path)
    ? await readBeneath(onlyIn(top), relative(top, path), maxBytes)
    : await readBoundedFile(path, maxBytes)
  if (reading.ok) return { kind: 'text', text: decoded(reading.bytes) }
  if (['ENOENT', 'ENOTDIR', 'LED_OUT', 'DANGLING', 'ELOOP'].includes(reading.code)) return { kind: 'missing' }
  return { kind: 'unreadable', reason: whyUnreadable(reading.code, maxBytes) }
}

function whyUnreadable(code: string, maxBytes: number): string {
  if (code === 'TOO_LARGE') return `it is larger than ${maxBytes} bytes`
  return code === 'NOT_A_FILE' ? 'it is not a regular file' : explainCode(code)
}

/** Windows shells write UTF-16, with a byte order mark. */
function decoded(bytes: Buffer): string {
  const mark = bytes.length % 2 === 0 ? bytes.subarray(0, 2).toString('hex') : ''
  if (mark === 'fffe') return bytes.toString('utf16le', 2)
  return mark === 'feff' ? bytes.swap16().toString('utf16le', 2) : bytes.toString('utf8')
}

/** Returns a phrase for a system error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
