import { harmlessLine } from '../../core/text/harmless.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { onlyIn, readBeneathSync } from '../files/beneath.ts'
import { textPatch } from '../files/text-patch.ts'
import type { EarlierFiles } from '../ports/custody.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { bytesOf, type Content, fileContent, hashOf } from './content.ts'
import { runGit } from './git-command.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { fromText, type RawPath, toText } from './raw-path.ts'
import { contentBefore } from './walk-for-git.ts'
import type { WalkSnapshot } from './walk-snapshot.ts'

/**
 * The texts of a repository's uncommitted files at one moment; all others can be read from its commit at any time. For a plain
 * folder, the texts of all files.
 */
export interface KeptTexts {
  readonly snapshot: GitSnapshot | WalkSnapshot
  readonly texts: ReadonlyMap<RawPath, string>
}

/** A source of half a megabyte contains its tests; a longer file was written by a program. */
const MAX_FILE_BYTES = 1024 * 1024
/** No one would read the difference of a longer file. */
const MAX_SHOWN_BYTES = 256 * 1024
/** The limit for all kept texts. Usually few files are uncommitted; for a plain folder with more text, the earlier state is unknown. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024
const MAX_KEPT_FILES = 500
/** How many files are shown for one attempt; the attempt lists the others. */
const MAX_FILES = 100
/** Comparing whole files blocks everything else. */
const MAX_COMPARING_MS = 500

/*
 * Most files are unchanged since the last snapshot, so their texts need not be read again. A text is stored with the content it
 * belongs to, and is reused only if a later snapshot found the same content.
 */
type KnownTexts = ReadonlyMap<RawPath, { readonly content: Content; readonly text: Text }>
const knownTexts = new Map<string, KnownTexts>()
/** Each takes some megabytes. */
const MAX_KNOWN_FOLDERS = 4

/** Keeps the texts that could no longer be read after they change. Never rejects. */
export async function keepTexts(snapshot: GitSnapshot | WalkSnapshot): Promise<KeptTexts> {
  const { directory } = snapshot
  const before = knownTexts.get(directory)
  const known = new Map<RawPath, { content: Content; text: Text }>()
  const texts = new Map<RawPath, string>()
  const yielder = createYielder()
  let left = MAX_KEPT_BYTES
  for (const [path, content] of contentsIn(snapshot)) {
    if (left <= 0) break
    if (yielder.isDue()) await yielder.yield()
    const earlier = before?.get(path)
    const bytes = earlier !== undefined && earlier.content === content ? null : readBytes(directory, path)
    const text = bytes === null ? (earlier?.text ?? '') : asText(bytes)
    if (content !== null && (bytes === null || isOf(content, bytes, snapshot)))
      known.set(path, { content, text })
    if (typeof text !== 'string') continue
    texts.set(path, text)
    left -= text.length
  }
  knownTexts.delete(directory)
  knownTexts.set(directory, known)
  for (const oldest of knownTexts.keys()) {
    if (knownTexts.size <= MAX_KNOWN_FOLDERS) break
    knownTexts.delete(oldest)
  }
  return { snapshot, texts }
}

/** Yields the first contents, as a snapshot found them. */
function* contentsIn(snapshot: GitSnapshot | WalkSnapshot): Generator<readonly [RawPath, Content | null]> {
  let count = 0
  for (const [path, found] of snapshot.kind === 'git' ? snapshot.dirty : snapshot.files) {
    if (count === MAX_KEPT_FILES) return
    count += 1
    yield [path, typeof found === 'string' ? found : found.content]
  }
}

/** True if these bytes are what the snapshot found: the file may have been written to since. */
function isOf(content: Content, bytes: Bytes, snapshot: GitSnapshot | WalkSnapshot): boolean {
  const algorithm = snapshot.kind === 'git' ? snapshot.place.algorithm : 'sha256'
  return Buffer.isBuffer(bytes) && bytesOf(content) === fileContent(hashOf(bytes, algorithm), false)
}

/**
 * Returns the unified differences of changed text files, at most `maxBytes`; names what cannot be shown with the reason. Never
 * rejects.
 */
export async function patchOf(
  kept: KeptTexts,
  difference: FileDifference,
  maxBytes: number,
): Promise<string> {
  const changes = changesOf(difference)
  const shown = changes.slice(0, MAX_FILES)
  const committed = await committedTexts(
    kept,
    shown.flatMap(({ from }) => (from === null ? [] : [from])),
  )
  const pieces: string[] = []
  let left = maxBytes
  const deadline = performance.now() + MAX_COMPARING_MS
  for (const [index, { words, from, to }] of shown.entries()) {
    if (left <= 0 || performance.now() > deadline) {
      pieces.push(`# ${changes.length - index} more files are left out\n`)
      return pieces.join('')
    }
    const before = from === null ? '' : asShown(committed.get(from))
    const after = to === null ? '' : asShown(readText(kept.snapshot.directory, fromText(to)))
    const name = to ?? from ?? ''
    const piece = `# ${words}\n${bodyOf(name, before, after, left)}`
    left -= Buffer.byteLength(piece)
    pieces.push(piece)
  }
  if (changes.length > shown.length)
    pieces.push(`# ${changes.length - shown.length} more files are left out\n`)
  return pieces.join('')
}

/** At most this many files are restored; a larger change is too large to try. */
const MAX_PUT_BACK = 500

/** Returns what the difference changed, as it was before; `null` if any of it is unknown. */
export async function filesBefore(kept: KeptTexts, difference: FileDifference): Promise<EarlierFiles | null> {
  const changes = changesOf(difference)
  if (changes.length > MAX_PUT_BACK) return null
  const paths = changes.flatMap(({ from }) => (from === null ? [] : [from]))
  const before = await committedTexts(kept, paths)
  const write = paths.flatMap((path) => {
    const text = before.get(path)
    return typeof text === 'string' && !wasLink(kept, path)
      ? [{ path, bytes: Buffer.from(text), isExecutable: text.startsWith('#!') }]
      : []
  })
  const isThere = new Set(paths)
  const remove = changes.flatMap(({ to }) => (to === null || isThere.has(to) ? [] : [to]))
  return write.length === paths.length ? { write, remove } : null
}

/** Whether it was a link: its text is its target, and writing that as a file would make a different file. */
function wasLink({ snapshot }: KeptTexts, path: string): boolean {
  const raw = fromText(path)
  const content = snapshot.kind === 'git' ? contentBefore(snapshot, raw) : snapshot.files.get(raw)
  return content?.startsWith('link:') === true
}

function asShown(text: Text | undefined): Text {
  if (typeof text !== 'string') return text ?? { reason: 'it was not recorded' }
  return text.length > MAX_SHOWN_BYTES ? { reason: `it has ${Buffer.byteLength(text)} bytes` } : text
}

function bodyOf(name: string, before: Text, after: Text, maxBytes: number): string {
  if (typeof before !== 'string') return `# its earlier text is unknown: ${before.reason}\n`
  if (typeof after !== 'string') return `# its text is not shown: ${after.reason}\n`
  return textPatch(name, before, after, maxBytes) ?? '# the difference is too large to be shown\n'
}

interface FileChange {
  readonly words: string
  readonly from: string | null
  readonly to: string | null
}

function changesOf({ added, modified, deleted, renamed }: FileDifference): FileChange[] {
  return [
    ...modified.map((path) => ({ words: `changed ${oneLine(path)}`, from: path, to: path })),
    ...added.map((path) => ({ words: `new ${oneLine(path)}`, from: null, to: path })),
    ...renamed.map(({ from, to }) => ({ words: `renamed ${oneLine(from)} to ${oneLine(to)}`, from, to })),
    ...deleted.map((path) => ({ words: `deleted ${oneLine(path)}`, from: path, to: null })),
  ]
}

/** A path may contain anything; it must not pose as a line of the difference. */
function oneLine(path: string): string {
  return harmlessLine(path).replace(/\s+/gu, ' ')
}

type Text = string | { readonly reason: string }

async function committedTexts(
  { snapshot, texts }: KeptTexts,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Text>> {
  const found = new Map<string, Text>()
  const asked: string[] = []
  for (const path of paths) {
    const kept = texts.get(fromText(path))
    if (kept !== undefined) found.set(path, kept)
    else if (snapshot.kind === 'git' && !snapshot.dirty.has(fromText(path)) && !path.includes('\n'))
      asked.push(path)
  }
  if (snapshot.kind !== 'git' || asked.length === 0 || snapshot.head === null) return found
  const prefix = snapshot.place.prefix === '' ? '' : `${toText(snapshot.place.prefix)}/`
  const names = asked.map((path) => `${snapshot.head}:${prefix}${path}`)
  const sizes = await runGit(snapshot.directory, ['cat-file', '--batch-check'], { input: lines(names) })
  const small = sizes.stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => {
      const size = / blob (\d+)$/.exec(line)?.[1]
      return size === undefined || Number(size) > MAX_FILE_BYTES ? [] : [index]
    })
  const blobs = await runGit(snapshot.directory, ['cat-file', '--batch'], {
    input: lines(small.map((index) => names[index] ?? '')),
  })
  let at = 0
  for (const index of small) {
    const end = blobs.stdout.indexOf(0x0a, at)
    const size = Number(/ blob (\d+)$/.exec(blobs.stdout.toString('latin1', at, end))?.[1])
    if (end < 0 || Number.isNaN(size)) break
    found.set(asked[index] ?? '', textOf(blobs.stdout.subarray(end + 1, end + 1 + size)))
    at = end + 1 + size + 1
  }
  return found
}

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}

/** Returns the text of a file on disk. */
function readText(directory: string, path: RawPath): Text {
  return asText(readBytes(directory, path))
}

function asText(bytes: Bytes): Text {
  return Buffer.isBuffer(bytes) ? textOf(bytes) : bytes
}

type Bytes = Buffer | { readonly reason: string }

/** The path may have become a pipe or a link, or its folder a link: don't wait for a pipe or follow a link. */
function readBytes(directory: string, path: RawPath): Bytes {
  const reading = readBeneathSync(onlyIn(directory), path, MAX_FILE_BYTES, { last: 'keep', isRaw: true })
  if (reading.ok) return reading.bytes
  if (reading.code === 'TOO_LARGE') return { reason: `it has ${reading.sizeBytes} bytes` }
  return { reason: reading.code === 'NOT_A_FILE' ? 'it is not a file' : "it can't be read" }
}

function textOf(bytes: Buffer): Text {
  return bytes.includes(0) ? { reason: 'it is binary' } : bytes.toString('utf8')
}
