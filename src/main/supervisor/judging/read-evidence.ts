import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { EvidenceFile } from '../../../core/intervention/evidence.ts'
import { liesInside, relativePath } from '../../../core/verification/file-claims.ts'
import type { Snapshotter } from '../../ports/snapshotter.ts'

/** Bounds of what one attempt's evidence may cost. */
const MAX_PATHS = 300
const MAX_FILE_BYTES = 2 * 1024 * 1024
const MAX_TOTAL_BYTES = 16 * 1024 * 1024

/** Looks for what ends in some paths; `too many` where there is too much to look through. */
type EndingIn = (ends: readonly string[]) => ReturnType<Snapshotter['endingIn']>

/**
 * What stands at the paths that an agent offers as evidence, by path as written. Only inside `directory`: what leads
 * out of it, links included, is `unmeasurable`, as is anything beyond the bounds. A path that is not there as written
 * counts as found where exactly such an end of a path exists, since agents shorten paths. Never rejects; devices and
 * pipes are not opened.
 */
export async function readEvidence(
  directory: string,
  paths: readonly string[],
  endingIn: EndingIn,
): Promise<ReadonlyMap<string, EvidenceFile>> {
  const root = await realpath(directory).catch(() => directory)
  const reader: Reader = { root, bytesLeft: MAX_TOTAL_BYTES }
  const files = new Map<string, EvidenceFile>()
  const ends = new Map<string, string>()
  for (const written of new Set(paths.slice(0, MAX_PATHS))) {
    const path = relativePath(written, directory)
    const found = await lookUp(reader, path)
    files.set(written, found)
    if (found.kind === 'missing' && !(await namesTopFolder(reader, path))) ends.set(written, path)
  }
  if (ends.size === 0) return files
  const entries = await endingIn([...new Set(ends.values())])
  for (const [written, end] of ends) {
    if (entries === 'too many')
      files.set(written, unmeasurable('the workspace is too large to search for it'))
    else files.set(written, await readMatch(reader, written, entries.get(end) ?? []))
  }
  return files
}

interface Reader {
  readonly root: string
  bytesLeft: number
}

async function lookUp(reader: Reader, path: string): Promise<EvidenceFile> {
  if (path === '') return { kind: 'folder' }
  if (!liesInside(path)) return unmeasurable('it lies outside the workspace')
  if (/[*?\0]/.test(path)) return unmeasurable('it is a pattern, not a path')
  return read(reader, path)
}

async function readMatch(reader: Reader, written: string, matches: readonly string[]): Promise<EvidenceFile> {
  const [match] = matches
  if (match === undefined) return { kind: 'missing' }
  return matches.length === 1
    ? read(reader, match)
    : unmeasurable(`${written} may be any of ${matches.length} files`)
}

/** `docs/a.md` with a folder `docs` is meant from the workspace's root: then it is not looked for elsewhere. */
async function namesTopFolder(reader: Reader, path: string): Promise<boolean> {
  const [top, ...rest] = path.split('/')
  if (top === undefined || rest.length === 0) return false
  return (await read(reader, top)).kind === 'folder'
}

async function read(reader: Reader, path: string): Promise<EvidenceFile> {
  try {
    const target = await realpath(join(reader.root, path))
    if (target !== reader.root && !target.startsWith(`${reader.root}${sep}`))
      return unmeasurable('it leads out of the workspace')
    // Not blocking: a pipe with nobody at its other end must not hold up the supervisor.
    const handle = await open(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      if (stats.isDirectory()) return { kind: 'folder' }
      if (!stats.isFile()) return unmeasurable('it is no regular file')
      if (stats.size > Math.min(MAX_FILE_BYTES, reader.bytesLeft))
        return { kind: 'file', lines: null, text: null }
      const bytes = await handle.readFile()
      reader.bytesLeft -= bytes.length
      return textFile(bytes)
    } finally {
      await handle.close()
    }
  } catch (error) {
    return failure(error)
  }
}

function textFile(bytes: Buffer): EvidenceFile {
  if (bytes.includes(0)) return { kind: 'file', lines: null, text: null }
  const text = bytes.toString('utf8')
  const breaks = text.match(/\r\n|\n|\r/g)?.length ?? 0
  const isOpenEnded = text !== '' && !/[\r\n]$/.test(text)
  return { kind: 'file', lines: breaks + (isOpenEnded ? 1 : 0), text }
}

function failure(error: unknown): EvidenceFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  // Windows opens no folders.
  if (code === 'EISDIR') return { kind: 'folder' }
  return unmeasurable(`it cannot be read (${code})`)
}

function unmeasurable(reason: string): EvidenceFile {
  return { kind: 'unmeasurable', reason }
}
