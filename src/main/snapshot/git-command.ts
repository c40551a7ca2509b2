import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { dirname, join, resolve as resolvePath, sep } from 'node:path'
import { GIT_OF_CHECKS } from '../../core/custody/git-view.ts'
import { lstatSync, realpathSync } from '../files/names.ts'
import { childEnvironment } from '../process/child-environment.ts'
import { gitVariables } from './git-environment.ts'
import { whyNoGit } from './git-program.ts'
import { type GitCall, gitRoom } from './git-room.ts'
import { startGit } from './git-starter.ts'

export interface GitOutput {
  readonly ok: boolean
  /** `null` if git never started or was killed. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  /** Git's error output, or why it did not run: for the log and for messages to the operator. */
  readonly error: string
}

const TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
const patience = new AsyncLocalStorage<number>()

/** Does the work with another limit for each call of git. Default: 30 s. */
export function withGitTimeout<T>(timeoutMs: number, work: () => T): T {
  return patience.run(timeoutMs, work)
}

/*
 * The agent may have changed the repository's configuration. These arguments disable everything that would run a program of its choosing or
 * hide a change: fsmonitor, hooks, replaced objects, fetching (older versions of git lack the option, so no protocol is allowed), and the
 * shortcuts that make git assume a file is unchanged. The repository's location is given explicitly, so `core.worktree` and `core.bare` are
 * not used. Filters have configurable names: see `git-filters.ts`.
 */
const ARGUMENTS = [
  '--no-optional-locks',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false'].flatMap((one) => [
    '-c',
    one,
  ]),
  ...[
    'core.trustCtime=true',
    'core.checkStat=default',
    'core.ignoreStat=false',
    'core.ignoreCase=false',
    'core.untrackedCache=false',
    'core.pager=cat',
    'core.askPass=true',
    'core.sshCommand=false',
    'core.alternateRefsCommand=false',
    'credential.helper=',
    'diff.external=',
  ].flatMap((one) => ['-c', one]),
]
const VARIABLES = {
  LC_ALL: 'C',
  ...GIT_OF_CHECKS,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
}

export interface GitOptions {
  readonly input?: Buffer
  /** Settings that override those of the repository, as pairs; a name may contain any characters. */
  readonly settings?: readonly (readonly [name: string, value: string])[]
  /** Our own git folder to use instead of the repository's, with the top of its work tree. */
  readonly repository?: { readonly gitDirectory: string; readonly top: string }
}

/**
 * Returns the nearest folder at or above `directory` that contains `.git`; null if there is none, or if the folder is in git's
 * own data.
 */
export function findTop(directory: string): string | null {
  let folder = realPathOf(directory)
  if (folder.split(sep).includes('.git')) return null
  for (;;) {
    if (isThere(join(folder, '.git'))) return folder
    if (dirname(folder) === folder || isBareRepository(folder)) return null
    folder = dirname(folder)
  }
}

function realPathOf(directory: string): string {
  try {
    return realpathSync.native(directory)
  } catch {
    return resolvePath(directory)
  }
}

function isBareRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => isThere(join(folder, name)))
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Runs git in `directory` without any `GIT_…` variables we inherited. Never rejects; output is bytes. */
export async function runGit(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitOutput> {
  if (options.repository !== undefined) return execGit(directory, args, options, options.repository)
  const top = findTop(directory)
  if (top === null)
    return { ok: false, exitCode: null, stdout: Buffer.alloc(0), error: 'not a git repository' }
  return execGit(directory, args, options, { gitDirectory: join(top, '.git'), top })
}

async function execGit(
  directory: string,
  args: readonly string[],
  { input, settings = [] }: GitOptions,
  { gitDirectory, top }: NonNullable<GitOptions['repository']>,
): Promise<GitOutput> {
  const variables = {
    ...VARIABLES,
    ...Object.fromEntries(
      settings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...(settings.length > 0 && { GIT_CONFIG_COUNT: String(settings.length) }),
  }
  // An agent may replace a rules file with a pipe, which blocks every call: walk the folder instead.
  const refusal = (await whyNoGit()) ?? (isStuck(top) ? STUCK : undefined)
  if (refusal !== undefined) return { ok: false, exitCode: null, stdout: Buffer.alloc(0), error: refusal }
  const words = [`--git-dir=${gitDirectory}`, `--work-tree=${top}`, ...ARGUMENTS, ...args]
  const limits = { timeoutMs: patience.getStore() ?? TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES }
  const call = { directory, args: words, variables, input, ...limits }
  const result = (await gitRoom()?.run(call)) ?? (await startGit(call, openEnvironment()))
  if (result === null) return execOpenly(call, top)
  const { exitCode, stdout, stderr } = result
  if (result.timedOut === true) noteStuck(top)
  // Node.js's message if git printed none.
  const error = exitCode === 0 ? '' : stderr.trim() || `Command failed: git ${args.join(' ')}`
  return { ok: exitCode === 0, exitCode, stdout, error }
}

const STUCK = 'git did not finish in time here'
/** Longer than one snapshot takes, but short enough that the next heartbeat asks git again. */
const STUCK_MS = 3 * 60_000
/** Work trees in which git did not finish, with the time until which it is not called again. */
const stuck = new Map<string, number>()

function isStuck(top: string): boolean {
  const until = stuck.get(top)
  if (until === undefined || until > performance.now()) return until !== undefined
  stuck.delete(top)
  return false
}

function noteStuck(top: string): void {
  stuck.set(top, performance.now() + STUCK_MS)
}

/** Environment for git outside a sandbox. */
function openEnvironment(): Record<string, string> {
  return childEnvironment(gitVariables())
}

/** Runs git like any program. */
function execOpenly(
  { directory, args, variables, input, timeoutMs, maxBytes }: GitCall,
  top: string,
): Promise<GitOutput> {
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      [...args],
      {
        cwd: directory,
        env: { ...openEnvironment(), ...variables },
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxBytes,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error?.killed === true && error.signal === 'SIGKILL') noteStuck(top)
        const said = stderr.toString('utf8').trim()
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null
        resolve({ ok: exitCode === 0, exitCode, stdout, error: error === null ? '' : said || error.message })
      },
    )
    // git may fail before it has read its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
