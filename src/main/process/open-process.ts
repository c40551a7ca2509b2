import { randomUUID } from 'node:crypto'
import type { Duplex, Readable, Writable } from 'node:stream'
import { COMPANION } from './contained-beginning.ts'
import { processStart } from './process-identity.ts'
import { endProcessTree, isTreeGoneWithin, type ProcessTree } from './process-tree.ts'
import { noteEnded, noteRunning, type RunningNote } from './running-note.ts'
import { type ChildRequest, type Exit, keeps, spawnChild } from './spawn-child.ts'
import { directoryFailure, type ProcessFailure } from './start-failure.ts'
import { within } from './within.ts'

export interface OpenRequest extends ChildRequest {
  /** The tree it belongs to: it ends with that tree, or alone with its own group. Omitted: it has its own tree. */
  readonly partOf?: string
  /** Where it is noted before it starts; the caller removes the note. */
  readonly note?: RunningNote
}

/** An interactive program. The caller has to end it. */
export interface OpenProcess {
  readonly tree: ProcessTree
  readonly stdin: Writable
  /** Not read yet; the program blocks until it is. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** The connection to its companion; `null` if it has none. */
  readonly companion: Duplex | null
  /** Resolves when the program itself has exited. */
  readonly exited: Promise<Exit>
  /**
   * Closes its input and gives the whole tree `patienceMs` of real time to end by itself, then kills it: SIGTERM, and SIGKILL
   * after `graceMs`. Resolves with how the program exited by itself, or with `null` if it was killed; nothing of the tree is
   * running then.
   */
  end(patienceMs: number, graceMs: number): Promise<Exit | null>
}

/** When the last process has ended, some output is still in the pipes. */
const DRAIN_MS = 500

/** Starts an interactive program. Resolves once it runs, or with why it does not; never rejects. */
export async function openProcess(request: OpenRequest): Promise<OpenProcess | ProcessFailure> {
  const badDirectory = await directoryFailure(request.directory)
  if (badDirectory !== null) return badDirectory
  const marker = request.partOf ?? randomUUID()
  const { note } = request
  const hasKeeper = keeps(request.containment)
  if (note !== undefined) noteRunning(note.path, { pid: null, start: null, marker, hasKeeper }, note.log)
  const child = await spawnChild(request, marker, ['pipe', 'pipe', 'pipe'], () => {})
  if (!('pid' in child)) {
    if (note !== undefined) noteEnded(note.path, note.log)
    return child
  }
  const { stdin, stdout, stderr } = child.process
  if (stdin === null || stdout === null || stderr === null)
    throw new Error('a child started with pipes has no pipes')
  const beside = child.process.stdio[COMPANION] as Duplex | null | undefined
  const companion = request.companion === undefined || beside === undefined ? null : beside
  companion?.on('error', () => {})
  // A program may end, or close its stdin, without reading it, which breaks the pipe.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
  // A process that shares its marker with others is found by its own group.
  const own = request.partOf === undefined ? marker : randomUUID()
  const tree: ProcessTree = { pid: child.pid, start: processStart(child.pid), marker: own, hasKeeper }
  let hasExited = false
  void child.exited.then(() => {
    hasExited = true
  })
  let ending: Promise<Exit | null> | null = null
  const endsItself = async (patienceMs: number): Promise<boolean> => {
    const begunMs = performance.now()
    // A process takes a moment to end: checking earlier would still find it, cost as much as the moment, and have to be repeated.
    await within(patienceMs, child.exited)
    return isTreeGoneWithin(tree, Math.max(0, patienceMs - (performance.now() - begunMs)))
  }
  const end = async (patienceMs: number, graceMs: number): Promise<Exit | null> => {
    stdin.end()
    companion?.destroy()
    const isOver = patienceMs > 0 && (await endsItself(patienceMs))
    const exitedBefore = isOver || hasExited
    if (!isOver) await endProcessTree(tree, graceMs)
    await within(DRAIN_MS, child.closed)
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
    child.process.unref()
    return exitedBefore ? within(DRAIN_MS, child.exited) : null
  }
  return {
    tree,
    stdin,
    stdout,
    stderr,
    companion,
    exited: child.exited,
    end: (patienceMs, graceMs) => {
      ending ??= end(patienceMs, graceMs)
      return ending
    },
  }
}
