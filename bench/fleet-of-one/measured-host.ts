import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../src/main/host/system-clock.ts'

/** A clock tick of `/proc`. */
const TICK_MS = 10
const POLL_MS = 20

/** The built host in a separate process, asked over HTTP. */
export interface MeasuredHost {
  /** From the start of the process until it answers. */
  readonly doorMs: number
  readonly startedAtMs: number
  get<Answer>(path: string): Promise<Answer>
  post<Answer>(path: string, body: object): Promise<Answer>
  /** Returns the text of a metrics page. */
  text(path: string): Promise<string>
  /** Returns the number that the kernel reports; `NaN` if there is none. */
  openFiles(): Promise<number>
  /** Returns the milliseconds that all its threads have used so far; `NaN` if there is no such count. */
  cpuMs(): Promise<number>
  /** Returns the memory left after a collection, in KiB. */
  collectedKib(): Promise<number>
  /** Returns the moments (`performance.now`) at which attempts begin, by workspace; `stop` stops listening. */
  attempts(): Promise<{ readonly beganMs: ReadonlyMap<string, number>; readonly stop: () => void }>
  /** Returns the milliseconds until it is gone. */
  end(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number>
}

const running = new Set<ChildProcess>()

/** Kills those that are still running, so that none outlives the benchmark. */
export function endAllHosts(): void {
  for (const host of running) host.kill('SIGKILL')
}

process.once('exit', endAllHosts)

/** Starts it over a data folder. Resolves when it accepts requests; rejects if it exits before that. */
export async function startHost(program: string, data: string): Promise<MeasuredHost> {
  const startedAtMs = performance.now()
  const collected = join(data, 'collected-kib')
  const words = ['--import', pathToFileURL(join(import.meta.dirname, 'collect.mjs')).href]
  const host = spawn(process.execPath, [...words, program, 'serve', '--port', '0', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, COLLECTED: collected },
  })
  running.add(host)
  const gone = once(host, 'exit').finally(() => running.delete(host))
  try {
    await firstLine(host)
    const doorMs = performance.now() - startedAtMs
    const { port, token } = JSON.parse(await readFile(join(data, 'server.json'), 'utf8'))
    return {
      doorMs,
      startedAtMs,
      ...asking(port, token),
      ...looking(host, collected),
      end: endOf(host, gone),
    }
  } catch (error) {
    host.kill('SIGKILL')
    throw error
  }
}

function asking(port: number, token: string): Pick<MeasuredHost, 'get' | 'post' | 'text' | 'attempts'> {
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const json = { 'content-type': 'application/json' }
  return {
    get: async <Answer>(path: string) => (await (await ask(path)).json()) as Answer,
    text: async (path) => (await ask(path)).text(),
    post: async <Answer>(path: string, body: object) => {
      const answer = await ask(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
      const text = await answer.text()
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    attempts: async () => {
      const ending = new AbortController()
      const { body } = await ask('/api/events', { signal: ending.signal })
      const beganMs = new Map<string, number>()
      void followAttempts(body, beganMs).catch(() => undefined)
      return { beganMs, stop: () => ending.abort() }
    },
  }
}

async function followAttempts(body: Response['body'], beganMs: Map<string, number>): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      if (!frame.includes('\nevent: attempt-started\n')) continue
      const { workspace } = JSON.parse(frame.slice(frame.indexOf('data: ') + 'data: '.length)) as {
        workspace: string
      }
      if (!beganMs.has(workspace)) beganMs.set(workspace, performance.now())
    }
  }
}

function looking(
  host: ChildProcess,
  collected: string,
): Pick<MeasuredHost, 'openFiles' | 'cpuMs' | 'collectedKib'> {
  const { pid = 0 } = host
  return {
    openFiles: () =>
      readdir(`/proc/${pid}/fd`).then(
        ({ length }) => length,
        () => Number.NaN,
      ),
    cpuMs: async () => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) * TICK_MS
    },
    collectedKib: async () => {
      await rm(collected, { force: true })
      if (process.platform === 'win32') return Number.NaN
      process.kill(pid, 'SIGUSR2')
      for (;;) {
        const text = await readFile(collected, 'utf8').catch(() => null)
        if (text !== null) return Number(text)
        if (!running.has(host)) throw new Error('The host ended while it was measured.')
        await systemClock.sleep(POLL_MS)
      }
    },
  }
}

function endOf(host: ChildProcess, gone: Promise<unknown>): MeasuredHost['end'] {
  return async (signal) => {
    const askedMs = performance.now()
    host.kill(signal)
    await gone
    return performance.now() - askedMs
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('The host was started without a pipe.')
  const lines = createInterface({ input: stdout })
  for await (const _line of lines) {
    // Drain further output, so that it doesn't fill the pipe.
    stdout.resume()
    return
  }
  throw new Error('The host exited without output. Is it built? npm run build')
}
