import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./recording-host.ts', import.meta.url))

/** Hosts as separate processes, by name; each data folder is `NAME/data` in one folder. */
export interface HostProcesses {
  dataOf(name: string): string
  /** Starts a host; resolves when it is ready. `given` is passed to `recording-host.ts`. Rejects if it ends before. */
  start(name: string, ...given: readonly string[]): Promise<void>
  /** Ends a host; resolves when it has ended. Does nothing if it is not running. */
  end(name: string, signal: NodeJS.Signals): Promise<void>
  killAll(): Promise<void>
}

export function hostProcesses(root: string): HostProcesses {
  const running = new Map<string, ChildProcess>()
  const dataOf = (name: string): string => join(root, name, 'data')
  const end = async (name: string, signal: NodeJS.Signals): Promise<void> => {
    const child = running.get(name)
    running.delete(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    dataOf,
    start: async (name, ...given) => {
      const child = spawn(process.execPath, [program, dataOf(name), ...given], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      running.set(name, child)
      await Promise.race([
        once(child.stdout as NodeJS.ReadableStream, 'data'),
        once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start`))),
      ])
    },
    end,
    killAll: async () => {
      for (const name of [...running.keys()]) await end(name, 'SIGKILL')
    },
  }
}
