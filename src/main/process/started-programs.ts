import { type ProcessEntry, readProcess } from './process-identity.ts'

/*
 * The running programs that this process has started for agents and checks. Their descendants are recognized through them,
 * whatever they do to their environment: in a sandbox no process can detach from its ancestors.
 */

interface StartedProgram {
  /** Clock ticks since boot: numbers are reused. */
  readonly startTicks: number
  /** Where it works. */
  readonly directory: string
}

const running = new Map<number, StartedProgram>()

/** Marks the program and its descendants as an agent's or a check's, until it has ended. */
export function noteStarted(pid: number, directory: string): void {
  running.set(pid, { startTicks: readProcess(pid)?.startTicks ?? 0, directory })
}

export function noteGone(pid: number): void {
  running.delete(pid)
}

/** Returns the directory of this process's program; `null` if it was not started here. */
export function startedDirectory({ pid, startTicks }: ProcessEntry): string | null {
  const program = running.get(pid)
  return program?.startTicks === startTicks ? program.directory : null
}

/** Returns whether anything runs that was started for an agent or a check. */
export function isAnythingStarted(): boolean {
  return running.size > 0
}
