import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The index of a repository, read and written as bytes: to ask git takes a process at each look, and a repository that was tampered
 * with is not asked at all. https://git-scm.com/docs/index-format, versions 2 to 4; a split or a sparse index is not read.
 */

interface IndexEntry {
  /** One character a byte, as names are bytes. */
  readonly name: string
  /** Times, place, mode, owner and size of the file, as git noted them. */
  readonly stat: Buffer
  readonly id: Buffer
  readonly stage: number
  /** Git takes it for unchanged, or leaves it out of the work tree, without looking. */
  readonly isFlagged: boolean
}

const STAT_BYTES = 40
const HASHES = [
  ['sha1', 20],
  ['sha256', 32],
] as const
type HashName = (typeof HASHES)[number][0]

export interface GitIndexFile {
  readonly hash: HashName
  readonly entries: readonly IndexEntry[]
}

/** The entries of an index file; `null` where its bytes are none that git writes. Never throws. */
export function parseGitIndex(bytes: Buffer): GitIndexFile | null {
  for (const [hash, size] of HASHES) {
    if (bytes.length < 12 + size || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
    const sum = bytes.subarray(bytes.length - size)
    const isWhole = createHash(hash)
      .update(bytes.subarray(0, bytes.length - size))
      .digest()
      .equals(sum)
    // Git may be told to write no sum.
    if (!isWhole && !sum.every((byte) => byte === 0)) continue
    const entries = readEntries(bytes, size)
    if (entries !== null) return { hash, entries }
  }
  return null
}

function readEntries(bytes: Buffer, idBytes: number): readonly IndexEntry[] | null {
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  const end = bytes.length - idBytes
  if (version < 2 || version > 4) return null
  const entries: IndexEntry[] = []
  let at = 12
  let previous = ''
  for (let index = 0; index < count; index += 1) {
    const start = at
    if (start + STAT_BYTES + idBytes + 2 > end) return null
    const stat = bytes.subarray(start, start + STAT_BYTES)
    const id = bytes.subarray(start + STAT_BYTES, start + STAT_BYTES + idBytes)
    at = start + STAT_BYTES + idBytes
    const flags = bytes.readUInt16BE(at)
    at += 2
    const isExtended = (flags & 0x4000) !== 0
    const more = isExtended ? bytes.readUInt16BE(at) : 0
    if (isExtended) at += 2
    let prefix = ''
    if (version === 4) {
      const cut = readOffset(bytes, at)
      prefix = previous.slice(0, previous.length - cut.value)
      at = cut.next
    }
    const nul = bytes.indexOf(0, at)
    if (nul < 0 || nul >= end) return null
    const name = prefix + bytes.toString('latin1', at, nul)
    at = version === 4 ? nul + 1 : start + (Math.floor((nul - start) / 8) + 1) * 8
    previous = name
    const isFlagged = (flags & 0x8000) !== 0 || (more & 0x4000) !== 0
    entries.push({ name, stat, id, stage: (flags >> 12) & 3, isFlagged })
  }
  // Entries of a split index lie in another file; those of a sparse one stand for whole folders.
  const extension = bytes.toString('latin1', at, at + 4)
  return extension === 'link' || extension === 'sdir' ? null : entries
}

/** How many bytes of the name before are left out, in git's own encoding of offsets. */
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

/** The names that git looks at: tracked, and under no flag. As text, where they are UTF-8. */
export function shownNames({ entries }: GitIndexFile): readonly string[] {
  return entries.flatMap(({ name, isFlagged, stat }) =>
    // Of a submodule there is no file.
    isFlagged || stat.readUInt32BE(24) >>> 12 === 0xe ? [] : [toText(name)],
  )
}

/** Names as git shows them, with the content that it noted. Of two stages of a merge, the last. */
export function shownBlobs({ entries }: GitIndexFile): ReadonlyMap<string, { id: string; size: number }> {
  return new Map(
    entries.flatMap(({ name, isFlagged, stat, id }) =>
      isFlagged ? [] : [[toText(name), { id: id.toString('hex'), size: stat.readUInt32BE(36) }] as const],
    ),
  )
}

/** A file that is written beside an index, and is not there yet. */
export type WrittenFile = { readonly bytes: Buffer; readonly isExecutable: boolean }

/**
 * The index with these names in it, as the files below `top` stand or as they are `written`, and without flags: bytes for git to read.
 */
export function gitIndexWith(
  index: GitIndexFile | null,
  top: string,
  names: readonly string[],
  written: ReadonlyMap<string, WrittenFile> = new Map(),
): Buffer {
  const hash = index?.hash ?? 'sha1'
  const known = new Set(index?.entries.map(({ name }) => name))
  const added = names.flatMap((name) => {
    const raw = Buffer.from(name).toString('latin1')
    const file = written.get(name) ?? fileAt(join(top, name))
    const entry = known.has(raw) || file === null ? null : entryOf(file, raw, hash)
    return entry === null ? [] : [entry]
  })
  return writeGitIndex({ hash, entries: [...(index?.entries ?? []), ...added] })
}

/** The index with none but these names in it. */
export function gitIndexOf({ hash, entries }: GitIndexFile, names: ReadonlySet<string>): Buffer {
  return writeGitIndex({ hash, entries: entries.filter(({ name }) => names.has(toText(name))) })
}

function writeGitIndex({ hash, entries }: GitIndexFile): Buffer {
  const header = Buffer.alloc(12)
  header.write('DIRC', 'latin1')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(entries.length, 8)
  const sorted = entries.toSorted((one, other) =>
    one.name === other.name ? one.stage - other.stage : one.name < other.name ? -1 : 1,
  )
  const body = Buffer.concat([header, ...sorted.map(entryBytes)])
  return Buffer.concat([body, createHash(hash).update(body).digest()])
}

function entryBytes({ name, stat, id, stage }: IndexEntry): Buffer {
  const flags = Buffer.alloc(2)
  flags.writeUInt16BE((stage << 12) | Math.min(name.length, 0xfff))
  const length = stat.length + id.length + 2 + name.length
  const padding = Buffer.alloc(8 - (length % 8))
  return Buffer.concat([stat, id, flags, Buffer.from(name, 'latin1'), padding])
}

const MODES = { file: 0o100644, program: 0o100755, link: 0o120000 } as const

function fileAt(path: string): (WrittenFile & { readonly isLink: boolean }) | null {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile() && !stats.isSymbolicLink()) return null
    const isLink = stats.isSymbolicLink()
    const bytes = isLink ? Buffer.from(readlinkSync(path)) : readFileSync(path)
    return { bytes, isLink, isExecutable: (stats.mode & 0o100) !== 0 }
  } catch {
    return null
  }
}

/** As git would add the file. */
function entryOf(
  { bytes, isExecutable, isLink = false }: WrittenFile & { readonly isLink?: boolean },
  name: string,
  hash: HashName,
): IndexEntry {
  const stat = Buffer.alloc(STAT_BYTES)
  stat.writeUInt32BE(isLink ? MODES.link : isExecutable ? MODES.program : MODES.file, 24)
  const id = createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest()
  return { name, stat, id, stage: 0, isFlagged: false }
}

/** Mostly every byte is a character already. */
function toText(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant -- a name may hold any of it
  if (/^[\x00-\x7f]*$/.test(name)) return name
  return Buffer.from(name, 'latin1').toString('utf8')
}
