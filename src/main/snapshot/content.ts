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
 * A folder has tens of thousands of files, nearly all unchanged, and asynchronous calls take ten times as long as synchronous
 * ones. So files are read synchronously, yielding at intervals and usually in a thread; large files are read asynchronously.
 */

/**
 * The content at a path: `file:<hash>`, with `:x` appended for executables; `link:<hash of its target>`, `commit:<id>` for a
 * submodule, `large:…@<times>` for a file too large to read. `UNREADABLE` may equal anything. Hashes are git's blob ids, so that
 * a file and a blob of the repository can be compared.
 */
export type Content = string

/** Windows has no executable bit, whatever `lstat` and the repository say. */
const HAS_EXECUTABLE_BIT = process.platform !== 'win32'

export function fileContent(hash: string, isExecutable: boolean): Content {
  return `file:${hash}${isExecutable && HAS_EXECUTABLE_BIT ? ':x' : ''}`
}

/** Returns the content without the executable bit: equal if and only if the bytes are. */
export function bytesOf(content: Content): Content {
  return content.endsWith(':x') ? content.slice(0, -2) : content
}

export const UNREADABLE: Content = 'unreadable'

export type HashAlgorithm = 'sha1' | 'sha256'

/**
 * True if it is unknown whether two contents differ: one of them could not be read, or the file is too large to read and only its
 * times differ.
 */
export function mayDiffer(start: Content, end: Content): boolean {
  if (start === UNREADABLE || end === UNREADABLE) return true
  return start.startsWith('large:') && start !== end && start.split('@')[0] === end.split('@')[0]
}

/**
 * Larger files are compared by size, samples, mtime and ctime. Every write changes ctime, which no program can set; if only the
 * times differ, the file may just have been touched.
 */
const MAX_HASHED_FILE_BYTES = 64n * 1024n * 1024n
/** Bytes hashed for one snapshot, some seconds' worth; later files are compared as if they were too large. */
const MAX_HASHED_BYTES = 2n * 1024n * 1024n * 1024n

/**
 * A file changed more recently than this may change again without its times showing it: file systems store times in steps of up
 * to 2 s. Its hash is not reused.
 */
const TIMES_SETTLE_NS = 2_500_000_000n

/** The bit that git uses. */
const OWNER_MAY_EXECUTE = 0o100n

/** Hashes by path, with the metadata that must be unchanged for them to be valid. */
export type KnownContents = ReadonlyMap<RawPath, KnownContent>

interface KnownContent extends FileState {
  readonly algorithm: HashAlgorithm
  readonly content: Content
}

type FileState = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>

export interface ContentReader {
  /**
   * Returns the content at `path`, synchronously for small files; `null` if there is no file or link (a folder, socket or device counts as
   * neither).
   */
  read(path: RawPath): Content | null | Promise<Content | null>
  /** Returns the contents that the next reader can reuse. */
  known(): KnownContents
}

/** Creates a reader of contents in `directory` that reuses what is unchanged since `previous`. Never rejects or throws. */
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
    // The wall clock, because file times come from it.
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

/** Larger files would block others while they are read. */
const MAX_AT_ONCE_BYTES = 64n * 1024n

function hashAtOnce(path: Buffer, size: bigint, algorithm: HashAlgorithm): string {
  const file = openSync(path, OPENING)
  try {
    const buffer = Buffer.allocUnsafe(Number(size))
    // By now it may be a pipe, which never returns data.
    const length = fstatSync(file).isFile() ? readSync(file, buffer, 0, buffer.length, 0) : 0
    return hashAs(size, buffer.subarray(0, length), algorithm)
  } finally {
    closeSync(file)
  }
}

/** Returns git's id of a blob with these bytes. */
export function hashOf(bytes: Buffer, algorithm: HashAlgorithm): string {
  return hashAs(bytes.length, bytes, algorithm)
}

function hashAs(size: number | bigint, bytes: Buffer, algorithm: HashAlgorithm): string {
  return createHash(algorithm).update(`blob ${size}\0`).update(bytes).digest('hex')
}

const CHUNK_BYTES = 1024 * 1024

/** The path may have become a pipe or a link in the meantime: don't wait for a pipe or follow a link. */
const OPENING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

function openFile(path: Buffer): Promise<FileHandle> {
  return open(path, OPENING)
}

/** For a large file; a smaller one (there are many of them once the budget is used up) is sampled at start and end only. */
const SAMPLES = 32
const SAMPLE_BYTES = 64 * 1024

/** Hashes pieces spread evenly over the file, including its start and end: rewriting a file changes some of them. */
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

/** Yields at most `size` bytes of the file, which may grow endlessly. */
async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES))
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - offset), offset)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    offset += bytesRead
  }
}
