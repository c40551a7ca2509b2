import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import type { BoundedText, OutputChunk } from '../ports/agent-runner.ts'
import type { Clock } from '../ports/clock.ts'
import { type BoundedOutput, createBoundedOutput } from './bounded-output.ts'
import { processStart } from './process-identity.ts'
import { endProcessTree, isTreeGoneWithin, type ProcessTree } from './process-tree.ts'
import { noteEnded, noteRunning, type RunningNote } from './running-note.ts'
import { type ChildRequest, keeps, type SpawnedChild, spawnChild } from './spawn-child.ts'
import { directoryFailure, type ProcessFailure } from './start-failure.ts'
import { within } from './within.ts'

/*
 * Invariants:
 * 1. Whichever of exit, timeout, cancel and dismissal comes first is the reported ending, whatever the exit code is
 *    afterwards.
 * 2. When `runProcess` resolves, no process of the tree is running (see process-tree.ts for the limits), and no timer,
 *    listener or pipe is left.
 * 3. A pipe held open by a stray grandchild delays the result by at most `LINGER_MS`.
 */

export interface ProcessRequest extends ChildRequest {
  /** Written to the program's stdin, which is then closed; `null` gives it an empty one. */
  readonly stdin: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Aborted when the program has done its work and lingers: then it is killed, and `dismissed` is true. */
  readonly dismissal?: AbortSignal
  /** Bytes of stdout and of stderr that are kept: head and tail. */
  readonly maxBytes: number
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  /** Between SIGTERM and SIGKILL, real time. */
  readonly killGraceMs?: number
  /** Called with all output as it comes, with characters intact. Must not throw. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /** Called when we begin to kill it: later output is a reaction to that. Must not throw. */
  readonly onEnding?: () => void
  /** Where it is noted while it runs. */
  readonly note?: RunningNote
}

/** How a program's run ended: one flat record. */
export interface ProcessRun {
  /** False if there was never a process: `failure` says why, or it was canceled before. */
  readonly started: boolean
  readonly failure: ProcessFailure | null
  /** True if we killed it because its time was up. */
  readonly timedOut: boolean
  /** True if we killed it because `signal` was aborted. */
  readonly cancelled: boolean
  /** True if we killed it because `dismissal` was aborted. */
  readonly dismissed: boolean
  /** `null` if it was ended by a signal or never started. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Until the program itself ended (monotonic). */
  readonly durationMs: number
  readonly stdout: BoundedText
  readonly stderr: BoundedText
}

/** Between SIGTERM and SIGKILL. */
export const KILL_GRACE_MS = 5000
/** How long processes that the program left behind may continue after its exit, mostly to write their last output. */
const LINGER_MS = 500

type Ending = 'exit' | 'timeout' | 'cancel' | 'dismissal'

interface TimedExit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly atMs: number
}

/**
 * Runs a program to its end and returns how it ended. Never rejects: a program that cannot be started is a `failure`. Both a
 * timeout and an abort kill the whole process tree, with SIGTERM and, `killGraceMs` (5 s) later, with SIGKILL; after a normal
 * exit, what is left of the tree is killed half a second later.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessRun> {
  const startedMs = request.clock.monotonicMs()
  const never = (failure: ProcessFailure | null): ProcessRun => ({
    ...neverStarted,
    failure,
    cancelled: failure === null,
    durationMs: request.clock.monotonicMs() - startedMs,
  })

  const badDirectory = await directoryFailure(request.directory)
  if (badDirectory !== null) return never(badDirectory)
  if (request.signal.aborted) return never(null)

  const marker = randomUUID()
  const hasKeeper = keeps(request.containment)
  const { note } = request
  if (note !== undefined) noteRunning(note.path, { pid: null, start: null, marker, hasKeeper }, note.log)
  const child = await startChild(request, marker)
  if (!('pid' in child)) {
    if (note !== undefined) noteEnded(note.path, note.log)
    return never(child)
  }
  const tree: ProcessTree = { pid: child.pid, start: processStart(child.pid), marker, hasKeeper }
  if (note !== undefined) noteRunning(note.path, tree, note.log)
  const { ending, exit } = await untilEnded(child, tree, request)
  if (note !== undefined) noteEnded(note.path, note.log)
  return {
    started: true,
    failure: null,
    timedOut: ending === 'timeout',
    cancelled: ending === 'cancel',
    dismissed: ending === 'dismissal',
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    durationMs: (exit?.atMs ?? request.clock.monotonicMs()) - startedMs,
    stdout: child.stdout.read(),
    stderr: child.stderr.read(),
  }
}

const NO_OUTPUT: BoundedText = { text: '', omittedBytes: 0 }
const neverStarted: Omit<ProcessRun, 'cancelled' | 'failure' | 'durationMs'> = {
  started: false,
  timedOut: false,
  dismissed: false,
  exitCode: null,
  signal: null,
  stdout: NO_OUTPUT,
  stderr: NO_OUTPUT,
}

/** A started program: its process, and what is already known and collected. */
interface StartedChild extends Omit<SpawnedChild, 'exited'> {
  readonly stdout: BoundedOutput
  readonly stderr: BoundedOutput
  readonly exited: Promise<TimedExit>
}

async function startChild(request: ProcessRequest, marker: string): Promise<StartedChild | ProcessFailure> {
  const stdout = createBoundedOutput(request.maxBytes)
  const stderr = createBoundedOutput(request.maxBytes)
  const stdin = request.stdin === null ? 'ignore' : 'pipe'
  const child = await spawnChild(request, marker, [stdin, 'pipe', 'pipe'], (process) => {
    collect(process, 'stdout', stdout, request)
    collect(process, 'stderr', stderr, request)
  })
  if (!('pid' in child)) return child
  feed(child.process, request.stdin)
  const exited = child.exited.then((exit) => ({ ...exit, atMs: request.clock.monotonicMs() }))
  return { ...child, stdout, stderr, exited }
}

/** Writes to the program's stdin. A program may end, or close its stdin, without reading it, which breaks the pipe. */
function feed(child: ChildProcess, text: string | null): void {
  child.stdin?.on('error', () => {})
  child.stdin?.end(text ?? '')
}

function collect(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  output: BoundedOutput,
  request: ProcessRequest,
): void {
  const decoder = new StringDecoder('utf8')
  const say = (text: string): void => {
    if (text !== '') request.onOutput?.({ stream, text })
  }
  child[stream]?.on('data', (chunk: Buffer) => {
    output.write(chunk)
    say(decoder.write(chunk))
  })
  child[stream]?.on('end', () => say(decoder.end()))
  child[stream]?.on('error', () => {})
}

async function untilEnded(
  child: StartedChild,
  tree: ProcessTree,
  request: ProcessRequest,
): Promise<{ ending: Ending; exit: TimedExit | null }> {
  const graceMs = request.killGraceMs ?? KILL_GRACE_MS
  const ending = await firstEnding(child.exited, request)
  if (ending !== 'exit') request.onEnding?.()
  const isOver = ending === 'exit' && (await within(LINGER_MS, allOver(child, tree), request.signal))
  if (!isOver) await endProcessTree(tree, graceMs)
  // When the last process has ended, some output is still in the pipes.
  await within(LINGER_MS, child.closed)
  const exit = await within(LINGER_MS, child.exited)
  for (const stream of child.process.stdio) stream?.destroy()
  child.process.unref()
  return { ending, exit }
}

/** Resolves with whether the tree ended by itself and its output was read to the end. */
async function allOver(child: StartedChild, tree: ProcessTree): Promise<boolean> {
  const [isGone] = await Promise.all([isTreeGoneWithin(tree, LINGER_MS), child.closed])
  return isGone
}

async function firstEnding(exited: Promise<TimedExit>, request: ProcessRequest): Promise<Ending> {
  const decided = new AbortController()
  try {
    return await Promise.race<Ending>([
      exited.then(() => 'exit'),
      whenAborted(request.signal, decided.signal).then(() => 'cancel'),
      whenAborted(request.dismissal, decided.signal).then(() => 'dismissal'),
      request.clock.sleep(request.timeoutMs, decided.signal).then(() => 'timeout'),
    ])
  } finally {
    decided.abort()
  }
}

/** Resolves once `signal` is aborted; never after `decided` is. */
function whenAborted(signal: AbortSignal | undefined, decided: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true, signal: decided })
    if (signal?.aborted) resolve()
  })
}
