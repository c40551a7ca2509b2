import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { HOOK_SECONDS, type HookEvent } from '../core/vocabulary/hook-event.ts'
import { SUPERVISOR_VARIABLE } from '../core/vocabulary/supervisor-variable.ts'
import { commonOf, isWithin, realOr } from '../main/sessions/hook-places.ts'
import { readHookWords } from './hook-words.ts'

/*
 * What an agent's program calls at the end of a turn. It is built into a separate file (electron.vite.config.ts) without libraries or
 * schemas, so in a folder outside all workspaces it costs only the start of Node.js and reading two small files. It starts nothing, decides
 * nothing and always exits with 0, because a problem of Pulseward's must never stop the program. The host's answer is printed as at most
 * one
 * JSON document.
 */

const MAX_DEADLINE_MS = 900_000
const MAX_INPUT_BYTES = 8 * 1024 * 1024
/** How long before the end of our wait the host has to answer, so that its answer still arrives. */
const ANSWERED_BEFORE_MS = 1500
/** The most that a host accepts in one request. */
const MAX_SENT_CHARACTERS = 700 * 1024
/** The most of one text in a shortened input. */
const MAX_FIELD = 100 * 1024
/** How much of an unreadable input is searched for ids. */
const MAX_SEARCHED = 64 * 1024
const MAX_SPOOL_BYTES = 256 * 1024
const MAX_PATH = 4096

interface Asked {
  readonly event: HookEvent
  readonly agent: string
  readonly dataDirectory: string
  readonly deadlineMs: number
}

interface Index {
  readonly places: readonly Place[]
  readonly sessions: readonly unknown[]
}

interface Place {
  readonly directory: string
  readonly common: string | null
  readonly prefix: string
}

/** Answers one call by a program. Never rejects. */
export async function runHook(): Promise<void> {
  const asked = readWords(process.argv.slice(2))
  if (asked === null || process.env[SUPERVISOR_VARIABLE] !== undefined) return
  const { places, sessions } = readIndex(asked.dataDirectory)
  if (places.length === 0) return
  const startedMs = performance.now()
  const text = legible(await readInput())
  const directory = directoryIn(text)
  if (!isOfWorkspace(directory, places) && !sessions.includes(sessionIn(text))) return
  noteCall(asked)
  const server = readServer(asked.dataDirectory)
  if (server === null) {
    spool(asked, text, directory, 'away')
    return
  }
  const leftMs = asked.deadlineMs - (performance.now() - startedMs)
  const answer = await ask(server, asked, { text, directory, leftMs })
  if (answer.kind === 'failed') spool(asked, text, directory, answer.reason)
  else print(asked, answer.document)
}

function readWords(args: readonly string[]): Asked | null {
  // As a separate script it is called without the word `hook`: `hook.js stop …`.
  const words = readHookWords(args) ?? readHookWords(['hook', ...args])
  if (words === null || !/^[a-z]{1,20}$/.test(words.agent)) return null
  const { event, agent, timeout, dataDirectory } = words
  const seconds = Number(timeout)
  const named = dataDirectory ?? (process.env.PULSEWARD_HOME || join(homedir(), '.pulseward'))
  const deadlineMs = seconds > 0 ? Math.min(seconds * 1000, MAX_DEADLINE_MS) : HOOK_SECONDS[event] * 1000
  return { event, agent, dataDirectory: resolve(named), deadlineMs }
}

function readJson(path: string): Record<string, unknown> | null {
  try {
    if (statSync(path).size > 4 * 1024 * 1024) return null
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Returns the workspaces in the host's index, and the sessions that began in them. */
function readIndex(dataDirectory: string): Index {
  const index = readJson(join(dataDirectory, 'hook-index.json'))
  const [found, sessions] = [index?.workspaces, index?.sessions]
  if (!Array.isArray(found)) return { places: [], sessions: [] }
  const places = found.flatMap((each: Record<string, unknown> | null) =>
    typeof each?.directory === 'string'
      ? [
          {
            directory: each.directory,
            common: typeof each.common === 'string' ? each.common : null,
            prefix: typeof each.prefix === 'string' ? each.prefix : '',
          },
        ]
      : [],
  )
  return { places, sessions: Array.isArray(sessions) ? sessions : [] }
}

/** Reads synchronously: a stream would take as long to load as everything else together. */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  const buffer = Buffer.allocUnsafe(64 * 1024)
  try {
    for (;;) {
      const read = readSync(0, buffer, 0, buffer.length, null)
      if (read === 0) break
      length += read
      // Keep reading to the end: a program whose pipe is closed early may take that for a failure.
      if (length > MAX_INPUT_BYTES) continue
      chunks.push(Buffer.from(buffer.subarray(0, read)))
    }
  } catch (error) {
    // The program has not written anything yet, and its pipe is non-blocking.
    if ((error as { code?: string }).code === 'EAGAIN') await readRest(chunks, length)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function readRest(chunks: Buffer[], before: number): Promise<void> {
  if (process.stdin.isTTY) return
  let length = before
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= MAX_INPUT_BYTES) chunks.push(chunk)
  }
}

/**
 * Returns a program's input as a document that a host accepts. If it is broken or too large, only the ids are kept, with a note that it
 * could not be read: an agent's message must not become a way around the hook.
 */
function legible(text: string): string {
  try {
    const fields = JSON.parse(text) as unknown
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw new Error('no object')
    return text.length > MAX_SENT_CHARACTERS ? shortened(fields as Record<string, unknown>) : text
  } catch {
    const start = text.slice(0, MAX_SEARCHED)
    const found = NAMED_FIELDS.flatMap((name) => {
      const value = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,4096}")`).exec(start)?.[1]
      try {
        return value === undefined ? [] : [[name, JSON.parse(value) as unknown] as const]
      } catch {
        return []
      }
    })
    return JSON.stringify({ ...Object.fromEntries(found), pulseward_unreadable: true })
  }
}

/** Fields that are kept from unreadable input. */
const NAMED_FIELDS = [
  'session_id',
  'sessionId',
  'conversation_id',
  'sessionID',
  'prompt_id',
  'turn_id',
  'cwd',
]

/** Returns the folder the program works in: the one it names, else the one where it started this. */
function directoryIn(text: string): string {
  let named: unknown = null
  try {
    const fields = JSON.parse(text) as { cwd?: unknown; workspace_roots?: unknown } | null
    named = fields?.cwd ?? (Array.isArray(fields?.workspace_roots) ? fields.workspace_roots[0] : null)
  } catch {
    // Can't fail here: unreadable input was replaced before.
  }
  const path = typeof named === 'string' && isAbsolute(named) ? named : process.cwd()
  return realOr(path).slice(0, MAX_PATH)
}

function isOfWorkspace(directory: string, places: readonly Place[]): boolean {
  if (places.some((place) => isWithin(directory, place.directory))) return true
  const git = findGit(directory)
  if (git === null) return false
  return places.some(
    ({ common, prefix }) => common === git.common && isWithin(directory, join(git.top, prefix)),
  )
}

/** Finds the work tree around a folder, and the git folder shared by all work trees of its repository. */
function findGit(directory: string): { readonly top: string; readonly common: string } | null {
  for (let top = directory; ; top = dirname(top)) {
    const path = join(top, '.git')
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined) return { top, common: commonOf(path) }
    if (top === dirname(top)) return null
  }
}

/** Records when a program last called, for `pulseward hook status`. */
function noteCall({ dataDirectory, agent }: Asked): void {
  const path = join(dataDirectory, 'hooks', 'called', agent)
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, '', { mode: 0o600 })
    } catch {
      // It is then shown as never called, but judged anyway.
    }
  }
}

interface Server {
  readonly port: number
  readonly token: string
}

/** Returns the server of the host that owns the data folder, if it runs. */
function readServer(dataDirectory: string): Server | null {
  const { port, token, pid } = readJson(join(dataDirectory, 'server.json')) ?? {}
  if (typeof port !== 'number' || typeof token !== 'string' || typeof pid !== 'number') return null
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPERM') return null
  }
  return { port, token }
}

type Answer =
  | { readonly kind: 'answer'; readonly document: Record<string, unknown> | null }
  | { readonly kind: 'failed'; readonly reason: string }

async function ask(
  { port, token }: Server,
  { event, agent }: Asked,
  { text, directory, leftMs }: { readonly text: string; readonly directory: string; readonly leftMs: number },
): Promise<Answer> {
  const { request } = await import('node:http')
  // At most a tenth of a short deadline, because the host needs the rest to answer.
  const waitMs = Math.max(0, Math.round(leftMs - Math.min(ANSWERED_BEFORE_MS, leftMs / 10)))
  const body = JSON.stringify({ agent, event, text, directory, waitMs })
  return new Promise((done) => {
    const fail = (reason: string): void => done({ kind: 'failed', reason })
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path: '/api/sessions/hook',
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'pulseward-command': `hook ${event}`,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => fail('away'))
        response.on('end', () => {
          if (response.statusCode !== 200) return fail(`refused ${response.statusCode}`)
          try {
            const { document } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { document?: unknown }
            const isObject = typeof document === 'object' && document !== null
            done({ kind: 'answer', document: isObject ? (document as Record<string, unknown>) : null })
          } catch {
            fail('unreadable')
          }
        })
      },
    )
    const timer = setTimeout(
      () => {
        fail('deadline')
        asking.destroy()
      },
      Math.max(0, leftMs),
    )
    timer.unref()
    asking.on('error', () => fail('away'))
    asking.on('close', () => clearTimeout(timer))
    asking.end(body)
  })
}

/** Shortens an input: keeps short fields, and the end of long texts, where an agent sums up; leaves out everything else that is long. */
function shortened(fields: Record<string, unknown>, max = MAX_FIELD): string {
  const short = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'string') return [[name, value.slice(-max)]]
    if (JSON.stringify(value ?? null).length <= max) return [[name, value]]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    return [[name, JSON.parse(shortened(value as Record<string, unknown>, max / 2)) as unknown]]
  })
  const text = JSON.stringify(Object.fromEntries(short))
  return text.length <= MAX_SENT_CHARACTERS || max < 64 ? text : shortened(Object.fromEntries(short), max / 2)
}

/** Prints only keys that every program knows: with one more, some programs ignore the whole answer. */
function print({ event, agent }: Asked, document: Record<string, unknown> | null): void {
  if (document === null) return
  if (event !== 'stop') {
    process.stdout.write(`${JSON.stringify(document)}\n`)
    return
  }
  const { reason } = document
  if (typeof reason !== 'string' || reason === '') return
  const answer = agent === 'cursor' ? { followup_message: reason } : { decision: 'block', reason }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

/** Saves an event that the host could not receive, for the next host. */
function spool({ dataDirectory, event, agent }: Asked, text: string, directory: string, why: string): void {
  if (event !== 'stop') return
  const path = join(dataDirectory, 'hook-spool.jsonl')
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size > MAX_SPOOL_BYTES) return
    const line = { at: new Date().toISOString(), agent, event, why, directory, sessionId: sessionIn(text) }
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch {
    // The data folder does not exist, or is not ours.
  }
}

function sessionIn(text: string): string | null {
  try {
    const fields = JSON.parse(text) as Record<string, unknown>
    const id = fields.session_id ?? fields.sessionId ?? fields.conversation_id ?? fields.sessionID
    return typeof id === 'string' ? id.slice(0, 200) : null
  } catch {
    return null
  }
}

process.stdout.on('error', () => process.exit(0))
runHook()
  .catch(() => undefined)
  .finally(() => {
    process.exitCode = 0
  })
