import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readWithinSync } from '../files/beneath.ts'
import { INDEX_MODE_AT, INDEX_STAT_BYTES, type IndexHash, readGitIndex } from '../files/git-index-bytes.ts'
import { lstatSync, readlinkSync } from '../files/names.ts'

/*
 * Reads the index of a repository, and writes the bytes of the index as it should be. Does not read split or sparse indexes, and so does
 * not write them.
 */

interface IndexEntry {
  /** One character per byte, because names are bytes. */
  readonly name: string
  /** Times, device, inode, mode, owner and size of the file, as git recorded them. */
  readonly stat: Buffer
  readonly id: Buffer
  readonly stage: number
  /** True if git assumes without looking that the file is unchanged, or leaves it out of the work tree. */
  readonly isFlagged: boolean
}

export interface GitIndexFile {
  readonly hash: IndexHash
  readonly entries: readonly IndexEntry[]
}

/** Returns the entries of an index file; `null` if git would not write such bytes. Never throws. */
export function parseGitIndex(bytes: Buffer): GitIndexFile | null {
  return readGitIndex(bytes, ({ name, at, idBytes, stage, isFlagged }) => {
    const id = at + INDEX_STAT_BYTES
    return { name, stat: bytes.subarray(at, id), id: bytes.subarray(id, id + idBytes), stage, isFlagged }
  })
}

/** Returns the names that git examines: tracked and not flagged. As text, if they are UTF-8. */
export function shownNames({ entries }: GitIndexFile): readonly string[] {
  return entries.flatMap(({ name, isFlagged, stat }) =>
    // A submodule has no file.
    isFlagged || stat.readUInt32BE(INDEX_MODE_AT) >>> 12 === 0xe ? [] : [toText(name)],
  )
}

/** Returns the names that git shows, with the recorded content. Of two stages of a merge, the last counts. */
export function shownBlobs({ entries }: GitIndexFile): ReadonlyMap<string, { id: string; size: number }> {
  return new Map(
    entries.flatMap(({ name, isFlagged, stat, id }) =>
      isFlagged ? [] : [[toText(name), { id: id.toString('hex'), size: stat.readUInt32BE(36) }] as const],
    ),
  )
}

/** A file that will be written together with an index, and does not exist yet. */
export type WrittenFile = { readonly bytes: Buffer; readonly isExecutable: boolean }

/** Returns the index, as bytes for git, with these names added and without flags. The files are read below `top`, or from `written`. */
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
    const file = written.get(name) ?? fileAt(top, join(top, name))
    const entry = known.has(raw) || file === null ? null : entryOf(file, raw, hash)
    return entry === null ? [] : [entry]
  })
  return writeGitIndex({ hash, entries: [...(index?.entries ?? []), ...added] })
}

/** Returns the index with only these names in it. */
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

/** Limit for a file that git should show again, which is a test or a script. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

const MODES = { file: 0o100644, program: 0o100755, link: 0o120000 } as const

function fileAt(top: string, path: string): (WrittenFile & { readonly isLink: boolean }) | null {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile() && !stats.isSymbolicLink()) return null
    const isLink = stats.isSymbolicLink()
    const bytes = isLink
      ? Buffer.from(readlinkSync(path))
      : readWithinSync(top, path, MAX_FILE_BYTES, { last: 'keep' })
    return bytes === null ? null : { bytes, isLink, isExecutable: (stats.mode & 0o100) !== 0 }
  } catch {
    return null
  }
}

/** Returns the entry that `git add` would create for the file. */
function entryOf(
  { bytes, isExecutable, isLink = false }: WrittenFile & { readonly isLink?: boolean },
  name: string,
  hash: IndexHash,
): IndexEntry {
  const stat = Buffer.alloc(INDEX_STAT_BYTES)
  stat.writeUInt32BE(isLink ? MODES.link : isExecutable ? MODES.program : MODES.file, INDEX_MODE_AT)
  const id = createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest()
  return { name, stat, id, stage: 0, isFlagged: false }
}

/** Decodes a name; most are plain ASCII. */
function toText(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant -- a name may hold any of it
  if (/^[\x00-\x7f]*$/.test(name)) return name
  return Buffer.from(name, 'latin1').toString('utf8')
}
