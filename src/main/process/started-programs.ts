import { type ProcessEntry, readProcess } from './process-identity.ts'

/*
 * What this process has started for agents and checks and that still runs. A descendant of one is recognized by that, whatever it
 * has done to its environment: in a sandbox none can leave its parents behind.
 */

interface StartedProgram {
  /** Clock ticks since boot: numbers are used again. */
  readonly startTicks: number
  /** Where it works. */
  readonly directory: string
}

const running = new Map<number, StartedProgram>()

/** From here on the program and its descendants are an agent's or a check's, until it has gone. */
export function noteStarted(pid: number, directory: string): void {
  running.set(pid, { startTicks: readProcess(pid)?.startTicks ?? 0, directory })
}

export function noteGone(pid: number): void {
  running.delete(pid)
}

/** The directory of the program that this process is; `null` where it was not started here. */
export function startedDirectory({ pid, startTicks }: ProcessEntry): string | null {
  const program = running.get(pid)
  return program?.startTicks === startTicks ? program.directory : null
}

/** Whether anything runs that was started for an agent or a check. */
export function isAnythingStarted(): boolean {
  return running.size > 0
}
