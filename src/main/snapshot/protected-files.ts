import { setImmediate } from 'node:timers/promises'
import { toldBy } from '../../core/custody/protected.ts'
import { ciSteps, isCiFile } from '../../core/verification/ci-steps.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import type { ProtectedChange } from '../../core/verification/protected-files.ts'
import { type TestWeight, weighTests } from '../../core/verification/test-weight.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { groundOf, readBeneath } from '../files/beneath.ts'
import { sequentialLookup } from '../process/sequential-lookup.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { blobSizes, readBlobs } from './git-blobs.ts'
import { runGit } from './git-command.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { fromText, type RawPath, toText } from './raw-path.ts'
import type { WalkSnapshot } from './walk-snapshot.ts'

/** The tests in protected files when a snapshot was taken. */
export interface ProtectedState {
  readonly snapshot: GitSnapshot | WalkSnapshot
  readonly isProtected: (path: string) => boolean
  /** Only files whose content no commit has; the others can be read from the repository at any time. */
  readonly weights: ReadonlyMap<string, TestWeight>
  /** Passed to the next snapshot. */
  readonly known: KnownProtected
}

/** What the next snapshot can reuse. */
export interface KnownProtected {
  /** By path, with the content for which a weight is valid. */
  readonly weights: ReadonlyMap<string, { readonly content: string; readonly weight: TestWeight }>
  /**
   * Which files these patterns protect depends only on their paths: matching all files of a folder takes as long as a third of a
   * snapshot.
   */
  readonly patterns: string
  readonly told: ReadonlyMap<RawPath, boolean>
}

export const NOTHING_KNOWN: KnownProtected = { weights: new Map(), patterns: '', told: new Map() }

/** A larger test file is data; its tests are not counted. */
const MAX_BYTES = 2 * 1024 * 1024
/** Files read at most, in a folder without a repository or with everything uncommitted. */
const MAX_FILES = 5_000
const READS_AT_ONCE = 16
/** Twice as many paths as exist plus this many may be known; then those of deleted files are forgotten. */
const SOME_GONE = 1000
/** Bytes weighed before yielding: some milliseconds. */
const TURN_BYTES = 256 * 1024

/**
 * Prepares the regular expressions that find tests, which are otherwise created on first use; that takes half as long as a
 * snapshot of ten thousand files.
 */
export function readyToTell(patterns: readonly string[]): void {
  if (patterns.length > 0) toldBy(patterns)('a')
}

/** Weighs the protected files that could not be read again after the attempt. Never rejects. */
export async function takeProtected(
  snapshot: GitSnapshot | WalkSnapshot,
  patterns: readonly string[],
  previous: KnownProtected,
): Promise<ProtectedState> {
  const isProtected = toldBy(patterns)
  const asWords = JSON.stringify(patterns)
  const contents = contentsOf(snapshot)
  const toldBefore = previous.patterns === asWords ? previous.told : NOTHING_KNOWN.told
  const told =
    toldBefore.size > 2 * contents.size + SOME_GONE ? new Map<RawPath, boolean>() : new Map(toldBefore)
  const knownOf = sequentialLookup(toldBefore)
  const paths = await firstOf(contents.keys(), (path) => {
    const known = knownOf(path)
    if (known !== undefined) return known
    const answer = isProtected(toText(path))
    told.set(path, answer)
    return answer
  })
  const weights = new Map<string, TestWeight>()
  const known = new Map<string, { content: string; weight: TestWeight }>()
  await eachOf(paths, async (path) => {
    const name = toText(path)
    const content = contents.get(path) ?? ''
    const before = previous.weights.get(name)
    const weight = before?.content === content ? before.weight : await weighOnDisk(snapshot.directory, path)
    if (weight === null || weight === 'unknown') return
    weights.set(name, weight)
    known.set(name, { content, weight })
  })
  return { snapshot, isProtected, weights, known: { weights: known, patterns: asWords, told } }
}

/** Returns the protected files in a difference, with their weights before and after. Never rejects. */
export async function protectedChanges(
  before: ProtectedState,
  difference: FileDifference,
): Promise<readonly ProtectedChange[]> {
  const paths = await firstOf(new Set(changedPaths(difference)), before.isProtected)
  const weightBefore = await weightsBefore(before, paths)
  const changes: ProtectedChange[] = []
  await eachOf(paths, async (path) => {
    const start = weightBefore(path)
    const end = await weighOnDisk(before.snapshot.directory, fromText(path))
    // Don't accuse anyone if the weight is unknown.
    if (start !== 'unknown' && end !== 'unknown') changes.push({ path, before: start, after: end })
  })
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns the matching paths, up to the number that is read. */
async function firstOf<Path extends string>(
  paths: Iterable<Path>,
  isWanted: (path: Path) => boolean,
): Promise<Path[]> {
  const yielder = createYielder()
  const wanted: Path[] = []
  for (const path of paths) {
    if (yielder.isDue()) await yielder.yield()
    if (isWanted(path)) wanted.push(path)
    if (wanted.length === MAX_FILES) break
  }
  return wanted
}

/** Returns the paths whose content the snapshot itself has: all files of a walked folder, the uncommitted ones of a repository. */
function contentsOf(snapshot: GitSnapshot | WalkSnapshot): ReadonlyMap<RawPath, string> {
  if (snapshot.kind === 'walk') return snapshot.files
  return new Map(
    [...snapshot.dirty].flatMap(([path, { content }]) =>
      content === null ? [] : [[path, content] as const],
    ),
  )
}

function holdsContent(snapshot: GitSnapshot | WalkSnapshot, path: RawPath): boolean {
  if (snapshot.kind === 'walk') return snapshot.files.has(path)
  return (snapshot.dirty.get(path)?.content ?? null) !== null
}

type Weight = TestWeight | null | 'unknown'

/** Returns the known weights at the time of the snapshot; asks the repository once for all that only it knows. */
async function weightsBefore(
  { snapshot, weights }: ProtectedState,
  paths: readonly string[],
): Promise<(path: string) => Weight> {
  const known = (path: string): Weight | undefined => {
    const weight = weights.get(path)
    if (weight !== undefined) return weight
    if (holdsContent(snapshot, fromText(path))) return 'unknown'
    if (snapshot.kind === 'walk') return snapshot.incomplete === null ? null : 'unknown'
    // Uncommitted and without content: it was already deleted.
    return snapshot.dirty.has(fromText(path)) || snapshot.head === null ? null : undefined
  }
  const asked = paths.filter((path) => known(path) === undefined)
  const committed = snapshot.kind === 'walk' ? new Map() : await committedWeights(snapshot, asked)
  return (path) => {
    const weight = known(path)
    // Not `??`: null means that there was no such file.
    if (weight !== undefined) return weight
    return committed.has(path) ? (committed.get(path) ?? null) : 'unknown'
  }
}

/** Returns the weights of files in the commit at the time of the snapshot; omits what git does not know. */
async function committedWeights(
  { directory, head, place }: GitSnapshot,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Weight>> {
  const weights = new Map<string, Weight>()
  // Git takes one name per line.
  const asked = paths.filter((path) => !path.includes('\n'))
  if (asked.length === 0) return weights
  const prefix = place.prefix === '' ? '' : `${toText(place.prefix)}/`
  const names = asked.map((path) => `${head}:${prefix}${path}`)
  const sizes = await blobSizes(directory, names)
  if (sizes === null) return weights
  if (sizes.includes(null)) {
    const commit = await runGit(directory, ['cat-file', '-e', `${head}^{commit}`])
    if (commit.ok) for (const [at, path] of asked.entries()) if (sizes[at] === null) weights.set(path, null)
  }
  const blobs = asked.flatMap((path, at) => {
    const [size, name] = [sizes[at] ?? null, names[at]]
    return size === null || size > MAX_BYTES || name === undefined ? [] : [{ path, name, size }]
  })
  const waiting = blobs.values()
  let turnBytes = 0
  for await (const bytes of readBlobs(directory, blobs)) {
    turnBytes += bytes.length
    if (turnBytes > TURN_BYTES) {
      await setImmediate()
      turnBytes = 0
    }
    const { value } = waiting.next()
    if (value !== undefined) weights.set(value.path, weigh(value.path, bytes))
  }
  return weights
}

const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'NOT_A_FILE', 'DANGLING', 'LED_OUT', 'ELOOP'])

/** Returns `null` if it is not a regular file; `unknown` if it is too large or can't be read. */
async function weighOnDisk(directory: string, path: RawPath): Promise<Weight> {
  const reading = await readBeneath(groundOf(directory), path, MAX_BYTES, { isRaw: true })
  if (reading.ok) return weigh(toText(path), reading.bytes)
  return NO_FILE.has(reading.code) ? null : 'unknown'
}

function weigh(path: string, bytes: Buffer): TestWeight {
  const text = bytes.toString('utf8')
  return { ...weighTests(path, text), ...(isCiFile(path) && { steps: ciSteps(text) }) }
}

async function eachOf(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const waiting = paths.values()
  const worker = async (): Promise<void> => {
    for (const path of waiting) await work(path)
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, worker))
}
