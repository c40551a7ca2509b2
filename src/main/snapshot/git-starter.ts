import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { quote } from '../process/quote.ts'
import type { GitCall, GitCallResult } from './git-room.ts'

/*
 * The more memory a process uses, the longer it takes to start a program (5 ms at 150 MB, blocking the event loop), because the system
 * copies its page tables. A shell that uses almost no memory starts git in a tenth of that. It takes commands from a pipe and runs one git
 * at a time; git's output comes back through its own pipes, which no other process can open. It ends when we do, because its input ends.
 */

/** With more input than this, git is started directly. */
const MAX_INPUT_BYTES = 16 * 1024
/** Limit for git's error output. */
const MAX_ERROR_BYTES = 64 * 1024
/** The shell's exit codes if a folder or git does not exist: starting git directly then reports that. */
const NOT_STARTED: readonly number[] = [125, 126, 127]

let known: Starter | null = null

/** Runs git for one call; null if no shell is free or able to: start it like any other program. Never rejects. */
export async function startGit(
  call: GitCall,
  env: Readonly<Record<string, string>>,
): Promise<GitCallResult | null> {
  if (process.platform === 'win32' || (call.input?.length ?? 0) > MAX_INPUT_BYTES) return null
  const words = JSON.stringify(env)
  if (known !== null && !known.isBusy && (known.isGone || known.env !== words)) {
    known.end()
    known = null
  }
  known ??= new Starter(env, words)
  return known.env === words ? known.run(call) : null
}

class Starter {
  readonly env: string
  readonly #shell: ChildProcessWithoutNullStreams
  isBusy = false
  isGone = false

  constructor(env: Readonly<Record<string, string>>, words: string) {
    this.env = words
    // In its own process group: anything that does not finish in time is killed with everything it started.
    this.#shell = spawn('/bin/sh', [], { cwd: '/', env, stdio: 'pipe', detached: true })
    for (const part of [this.#shell, this.#shell.stdin, this.#shell.stdout, this.#shell.stderr])
      part.on('error', () => {
        this.isGone = true
      })
    this.#shell.once('close', () => {
      this.isGone = true
    })
    this.#letGo()
  }

  async run(call: GitCall): Promise<GitCallResult | null> {
    if (this.isBusy || this.isGone) return null
    this.isBusy = true
    this.#hold()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.end()
    }, call.timeoutMs)
    const mark = randomUUID()
    const saying = Promise.all(
      [this.#shell.stdout, this.#shell.stderr].map((stream) => untilMark(stream, mark, call.maxBytes)),
    )
    this.#shell.stdin.write(orderFor(mark, call))
    const [stdout, stderr] = await saying
    clearTimeout(timer)
    this.isBusy = false
    this.#letGo()
    if (isLate)
      return { exitCode: null, stdout: Buffer.alloc(0), stderr: 'git did not finish in time', timedOut: true }
    if (stdout == null || stderr == null) {
      this.end()
      return null
    }
    if (NOT_STARTED.includes(stdout.exitCode)) return null
    const said = stderr.bytes.subarray(0, MAX_ERROR_BYTES).toString('utf8')
    return { exitCode: stdout.exitCode, stdout: stdout.bytes, stderr: said }
  }

  end(): void {
    this.isGone = true
    try {
      if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }

  /** An idle shell must not keep the process alive. */
  #letGo(): void {
    this.#shell.unref()
    for (const stream of this.#streams()) stream.unref()
  }

  #hold(): void {
    for (const stream of this.#streams()) stream.ref()
  }

  #streams(): readonly Socket[] {
    // Safe: the pipes of a child are sockets here.
    return [this.#shell.stdin, this.#shell.stdout, this.#shell.stderr] as unknown as readonly Socket[]
  }
}

/** Runs in a subshell, so that neither folder nor variables persist. The mark, which git cannot know, ends both streams. */
function orderFor(mark: string, { directory, args, variables, input }: GitCall): string {
  const exported = Object.entries(variables).map(([key, value]) => `export ${key}=${quote(value)}`)
  const command = ['git', ...args].map(quote).join(' ')
  const started = `( cd ${quote(directory)} || exit 125; ${[...exported, `exec ${command}`].join(' && ')} )`
  const whole = input === undefined ? `${started} </dev/null` : `printf '${octal(input)}' | ${started}`
  return `${whole}; code=$?; echo "${mark} $code"; echo "${mark} $code" >&2\n`
}

/** For `printf`: every byte by its number. */
function octal(bytes: Buffer): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

/** Longer than a mark with the rest of its line. */
const MARK_BYTES = 64

/** Returns what comes before the mark, and the number after it; null if the stream ends before the mark, or is too long. */
function untilMark(
  stream: Readable,
  mark: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly exitCode: number } | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    let end = ''
    const settle = (answer: { bytes: Buffer; exitCode: number } | null): void => {
      stream.off('data', hear).off('close', close)
      resolve(answer)
    }
    const close = (): void => settle(null)
    const hear = (chunk: Buffer): void => {
      chunks.push(chunk)
      length += chunk.length
      end = (end + chunk.toString('latin1', Math.max(0, chunk.length - MARK_BYTES))).slice(-MARK_BYTES)
      const at = end.lastIndexOf(mark)
      const exitCode = at < 0 ? undefined : /^ (\d+)\n$/.exec(end.slice(at + mark.length))?.[1]
      if (exitCode !== undefined) {
        const bytes = Buffer.concat(chunks).subarray(0, length - (end.length - at))
        settle({ bytes, exitCode: Number(exitCode) })
      } else if (length > maxBytes + MARK_BYTES) close()
    }
    stream.on('data', hear).once('close', close)
    if (stream.closed) close()
  })
}
