import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { onDisk, placeOnDisk, type RawPath } from './raw-path.ts'

/*
 * A folder has tens of thousands of files, nearly all of them as they were: to ask for each through a promise takes ten times as long as to
 * ask for it at once. So it is asked at once, in turns, and most often in a thread; what is long to read is read beside.
 */

/**
 * What stands at a path: `file:<hash>`, with `:x` behind it for a program; `link:<hash of its target>`, `commit:<id>` for a
 * submodule, `large:…@<times>` for a file too large to be read. `UNREADABLE` may be equal to anything. Hashes are git's blob ids, so that
 * a file and a blob of the repository can be compared.
 */
export type Content = string

/** Windows has no executable bit, whatever `lstat` and the repository say. */
const HAS_EXECUTABLE_BIT = process.platform !== 'win32'

export function fileContent(hash: string, isExecutable: boolean): Content {
  return `file:${hash}${isExecutable && HAS_EXECUTABLE_BIT ? ':x' : ''}`
}

/** Content without the executable bit: equal exactly where the bytes are. */
export function bytesOf(content: Content): Content {
  return content.endsWith(':x') ? content.slice(0, -2) : content
}

export const UNREADABLE: Content = 'unreadable'

export type HashAlgorithm = 'sha1' | 'sha256'

/**
 * Whether two contents may be the same or not: one of them could not be read, or the file is too large to be and only its
 * times differ, so that it was touched, or more.
 */
export function mayDiffer(start: Content, end: Content): boolean {
  if (start === UNREADABLE || end === UNREADABLE) return true
  return start.startsWith('large:') && start !== end && start.split('@')[0] === end.split('@')[0]
}

/**
 * Files above this are told apart by size, samples, mtime and ctime. Every write to one shows, for ctime cannot be set by a
 * program; where only the times differ, it may have been touched and nothing more.
 */
const MAX_HASHED_FILE_BYTES = 64n * 1024n * 1024n
/** Read in all for one snapshot, some seconds' worth; after that every file is told apart as if it were too large. */
const MAX_HASHED_BYTES = 2n * 1024n * 1024n * 1024n

/**
 * A file that changed this shortly before it was read may change again without its times showing it: file systems keep them
 * in steps of up to 2 s. Its hash is not reused.
 */
const TIMES_SETTLE_NS = 2_500_000_000n

/** The bit that git goes by. */
const OWNER_MAY_EXECUTE = 0o100n

/** Hashes by path, with what must be unchanged for them to hold. */
export type KnownContents = ReadonlyMap<RawPath, KnownContent>

interface KnownContent extends FileState {
  readonly algorithm: HashAlgorithm
  readonly content: Content
}

type FileState = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>

export interface ContentReader {
  /**
   * What stands at `path` now, at once where that is short; `null` where there is no file or link (a folder, a socket and a device are
   * neither).
   */
  read(path: RawPath): Content | null | Promise<Content | null>
  /** What the next reader may take over. */
  known(): KnownContents
}

/** Reads contents below `directory`, sparing what is unchanged since `previous`. Never rejects, never throws. */
export function createContentReader(
  directory: string,
  algorithm: HashAlgorithm,
  previous: KnownContents,
): ContentReader {
  const known = new Map<RawPath, KnownContent>()
  let budget = MAX_HASHED_BYTES

  function readFile(path: RawPath, stats: BigIntStats): Content | Promise<Content | null> {
    const before = previous.get(path)
    if (before?.algorithm === algorithm && isAsBefore(stats, before)) {
      known.set(path, before)
      return before.content
    }
    if (stats.size > MAX_HASHED_FILE_BYTES || stats.size > budget) return sample(path, stats)
    budget -= stats.size
    // The wall clock, because it is what the file system's times are made from.
    const isSettled = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs > TIMES_SETTLE_NS
    const found = (hash: string): Content => {
      const content = fileContent(hash, (stats.mode & OWNER_MAY_EXECUTE) !== 0n)
      const { size, mtimeNs, ctimeNs, ino } = stats
      if (isSettled) known.set(path, { algorithm, size, mtimeNs, ctimeNs, ino, content })
      return content
    }
    if (stats.size <= MAX_AT_ONCE_BYTES)
      return found(hashAtOnce(onDisk(directory, path), stats.size, algorithm))
    return hashFile(onDisk(directory, path), stats.size, algorithm).then(found).catch(whatFailed)
  }

  const sample = (path: RawPath, { size, mtimeNs, ctimeNs }: BigIntStats): Promise<Content | null> =>
    hashSamples(onDisk(directory, path), Number(size))
      .then((samples) => `large:${size}:${samples}@${mtimeNs}:${ctimeNs}`)
      .catch(whatFailed)

  return {
    known: () => known,
    read: (path) => {
      try {
        const stats = lstatSync(placeOnDisk(directory, path), { bigint: true })
        if (stats.isSymbolicLink()) return `link:${hashLink(onDisk(directory, path), algorithm)}`
        return stats.isFile() ? readFile(path, stats) : null
      } catch (error) {
        return whatFailed(error)
      }
    },
  }
}

function isAsBefore(now: FileState, before: FileState): boolean {
  return (
    now.ctimeNs === before.ctimeNs &&
    now.mtimeNs === before.mtimeNs &&
    now.size === before.size &&
    now.ino === before.ino
  )
}

function whatFailed(error: unknown): Content | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR' ? null : UNREADABLE
}

function hashLink(path: Buffer, algorithm: HashAlgorithm): string {
  const target = readlinkSync(path, { encoding: 'buffer' })
  return createHash(algorithm).update(`blob ${target.length}\0`).update(target).digest('hex')
}

/** Longer ones would keep others waiting while they are read. */
const MAX_AT_ONCE_BYTES = 64n * 1024n

function hashAtOnce(path: Buffer, size: bigint, algorithm: HashAlgorithm): string {
  const file = openSync(path, OPENING)
  try {
    const buffer = Buffer.allocUnsafe(Number(size))
    // What stands there by now may be a pipe, from which nothing comes.
    const length = fstatSync(file).isFile() ? readSync(file, buffer, 0, buffer.length, 0) : 0
    return hashAs(size, buffer.subarray(0, length), algorithm)
  } finally {
    closeSync(file)
  }
}

/** Git's id of a blob that holds these bytes. */
export function hashOf(bytes: Buffer, algorithm: HashAlgorithm): string {
  return hashAs(bytes.length, bytes, algorithm)
}

function hashAs(size: number | bigint, bytes: Buffer, algorithm: HashAlgorithm): string {
  return createHash(algorithm).update(`blob ${size}\0`).update(bytes).digest('hex')
}

const CHUNK_BYTES = 1024 * 1024

/** The path may have become a pipe or a link since it was looked at: neither is waited for or followed. */
const OPENING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

function openFile(path: Buffer): Promise<FileHandle> {
  return open(path, OPENING)
}

/** Of a large file; of a smaller one, of which there are many where the budget is used up, start and end. */
const SAMPLES = 32
const SAMPLE_BYTES = 64 * 1024

/** Of pieces spread evenly over the file, its start and end among them: what rewrites a file changes some of them. */
async function hashSamples(path: Buffer, size: number): Promise<string> {
  const samples = size > MAX_HASHED_FILE_BYTES ? SAMPLES : 2
  const lastOffset = Math.max(0, size - SAMPLE_BYTES)
  const handle = await openFile(path)
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.alloc(SAMPLE_BYTES)
    for (let sample = 0; sample < samples; sample++) {
      const offset = Math.floor((lastOffset * sample) / (samples - 1))
      const { bytesRead } = await handle.read(buffer, 0, SAMPLE_BYTES, offset)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}

async function hashFile(path: Buffer, size: bigint, algorithm: HashAlgorithm): Promise<string> {
  const handle = await openFile(path)
  try {
    const hash = createHash(algorithm).update(`blob ${size}\0`)
    for await (const chunk of chunksOf(handle, Number(size))) hash.update(chunk)
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}

/** At most `size` bytes of the file: one that grows without end must not be read without end. */
async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES))
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - offset), offset)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    offset += bytesRead
  }
}
