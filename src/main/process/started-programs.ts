import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { type ProcessEntry, readProcess } from './process-identity.ts'

/*
 * The running programs that this process has started for agents and checks. Their descendants are recognized through them,
 * whatever they do to their environment: in a sandbox no process can detach from its ancestors.
 */

export interface StartedProgram {
  /** Clock ticks since boot: numbers are reused. */
  readonly startTicks: number
  /** The program's working directory. */
  readonly directory: string
  /** Returns whether it can change the file at this path. */
  readonly canWrite: (path: string) => boolean
}

const running = new Map<number, StartedProgram>()

/*
 * Programs that threads have started: only git, in a sandbox that can only write to its own folder. Pairs of process id and start time, in
 * memory shared by all threads, because the main thread has to know immediately.
 */
const SHARED = 'pulseward-started-in-threads'
const MAX_SHARED = 64
if (isMainThread) setEnvironmentData(SHARED, new Int32Array(new SharedArrayBuffer(8 * MAX_SHARED)))
const inThreads = getEnvironmentData(SHARED) as Int32Array

/** Marks the program and its descendants as an agent's or a check's, until it has ended. */
export function noteStarted(pid: number, directory: string, canWrite: StartedProgram['canWrite']): void {
  const startTicks = readProcess(pid)?.startTicks ?? 0
  running.set(pid, { startTicks, directory, canWrite })
  if (!isMainThread) share(pid, startTicks)
}

function share(pid: number, startTicks: number): void {
  for (let at = 0; at < inThreads.length; at += 2) {
    if (Atomics.compareExchange(inThreads, at, 0, pid) !== 0) continue
    Atomics.store(inThreads, at + 1, startTicks | 0)
    return
  }
}

export function noteGone(pid: number): void {
  running.delete(pid)
  const at = isMainThread ? -1 : placeInThreads(pid)
  if (at !== -1) Atomics.store(inThreads, at, 0)
}

function placeInThreads(pid: number): number {
  for (let at = 0; at < inThreads.length; at += 2) if (Atomics.load(inThreads, at) === pid) return at
  return -1
}

/** Returns whether a thread of this process has started it. */
export function isStartedInThread({ pid, startTicks }: ProcessEntry): boolean {
  const at = placeInThreads(pid)
  return at !== -1 && Atomics.load(inThreads, at + 1) === (startTicks | 0)
}

/** Returns the running program that this process is; `null` if it was not started here. */
export function startedProgram({ pid, startTicks }: ProcessEntry): StartedProgram | null {
  const program = running.get(pid)
  return program?.startTicks === startTicks ? program : null
}

/** Returns whether anything runs that was started for an agent or a check. */
export function isAnythingStarted(): boolean {
  return running.size > 0
}
