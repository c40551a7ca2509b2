import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** In the environment of everything that a test starts: the test's folder. Agents and Electron's helpers inherit it. */
export const MARK = 'PULSEWARD_E2E'

export interface RunningProcess {
  readonly pid: number
  readonly command: string
}

/** What still runs of a test: living processes that carry its mark, or name its folder on their command line. */
export function processesOf(folder: string): readonly RunningProcess[] {
  return (existsSync('/proc/self/environ') ? fromProc(folder) : fromPs(folder)).filter(
    ({ pid }) => pid !== process.pid,
  )
}

/** What runs the scripted agent of a test: its own process, or what contains it. */
export function agentsOf(folder: string): readonly RunningProcess[] {
  return processesOf(folder).filter(({ command }) => command.includes('agent.mjs'))
}

/** Ends what a failed test has left behind. */
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
    // A process that has ended and was not reaped yet has neither command line nor environment.
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

/** Other platforms don't show the environments of other processes: their command lines must do. */
function fromPs(folder: string): RunningProcess[] {
  return execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }))
}
