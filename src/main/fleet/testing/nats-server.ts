import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The server program that fleet tests need; `null`: they are skipped, with a message. */
export const natsServer: string | null = findVersion()

/** Part of a suite's name. */
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
 * Returns a port below the ephemeral range, so that no connection of this machine uses it, even while a killed server is being restarted.
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

/** A real server, with a hub's configuration. */
export interface RunningServer {
  readonly process: ChildProcess
  /** Kills it, like a power cut. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Resolves when it accepts connections; otherwise rejects with its output. */
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
