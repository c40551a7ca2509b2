import { type ProcessEntry, readProcess } from './process-identity.ts'

/*
 * The running programs that this process has started for agents and checks. Their descendants are recognized through them,
 * whatever they do to their environment: in a sandbox no process can detach from its ancestors.
 */

export interface StartedProgram {
  /** Clock ticks since boot: numbers are reused. */
  readonly startTicks: number
  /** Where it works. */
  readonly directory: string
  /** Whether it can change the file at this path. */
  readonly canWrite: (path: string) => boolean
}

const running = new Map<number, StartedProgram>()

/** Marks the program and its descendants as an agent's or a check's, until it has ended. */
export function noteStarted(pid: number, directory: string, canWrite: StartedProgram['canWrite']): void {
  running.set(pid, { startTicks: readProcess(pid)?.startTicks ?? 0, directory, canWrite })
}

export function noteGone(pid: number): void {
  running.delete(pid)
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
