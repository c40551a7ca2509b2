import { availableParallelism } from 'node:os'
import { sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type BigIntStats, lstatSync } from '../files/names.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { placeOnDisk, type RawPath } from './raw-path.ts'

/*
 * Whether files stand as they did is asked of the system file by file, and that is nearly all that a look at a folder takes. So of many files
 * a second thread asks from the last on, while this one asks from the first on, until they meet. Where it does not come, or ends, or is
 * late, this one asks for all.
 */

/** What tells that files were neither written nor replaced. */
export interface FileStates {
  /** Relative to the folder, none twice. */
  readonly paths: readonly RawPath[]
  /** Four for each in turn: size, mtime, ctime and inode, as `lstat` has them. Zeros: it is not known. */
  readonly numbers: Numbers
}

type Numbers = BigUint64Array<SharedArrayBuffer>

const NUMBERS = 4

export function noStates(paths: readonly RawPath[]): FileStates {
  const bytes = paths.length * NUMBERS * BigUint64Array.BYTES_PER_ELEMENT
  return { paths, numbers: new BigUint64Array(new SharedArrayBuffer(bytes)) }
}

/** What is known of `paths`; the same object where they are the same. */
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

/** The same but for those that were touched, of which this is known now. */
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

/** Those that do not stand as they did, in order; `begun`: of these files, or of others that stood there before. Never rejects. */
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

/** Uses nothing that it is not given: it becomes a part of the other thread, too. */
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

/** Of fewer files it takes longer to ask somebody else. */
const WORTH_HELP = 1000
/** It ends when it has had nothing to do for so long. */
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
  /** With a separator at its end. */
  readonly folder: string
  /** One behind the other, with a zero between two. */
  readonly paths: string
  readonly numbers: Numbers
  /** For each file 1 where it stands as it did. */
  readonly same: Uint8Array<SharedArrayBuffer>
  /** How many were asked for from the first on, and the one to which who asks from the last on has come. */
  readonly meeting: Int32Array<SharedArrayBuffer>
}

/** What a second thread finds, as it finds it. */
export interface Help extends Pick<Asked, 'same' | 'meeting'> {
  readonly states: FileStates
}

/** Null where nobody can help, or it takes longer than to do without. */
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

/** Nobody waits for it any more. */
function callOff({ same, meeting }: Help): void {
  Atomics.store(meeting, 0, same.length)
}

/** To be called for each place in order; undefined: nobody has asked yet. */
function answerOf({ same, meeting }: Help, at: number): boolean | undefined {
  if (at >= Atomics.load(meeting, 1)) return same[at] === 1
  Atomics.store(meeting, 0, at + 1)
  return undefined
}

/** What the other thread does: it is made of this text alone. */
function lookFromTheLast(isAsBefore: typeof isAsKnown): void {
  const { lstatSync } = process.getBuiltinModule('node:fs')
  const { parentPort } = process.getBuiltinModule('node:worker_threads')
  parentPort?.on('message', ({ folder, paths, numbers, same, meeting }: Asked) => {
    const files = paths.split('\0')
    for (let at = files.length - 1; at >= Atomics.load(meeting, 0); at--) {
      const path = files[at] ?? ''
      // As `placeOnDisk` has it.
      const place = /[\x80-\xff]/.test(path)
        ? Buffer.concat([Buffer.from(folder), Buffer.from(path, 'latin1')])
        : folder + path
      same[at] = isAsBefore(lstatSync, place, numbers, at) ? 1 : 0
      Atomics.store(meeting, 1, at)
    }
  })
}
