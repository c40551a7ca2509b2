import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { errorCode, storageError } from '../files/storage-error.ts'
import { MAX_LINE_BYTES } from './line.ts'

/** One file of the ledger, named after the `seq` of its first line; a crash may leave both its forms behind. */
export interface Segment {
  readonly firstSeq: number
  readonly plain: boolean
  readonly gzipped: boolean
}

/** A line of a segment as it is on disk. */
export interface SegmentLine {
  /** Without the newline; cut off at the limit for a line if `oversized`. */
  readonly bytes: Buffer
  /** From 1. */
  readonly number: number
  /** Byte offset of its start and of the next line's, in the plain file. */
  readonly start: number
  readonly end: number
  /** True if it ends with a newline. Only the last line can lack it. */
  readonly terminated: boolean
  readonly oversized: boolean
}

const segmentName = /^(\d{12,15})\.jsonl(\.gz)?$/
const NEWLINE = 0x0a
const unpack = promisify(gunzip)
/** Segments close soon after 4 MiB; anything far beyond that is not ours and must not fill the memory. */
const MAX_SEGMENT_BYTES = 64 * 1024 * 1024
/** Large enough to read nearly every segment in one go. */
const MOST_SEGMENTS_BYTES = 5 * 1024 * 1024
/** Most ledgers are small and read in one go; a long one takes few reads. */
const SMALLEST_CHUNK_BYTES = 4 * 1024
const LARGEST_CHUNK_BYTES = 1024 * 1024
const UNPACKED_CHUNK_BYTES = 128 * 1024

/** Returns the path of the plain segment whose first event is `firstSeq`. */
export function segmentPath(ledgerDirectory: string, firstSeq: number): string {
  return join(ledgerDirectory, `${String(firstSeq).padStart(12, '0')}.jsonl`)
}

/** Returns the segment's name for messages: the file that is read. */
export function segmentFile(segment: Segment): string {
  return `${String(segment.firstSeq).padStart(12, '0')}.jsonl${segment.plain ? '' : '.gz'}`
}

/** Returns the segments of a ledger, oldest first; empty if the folder does not exist. Rejects with a `StorageError`. */
export async function listSegments(ledgerDirectory: string): Promise<readonly Segment[]> {
  const names = await readdir(ledgerDirectory).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw storageError('read the folder', ledgerDirectory, error)
  })
  const found = new Map<number, Segment>()
  for (const name of names) {
    const match = segmentName.exec(name)
    if (match === null) continue
    const firstSeq = Number(match[1])
    const gzipped = match[2] !== undefined
    const other = found.get(firstSeq)
    found.set(firstSeq, {
      firstSeq,
      plain: !gzipped || other?.plain === true,
      gzipped: gzipped || other?.gzipped === true,
    })
  }
  return [...found.values()].sort((a, b) => a.firstSeq - b.firstSeq)
}

/**
 * Yields the lines of a segment in order, from the plain file if both exist. Memory is bounded by one chunk and one line. Rejects
 * if the file cannot be read or decompressed, after yielding the lines before that point.
 */
export async function* readLines(ledgerDirectory: string, firstSeq: number): AsyncGenerator<SegmentLine> {
  for await (const lines of readLineGroups(ledgerDirectory, firstSeq)) yield* lines
}

/**
 * True if the whole line from `start` to `end` of `chunk` can be skipped; `next` is where the next one begins in the plain file.
 * Called in the order of the lines, and not again after it returned false; later reads overwrite what it is given.
 */
export type PassOver = (chunk: Buffer, start: number, end: number, next: number) => boolean

/** Yields the lines in groups, one per chunk; skipped lines at the start of a plain file are left out. */
export async function* readLineGroups(
  ledgerDirectory: string,
  firstSeq: number,
  passOver?: PassOver,
): AsyncGenerator<readonly SegmentLine[]> {
  const path = segmentPath(ledgerDirectory, firstSeq)
  const plain = await openIfThere(path)
  if (plain === null) {
    // The plain file was compressed and removed, perhaps since it was listed.
    const { chunks, close } = await openPacked(path)
    try {
      yield* splitLines(chunks, NOTHING_PASSED)
    } finally {
      await close()
    }
    return
  }
  try {
    const passed = passOver === undefined ? NOTHING_PASSED : await passOverStart(plain, passOver)
    yield* splitLines(chunksAfter(plain, passed), passed)
  } finally {
    await plain.close()
  }
}

/**
 * Returns the bytes of a segment, starting at `from`, as they are in the plain file. Rejects if the file cannot be read or
 * decompressed, or decompresses to more than any segment has.
 */
export async function readSegmentFrom(
  ledgerDirectory: string,
  firstSeq: number,
  from: number,
): Promise<Buffer> {
  const path = segmentPath(ledgerDirectory, firstSeq)
  const plain = await openIfThere(path)
  if (plain === null) {
    const whole = await unpack(await readFile(`${path}.gz`), {
      maxOutputLength: MAX_SEGMENT_BYTES,
      chunkSize: MOST_SEGMENTS_BYTES,
    })
    return whole.subarray(from)
  }
  try {
    const { size } = await plain.stat()
    return await readRange(plain, from, Math.min(size, MAX_SEGMENT_BYTES))
  } finally {
    await plain.close()
  }
}

/** Returns the bytes from `start` to `end` of a file, or fewer if it ends before. */
export async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start))
  let done = 0
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

/** Lines at the start of a plain segment that were skipped. */
interface Passed {
  readonly bytes: number
  readonly lines: number
  /** The lines that were read after the skipped ones. */
  readonly read: Buffer
}

const NOTHING_PASSED: Passed = { bytes: 0, lines: 0, read: Buffer.alloc(0) }

/**
 * Skips up to the first line that must be passed on. One buffer serves all chunks: allocating one for each took longer than
 * reading it.
 */
async function passOverStart(handle: FileHandle, passOver: PassOver): Promise<Passed> {
  const { size } = await handle.stat()
  const buffer = Buffer.allocUnsafe(chunkBytes(size))
  let bytes = 0
  let lines = 0
  for (let held = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, held, buffer.length - held, bytes + held)
    const chunk = buffer.subarray(0, held + bytesRead)
    let from = 0
    let newline = chunk.indexOf(NEWLINE)
    while (newline >= 0 && passOver(chunk, from, newline, bytes + newline + 1)) {
      lines += 1
      from = newline + 1
      newline = chunk.indexOf(NEWLINE, from)
    }
    bytes += from
    // A line must be passed on, or the file ends here, or the line is longer than the buffer.
    if (newline >= 0 || from === 0) return { bytes, lines, read: chunk.subarray(from) }
    held = chunk.copy(buffer, 0, from)
  }
}

/** Yields everything up to the end of the file, which may grow while it is read. */
async function* chunksAfter(handle: FileHandle, { bytes, read }: Passed): AsyncGenerator<Buffer> {
  if (read.length > 0) yield read
  const { size } = await handle.stat()
  for (let position = bytes + read.length; ; ) {
    const room = chunkBytes(size - position)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(room), 0, room, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function chunkBytes(left: number): number {
  return Math.min(LARGEST_CHUNK_BYTES, Math.max(SMALLEST_CHUNK_BYTES, left))
}

async function openPacked(
  path: string,
): Promise<{ readonly chunks: AsyncIterable<Buffer>; readonly close: () => Promise<void> }> {
  const packed = await open(`${path}.gz`, 'r')
  const source = packed.createReadStream({ start: 0, autoClose: false })
  const unpacked = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES })
  source.on('error', (error) => unpacked.destroy(error))
  return {
    chunks: source.pipe(unpacked),
    close: async () => {
      unpacked.destroy()
      source.destroy()
      await packed.close()
    },
  }
}

export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  passed: Passed,
): AsyncGenerator<readonly SegmentLine[]> {
  let parts: Buffer[] = []
  let kept = 0
  let length = 0
  let start = passed.bytes
  let number = passed.lines + 1

  const keep = (piece: Buffer): void => {
    length += piece.length
    const room = MAX_LINE_BYTES - kept
    if (room <= 0 || piece.length === 0) return
    const part = piece.subarray(0, room)
    parts.push(part)
    kept += part.length
  }
  const take = (terminated: boolean): SegmentLine => {
    const end = start + length + (terminated ? 1 : 0)
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    const line = { bytes, number, start, end, terminated, oversized: length > kept }
    parts = []
    kept = 0
    length = 0
    start = end
    number += 1
    return line
  }

  for await (const chunk of chunks) {
    const lines: SegmentLine[] = []
    let from = 0
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, newline))
      from = newline + 1
      lines.push(take(true))
    }
    keep(chunk.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [take(false)]
}
