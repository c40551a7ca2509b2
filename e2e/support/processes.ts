import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The environment variable that holds the test's folder, in everything that a test starts. Agents and Electron's helpers inherit it. */
export const MARK = 'PULSEWARD_E2E'

export interface RunningProcess {
  readonly pid: number
  readonly command: string
}

/** Returns the processes of a test that are still running: they carry its mark, or name its folder on their command line. */
export function processesOf(folder: string): readonly RunningProcess[] {
  return (existsSync('/proc/self/environ') ? fromProc(folder) : fromPs(folder)).filter(
    ({ pid }) => pid !== process.pid,
  )
}

/** Returns the processes that run the test's scripted agent: the agent itself and its sandbox. */
export function agentsOf(folder: string): readonly RunningProcess[] {
  return processesOf(folder).filter(({ command }) => command.includes('agent.mjs'))
}

/** Kills what a failed test has left running. */
export function killProcessesOf(folder: string): void {
  for (const { pid } of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
}

function fromProc(folder: string): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim()
    // A process that has ended but was not reaped yet has neither a command line nor an environment.
    const isOfTest = command.includes(folder) || read(`/proc/${name}/environ`).includes(`${MARK}=${folder}`)
    return isOfTest ? [{ pid: Number(name), command }] : []
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Other platforms don't show the environments of other processes, so only their command lines are checked. */
function fromPs(folder: string): RunningProcess[] {
  return execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }))
}
