import type { EvidenceFile } from '../../../core/intervention/evidence.ts'
import { liesInside, relativePath } from '../../../core/verification/file-claims.ts'
import { lookBeneath, onlyIn, readBeneath } from '../../files/beneath.ts'
import { realpath } from '../../files/names.ts'
import type { Snapshotter } from '../../ports/snapshotter.ts'

/** Limits on the cost of one attempt's evidence. */
const MAX_PATHS = 300
const MAX_FILE_BYTES = 2 * 1024 * 1024
const MAX_TOTAL_BYTES = 16 * 1024 * 1024

/** Finds paths with these endings; `too many` if there is too much to search. */
type EndingIn = (ends: readonly string[]) => ReturnType<Snapshotter['endingIn']>

/**
 * Returns what is at the paths that an agent offers as evidence, by path as written. Only looks inside `directory`: paths that lead
 * outside, even through links, are `unmeasurable`, as is anything beyond the limits. A path that does not exist as written counts as found
 * if exactly one path ends in it, because agents shorten paths. Never rejects; does not open devices or pipes.
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
  if (!liesInside(path)) return unmeasurable('it is outside the workspace')
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

/** If a folder `docs` exists, `docs/a.md` is relative to the workspace's root and is not searched for elsewhere. */
async function namesTopFolder(reader: Reader, path: string): Promise<boolean> {
  const [top, ...rest] = path.split('/')
  if (top === undefined || rest.length === 0) return false
  return (await read(reader, top)).kind === 'folder'
}

async function read(reader: Reader, path: string): Promise<EvidenceFile> {
  const ground = onlyIn(reader.root)
  const maxBytes = Math.min(MAX_FILE_BYTES, reader.bytesLeft)
  const reading = await readBeneath(ground, path, maxBytes)
  if (reading.ok) {
    reader.bytesLeft -= reading.bytes.length
    return textFile(reading.bytes)
  }
  const { code } = reading
  if (code === 'TOO_LARGE') return { kind: 'file', lines: null, text: null }
  if (code === 'ENOENT' || code === 'DANGLING') return { kind: 'missing' }
  if (code === 'LED_OUT') return unmeasurable('it leads out of the workspace')
  if (code !== 'NOT_A_FILE') return unmeasurable(`it cannot be read (${code})`)
  const found = await lookBeneath(ground, path)
  const isFolder = found.kind === 'found' && found.stats.isDirectory()
  return isFolder ? { kind: 'folder' } : unmeasurable('it is no regular file')
}

function textFile(bytes: Buffer): EvidenceFile {
  if (bytes.includes(0)) return { kind: 'file', lines: null, text: null }
  const text = bytes.toString('utf8')
  const breaks = text.match(/\r\n|\n|\r/g)?.length ?? 0
  const isOpenEnded = text !== '' && !/[\r\n]$/.test(text)
  return { kind: 'file', lines: breaks + (isOpenEnded ? 1 : 0), text }
}

function unmeasurable(reason: string): EvidenceFile {
  return { kind: 'unmeasurable', reason }
}
