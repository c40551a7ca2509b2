import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A variable for the environment of a test's programs, by which what they leave running is found. */
export interface TestMark {
  readonly env: Readonly<Record<string, string>>
  /** Pids of the living processes that carry the mark. Looks at all of /proc, with nothing of the product's own search. */
  running(): number[]
  /** Ends what a failed test left behind. */
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

/** Resolves when `condition` holds; a test whose condition never does runs into its timeout. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(POLL_MS)
}

/** What is to be ended may end by itself between the look and the signal. */
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

/** Pids of the living processes whose command line begins with `name`, in whatever namespace they are. */
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
