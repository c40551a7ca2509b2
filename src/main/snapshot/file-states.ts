import { availableParallelism } from 'node:os'
import { sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type BigIntStats, lstatSync } from '../files/names.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { placeOnDisk, type RawPath } from './raw-path.ts'

/*
 * Asking the system about each file takes nearly all the time of a snapshot. So for many files a second thread starts at the end of the
 * list while this one starts at the beginning, until they meet. If the thread fails to start, ends early or is late, this one does
 * everything.
 */

/** Metadata that shows whether files were written or replaced. */
export interface FileStates {
  /** Relative to the folder, without duplicates. */
  readonly paths: readonly RawPath[]
  /** Four per file: size, mtime, ctime and inode, as `lstat` reports them. Zeros: unknown. */
  readonly numbers: Numbers
}

type Numbers = BigUint64Array<SharedArrayBuffer>

const NUMBERS = 4

export function noStates(paths: readonly RawPath[]): FileStates {
  const bytes = paths.length * NUMBERS * BigUint64Array.BYTES_PER_ELEMENT
  return { paths, numbers: new BigUint64Array(new SharedArrayBuffer(bytes)) }
}

/** Returns what is known about `paths`; the same object if the paths are the same. */
export function statesFor(paths: readonly RawPath[], before: FileStates): FileStates {
  if (paths.length === before.paths.length && paths.every((path, at) => path === before.paths[at]))
    return before
  const places = new Map(before.paths.map((path, at) => [path, at]))
  const states = noStates(paths)
  for (const [at, path] of paths.entries()) {
    const place = places.get(path)
    if (place !== undefined)
      states.numbers.set(before.numbers.subarray(place * NUMBERS, (place + 1) * NUMBERS), at * NUMBERS)
  }
  return states
}

/** Returns the same states with those of the touched files replaced. */
export function withStates(
  before: FileStates,
  touched: readonly RawPath[],
  known: ReadonlyMap<RawPath, Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>>,
): FileStates {
  if (touched.length === 0) return before
  const states = noStates(before.paths)
  states.numbers.set(before.numbers)
  for (let at = 0, next = 0; at < before.paths.length; at++) {
    const path = touched[next]
    if (path === undefined || path !== before.paths[at]) continue
    next++
    const { size, mtimeNs, ctimeNs, ino } = known.get(path) ?? UNKNOWN
    states.numbers.set([size, mtimeNs, ctimeNs, ino], at * NUMBERS)
  }
  return states
}

const UNKNOWN = { size: 0n, mtimeNs: 0n, ctimeNs: 0n, ino: 0n }

/** Returns the touched files in order; `begun` is for these files, or for files that were there before. Never rejects. */
export async function findTouched(
  directory: string,
  states: FileStates,
  begun: Help | null = null,
): Promise<readonly RawPath[]> {
  const help = begun?.states === states ? begun : askForHelp(directory, states)
  if (begun !== null && help !== begun) callOff(begun)
  const { paths, numbers } = states
  const yielder = createYielder()
  const touched: RawPath[] = []
  for (const [at, path] of paths.entries()) {
    if (yielder.isDue()) await yielder.yield()
    const answer = help === null ? undefined : answerOf(help, at)
    if (!(answer ?? isAsKnown(lstatSync, placeOnDisk(directory, path), numbers, at))) touched.push(path)
  }
  return touched
}

/** Uses only its arguments, because its source becomes part of the other thread. */
function isAsKnown(lstat: typeof lstatSync, place: string | Buffer, numbers: Numbers, at: number): boolean {
  const first = at * 4
  if (numbers[first + 2] === 0n) return false
  try {
    const { size, mtimeNs, ctimeNs, ino } = lstat(place, { bigint: true })
    return (
      numbers[first + 2] === ctimeNs &&
      numbers[first + 1] === mtimeNs &&
      numbers[first] === size &&
      numbers[first + 3] === ino
    )
  } catch {
    return false
  }
}

/** For fewer files, a second thread costs more than it saves. */
const WORTH_HELP = 1000
/** The thread ends after this long without work. */
const IDLE_MS = 60_000

let helper: { readonly thread: Worker; readonly ending: NodeJS.Timeout } | null = null

function helperAtHand(): Worker | null {
  helper ??= startHelper()
  helper?.ending.refresh()
  return helper?.thread ?? null
}

function startHelper(): typeof helper {
  if (availableParallelism() === 1) return null
  const thread = new Worker(`(${lookFromTheLast})(${isAsKnown})`, { eval: true })
  const forget = (): void => {
    if (helper?.thread === thread) helper = null
  }
  thread.once('error', forget).once('exit', forget).unref()
  const ending = setTimeout(() => {
    forget()
    void thread.terminate()
  }, IDLE_MS)
  return { thread, ending: ending.unref() }
}

interface Asked {
  /** Ends with a separator. */
  readonly folder: string
  /** Joined with zero bytes. */
  readonly paths: string
  readonly numbers: Numbers
  /** 1 for each unchanged file. */
  readonly same: Uint8Array<SharedArrayBuffer>
  /** How many files were checked from the start, and the index reached from the end. */
  readonly meeting: Int32Array<SharedArrayBuffer>
}

/** Results of the second thread as they come in. */
export interface Help extends Pick<Asked, 'same' | 'meeting'> {
  readonly states: FileStates
}

/** Null if no help is available, or it would cost more than it saves. */
export function askForHelp(directory: string, states: FileStates): Help | null {
  const { paths, numbers } = states
  const thread = paths.length < WORTH_HELP ? null : helperAtHand()
  if (thread === null) return null
  const same = new Uint8Array(new SharedArrayBuffer(paths.length))
  const meeting = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  meeting[1] = paths.length
  const asked: Asked = { folder: directory + sep, paths: paths.join('\0'), numbers, same, meeting }
  thread.postMessage(asked)
  return { states, same, meeting }
}

/** Cancels the second thread's work. */
function callOff({ same, meeting }: Help): void {
  Atomics.store(meeting, 0, same.length)
}

/** Returns the second thread's answer; undefined: not checked yet. Call it for each file in order. */
function answerOf({ same, meeting }: Help, at: number): boolean | undefined {
  if (at >= Atomics.load(meeting, 1)) return same[at] === 1
  Atomics.store(meeting, 0, at + 1)
  return undefined
}

/** Runs in the other thread, which is created from this function's source. */
function lookFromTheLast(isAsBefore: typeof isAsKnown): void {
  const { lstatSync } = process.getBuiltinModule('node:fs')
  const { parentPort } = process.getBuiltinModule('node:worker_threads')
  parentPort?.on('message', ({ folder, paths, numbers, same, meeting }: Asked) => {
    const files = paths.split('\0')
    for (let at = files.length - 1; at >= Atomics.load(meeting, 0); at--) {
      const path = files[at] ?? ''
      // Same rule as `placeOnDisk`.
      const place = /[\x80-\xff]/.test(path)
        ? Buffer.concat([Buffer.from(folder), Buffer.from(path, 'latin1')])
        : folder + path
      same[at] = isAsBefore(lstatSync, place, numbers, at) ? 1 : 0
      Atomics.store(meeting, 1, at)
    }
  })
}
