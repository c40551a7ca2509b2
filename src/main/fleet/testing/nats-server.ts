import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What the tests of the fleet need beside this checkout; `null`: they are skipped, and say so. */
export const natsServer: string | null = findVersion()

/** In the name of a suite. */
export const NATS =
  natsServer === null ? 'SKIPPED, there is no nats-server here' : `nats-server ${natsServer}`

function findVersion(): string | null {
  try {
    return (
      /v([\d.]+)/.exec(execFileSync('nats-server', ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown'
    )
  } catch {
    return null
  }
}

/**
 * Below the ports that the system hands out by itself: none of this machine's connections takes it, not even while a
 * server that was killed is started again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '0.0.0.0', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** A real server, from the configuration that a hub has. */
export interface RunningServer {
  readonly process: ChildProcess
  /** As a power cut does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Resolves when it takes connections; rejects with what it said where it does not. */
export async function startServer(directory: string): Promise<RunningServer> {
  const child = spawn('nats-server', ['-c', join(directory, 'nats-server.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (said.length < 200) said.push(line)
      if (line.includes('Server is ready')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`nats-server did not start:\n${said.join('\n')}`)))
  })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return { process: child, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
