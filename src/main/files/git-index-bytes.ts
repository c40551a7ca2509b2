import { createHash } from 'node:crypto'

/*
 * Parses a repository's index file: asking git takes a process for each snapshot, and a repository that was tampered with is not
 * asked at all. https://git-scm.com/docs/index-format, versions 2 to 4; a split or a sparse index is not parsed.
 */

/** Length of the file metadata at the start of an entry: times, inode, mode, owner and size. */
export const INDEX_STAT_BYTES = 40
/** Offset within that. */
export const INDEX_MODE_AT = 24
export const INDEX_SIZE_AT = 36

const HASHES = { sha1: 20, sha256: 32 } as const
export type IndexHash = keyof typeof HASHES

/** An entry, and where it is in the bytes. */
export interface IndexRecord {
  /** One character per byte, since names are bytes. */
  readonly name: string
  /** Offset of the entry: the file metadata, then its id. */
  readonly at: number
  /** Length of its id. */
  readonly idBytes: number
  readonly stage: number
  /** True if git assumes without looking that the file is unchanged, or leaves it out of the work tree. */
  readonly isFlagged: boolean
  /** True if it is not checked out in the work tree (sparse checkout). */
  readonly isSkipped: boolean
}

/** How many bytes all names together may exceed the file: with prefix compression, a small file could expand beyond the memory. */
const MAX_REPEATED = 32 * 1024 * 1024

/**
 * Returns the results of `take` for each entry, in file order, with the ids' hash algorithm; `null` if git did not write these
 * bytes. `asked`: the repository's algorithm, else whichever matches the checksum. Never throws.
 */
export function readGitIndex<Entry>(
  bytes: Buffer,
  take: (record: IndexRecord) => Entry,
  asked: readonly IndexHash[] = ['sha1', 'sha256'],
): { readonly hash: IndexHash; readonly entries: readonly Entry[] } | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  for (const hash of asked) {
    const size = HASHES[hash]
    if (bytes.length < 12 + size) return null
    const sum = bytes.subarray(bytes.length - size)
    const isWhole = createHash(hash)
      .update(bytes.subarray(0, bytes.length - size))
      .digest()
      .equals(sum)
    // Git can be configured to write no checksum.
    if (!isWhole && !sum.every((byte) => byte === 0)) continue
    const entries = readEntries(bytes, size, take)
    if (entries !== null) return { hash, entries }
  }
  return null
}

/** Returns a view for reading file metadata, because reading numbers and texts from a `Buffer` takes three times as long. */
export function numbersIn({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}

function readEntries<Entry>(
  bytes: Buffer,
  idBytes: number,
  take: (record: IndexRecord) => Entry,
): Entry[] | null {
  const numbers = numbersIn(bytes)
  const text = bytes.toString('latin1')
  const version = numbers.getUint32(4)
  const count = numbers.getUint32(8)
  const end = bytes.length - idBytes
  if (version < 2 || version > 4) return null
  const entries: Entry[] = []
  let at = 12
  let previous = ''
  let length = 0
  for (let index = 0; index < count; index += 1) {
    const start = at
    at = start + INDEX_STAT_BYTES + idBytes
    if (at + 4 > end) return null
    const flags = numbers.getUint16(at)
    at += 2
    const isExtended = (flags & 0x4000) !== 0
    const more = isExtended ? numbers.getUint16(at) : 0
    if (isExtended) at += 2
    let prefix = ''
    if (version === 4) {
      const cut = readOffset(bytes, at)
      prefix = previous.slice(0, previous.length - cut.value)
      at = cut.next
    }
    const nul = text.indexOf('\0', at)
    if (nul < 0 || nul >= end) return null
    const name = prefix + text.slice(at, nul)
    at = version === 4 ? nul + 1 : start + (Math.floor((nul - start) / 8) + 1) * 8
    previous = name
    length += name.length
    if (length > bytes.length + MAX_REPEATED) return null
    const isFlagged = (flags & 0x8000) !== 0 || (more & 0x4000) !== 0
    entries.push(
      take({
        name,
        at: start,
        idBytes,
        stage: (flags >> 12) & 3,
        isFlagged,
        isSkipped: (more & 0x4000) !== 0,
      }),
    )
  }
  return isAllThereIs(bytes, at, end) ? entries : null
}

/**
 * Returns whether the extensions after the entries can be ignored: a split index has entries in another file, and a sparse one
 * has entries for whole folders.
 */
function isAllThereIs(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  while (at + 8 <= end) {
    // Git itself ignores unknown extensions only if the name begins this way.
    const first = bytes[at] ?? 0
    if (first < 0x41 || first > 0x5a) return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return at <= end
}

/** Reads how many bytes of the previous name to drop, in git's own offset encoding. */
function readOffset(bytes: Buffer, start: number): { readonly value: number; readonly next: number } {
  let at = start
  let byte = bytes[at] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0 && at < start + 5) {
    at += 1
    byte = bytes[at] ?? 0
    value = ((value + 1) << 7) | (byte & 0x7f)
  }
  return { value, next: at + 1 }
}
