import type { Clock } from '../ports/clock.ts'
import { type ProcessRun, runProcess } from '../process/run-process.ts'
import type { ScriptedProgram } from './programs.ts'

/** More than any program prints on a busy machine: output is only progress, and nothing needs it. */
const MAX_OUTPUT_BYTES = 64 * 1024
const VERSION_TIMEOUT_MS = 30_000
const LOOK_EVERY_MS = 200
const KILL_GRACE_MS = 2000

export interface ProgramStart {
  readonly program: ScriptedProgram
  /** Absolute path. */
  readonly path: string
  readonly directory: string
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly signal: AbortSignal
}

/** Returns the version that the program prints; `null` if it prints none. Never rejects. */
export async function versionOf(start: ProgramStart): Promise<string | null> {
  const { stdout } = await run({ ...start, timeoutMs: VERSION_TIMEOUT_MS }, ['--version'])
  return /\d+\.\d+\.\d+[\w.-]*/.exec(stdout.text)?.[0].replace(/\.$/, '') ?? null
}

/**
 * Runs one session with this prompt to its end. Returns why it failed, as a clause; `null`: it didn't. `isOver`: whether its last turn has
 * ended, needed for a program that does not exit by itself.
 */
export async function runSession(
  start: ProgramStart,
  prompt: string,
  isOver: () => Promise<boolean>,
): Promise<string | null> {
  const { session } = start.program
  if (session === null) return serveSession(start, prompt, isOver)
  return problemOf(start, await run(start, session(prompt)))
}

function problemOf({ timeoutMs }: ProgramStart, ended: ProcessRun): string | null {
  if (ended.exitCode === 0) return null
  if (ended.timedOut) return `it did not end within ${timeoutMs / 1000} s`
  const said = [ended.failure?.message, ended.stderr.text, ended.stdout.text].find((text) => text?.trim())
  return `it ended with ${ended.exitCode ?? ended.signal}: ${said?.trim().split('\n').at(-1)?.slice(0, 200) ?? ''}`
}

/** Runs a session with OpenCode's server: it answers prompts after the first turn only as a server. */
async function serveSession(
  start: ProgramStart,
  prompt: string,
  isOver: () => Promise<boolean>,
): Promise<string | null> {
  const over = new AbortController()
  let printed = ''
  let asked: Promise<string | null> | null = null
  const ask = async (url: string): Promise<null> => {
    const { id } = (await post(`${url}/session`, {})) as { id: string }
    await post(`${url}/session/${id}/prompt_async`, { parts: [{ type: 'text', text: prompt }] })
    while (!over.signal.aborted && !(await isOver())) await start.clock.sleep(LOOK_EVERY_MS, over.signal)
    return null
  }
  const ended = await run(start, ['serve', '--hostname', '127.0.0.1', '--port', '0'], {
    dismissal: over.signal,
    onOutput: ({ text }) => {
      printed += text
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url !== undefined)
        asked ??= ask(url)
          .catch(String)
          .finally(() => over.abort())
    },
  })
  // A server that has exited no longer answers.
  over.abort()
  const failed = await asked
  return ended.dismissed ? failed : problemOf(start, ended)
}

async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return text === '' ? null : (JSON.parse(text) as unknown)
}

function run(
  { path, directory, environment, timeoutMs, clock, signal }: ProgramStart,
  args: readonly string[],
  more: Partial<Parameters<typeof runProcess>[0]> = {},
): Promise<ProcessRun> {
  // Passes nothing of the user's, least of all a key of a real service.
  const inherited = Object.keys(process.env).map((name) => [name, undefined] as const)
  return runProcess({
    command: [path, ...args],
    directory,
    env: { ...Object.fromEntries(inherited), ...environment },
    isSupervised: false,
    stdin: null,
    maxBytes: MAX_OUTPUT_BYTES,
    killGraceMs: KILL_GRACE_MS,
    ...{ timeoutMs, clock, signal, ...more },
  })
}
