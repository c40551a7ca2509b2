import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** An environment variable for a test's programs, to find what they leave running. */
export interface TestMark {
  readonly env: Readonly<Record<string, string>>
  /** Returns the pids of living processes with the mark. Searches all of /proc, without using the product's own search. */
  running(): number[]
  /** Kills what a failed test left behind. */
  endAll(): void
}

const POLL_MS = 10

export function createTestMark(): TestMark {
  const value = randomUUID()
  const running = (): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isMarked(name, `PULSEWARD_TEST=${value}`))
      .map(Number)
  return {
    env: { PULSEWARD_TEST: value },
    running,
    endAll: () => {
      for (const pid of running()) endIfRunning(pid)
    },
  }
}

/** Resolves when `condition` is true; a test in which it never is times out. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(POLL_MS)
}

/** The process may end by itself between the check and the signal. */
function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function isMarked(pid: string, mark: string): boolean {
  try {
    // A zombie's environment is empty.
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
  } catch {
    return false
  }
}

/** Returns the pids of living processes whose command line begins with `name`, in any namespace. */
export function processesNamed(name: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && commandLine(entry).startsWith(name))
    .map(Number)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}
