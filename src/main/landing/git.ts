import { execFile } from 'node:child_process'
import { childEnvironment } from '../process/child-environment.ts'
import { killWithDescendants } from '../process/kill-with-descendants.ts'

/** The result of a git command. */
export interface GitResult {
  readonly ok: boolean
  /** `null` if git did not start or was killed. */
  readonly exitCode: number | null
  /** True if it was killed because its time was up. */
  readonly timedOut: boolean
  readonly stdout: string
  /** What git printed, or why it did not run; without passwords from addresses. */
  readonly error: string
}

/** Runs git with these arguments. Never rejects. */
export type Git = (args: readonly string[], options?: GitCallOptions) => Promise<GitResult>

export interface GitCallOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: 120 s; 0: no limit. */
  readonly timeoutMs?: number
  /** Kills git when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Encoding of git's input and output. Default: UTF-8; `latin1` keeps every byte. */
  readonly encoding?: 'utf8' | 'latin1'
}

const TIMEOUT_MS = 120_000
const MAX_BYTES = 64 * 1024 * 1024

/*
 * Runs git with the operator's identity, signing and logins, but without what an attempt could have left (hooks, fsmonitor), without
 * password prompts, and without repacking the repository.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.untrackedCache=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  'submodule.recurse=false',
].flatMap((one) => ['-c', one])

export interface GitPlace {
  /** The working directory. */
  readonly directory: string
  /** Added to the environment: repository, index and work tree. */
  readonly env?: Readonly<Record<string, string>>
}

/** Returns git for one place. Ignores inherited `GIT_…` variables. */
export function gitAt({ directory, env = {} }: GitPlace): Git {
  return (args, { input, env: more = {}, timeoutMs = TIMEOUT_MS, encoding = 'utf8', signal } = {}) =>
    new Promise((resolve) => {
      const inherited = Object.keys(process.env).filter(
        (name) => name.startsWith('GIT_') && name !== 'GIT_SSH_COMMAND',
      )
      const child = execFile(
        'git',
        [...SETTINGS, ...args],
        {
          cwd: directory,
          env: childEnvironment({
            ...Object.fromEntries(inherited.map((name) => [name, undefined])),
            LC_ALL: 'C',
            GIT_TERMINAL_PROMPT: '0',
            GIT_NO_REPLACE_OBJECTS: '1',
            GIT_OPTIONAL_LOCKS: '0',
            GIT_MERGE_AUTOEDIT: 'no',
            ...env,
            ...more,
          }),
          encoding,
          maxBuffer: MAX_BYTES,
          windowsHide: true,
        },
        (error, stdout, stderr) => {
          const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
          clearTimeout(timer)
          signal?.removeEventListener('abort', end)
          const said = withoutPasswords(stderr.trim())
          const isEnded = timedOut || signal?.aborted === true
          resolve({
            ok: exitCode === 0,
            exitCode,
            timedOut,
            stdout,
            error:
              error === null
                ? ''
                : isEnded
                  ? [said, timedOut ? `It did not end within ${inWords(timeoutMs)}` : 'It was canceled']
                      .join('\n')
                      .trim()
                  : said || withoutPasswords(error.message),
          })
        },
      )
      // Not git's own limit, which would leave the programs that it waits for: gpg, ssh.
      const end = (): void => {
        if (child.pid !== undefined) killWithDescendants(child.pid)
      }
      let timedOut = false
      const timer =
        timeoutMs === 0
          ? undefined
          : setTimeout(() => {
              timedOut = true
              end()
            }, timeoutMs)
      signal?.addEventListener('abort', end, { once: true })
      if (signal?.aborted === true) end()
      // Git can fail before it has read its input.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input, encoding)
    })
}

function inWords(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`
}

/** Removes logins from addresses of remotes: `https://user:password@host`. */
export function withoutPasswords(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi, '$1')
}

/** Returns git's output without the line end. Rejects if git fails. */
export async function ask(git: Git, ...args: readonly string[]): Promise<string> {
  const { ok, stdout, error } = await git(args)
  if (!ok) throw new Error(`git ${args[0]} failed: ${error}`)
  return stdout.trimEnd()
}

/** Returns git's output, or `null` if git fails. */
export async function tryAsk(git: Git, ...args: readonly string[]): Promise<string | null> {
  const { ok, stdout } = await git(args)
  return ok ? stdout.trimEnd() : null
}
