import type { ChildProcess, StdioOptions } from 'node:child_process'
import { resolve as resolvePath } from 'node:path'
import spawn from 'cross-spawn'
import type { Containment, ProcessStart } from '../ports/containment.ts'
import { childEnvironment } from './child-environment.ts'
import { accompaniedBy, firstWords, hasBegun, notContained, withBeginning } from './contained-beginning.ts'
import { findProgram } from './find-program.ts'
import { withoutInherited } from './inherited-handles.ts'
import { MARKER_VARIABLE } from './process-tree.ts'
import { type ProcessFailure, startFailure } from './start-failure.ts'
import { noteGone, noteStarted } from './started-programs.ts'
import { supervisorVariables } from './supervisor-tag.ts'

/*
 * cross-spawn is node:child_process with support for Windows' .cmd shims (which agents installed by npm have). execa would add
 * little here: it kills only the direct child, and truncates or kills at its output limit instead of keeping head and tail.
 */

export interface ChildRequest {
  /** Program and arguments, never passed to a shell. A relative path with a `/` in it is resolved from `directory`. */
  readonly command: readonly string[]
  /** Absolute path of the working directory. */
  readonly directory: string
  /** Added to the inherited environment (see `childEnvironment`); `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Its sandbox; if omitted, there is none. */
  readonly containment?: Containment
  /** `false`: runs as the operator's own program; neither its environment nor the host says that it was started here. */
  readonly isSupervised?: false
  /** A command started next to it in its sandbox, once a line is written to the socket `COMPANION`, which connects to it. */
  readonly companion?: readonly string[]
}

/** How the program itself ended, whatever it left behind. */
export interface Exit {
  /** `null` if it was ended by a signal. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running program. */
export interface SpawnedChild {
  readonly pid: number
  readonly process: ChildProcess
  readonly exited: Promise<Exit>
  /** Resolves when the program has exited and its output pipes are closed. */
  readonly closed: Promise<void>
}

/**
 * Starts a program as the leader of a process group, with `marker` in its environment. Calls `onSpawning` with the process before
 * any of its output can arrive. Resolves once it runs, or with why it does not; never rejects.
 */
export async function spawnChild(
  request: ChildRequest,
  marker: string,
  stdio: StdioOptions,
  onSpawning: (process: ChildProcess) => void,
): Promise<SpawnedChild | ProcessFailure> {
  const [name = '', ...programArguments] = request.command
  const program = /[\\/]/.test(name) ? resolvePath(request.directory, name) : name
  // Some programs (OpenCode) work in PWD, which would otherwise be our directory.
  const env = childEnvironment({
    PWD: request.directory,
    OLDPWD: undefined,
    ...request.env,
    [MARKER_VARIABLE]: marker,
    ...(request.isSupervised === false ? {} : supervisorVariables()),
  })
  try {
    const plain = { command: [program, ...programArguments], directory: request.directory, env }
    const start =
      request.containment === undefined
        ? plain
        : await within(request.containment, plain, name, request.companion)
    if ('kind' in start) return start
    const [first = '', ...rest] = start.command
    const process = spawn(first, rest, {
      cwd: request.directory,
      env: { ...start.env },
      detached: globalThis.process.platform !== 'win32',
      stdio: withoutInherited(stdioOf(request, stdio)),
      windowsHide: true,
    })
    const { pid } = process
    if (pid !== undefined && request.isSupervised !== false)
      noteStarted(pid, request.directory, (path) => request.containment?.canWrite?.(path) ?? true)
    const exited = new Promise<Exit>((resolve) => {
      process.once('exit', (exitCode, signal) => {
        if (pid !== undefined) noteGone(pid)
        request.containment?.sweep?.()
        resolve({ exitCode, signal })
      })
    })
    const closed = new Promise<void>((resolve) => process.once('close', () => resolve()))
    onSpawning(process)
    const words = request.containment === undefined ? () => '' : firstWords(process)
    await new Promise<void>((resolve, reject) => {
      process.once('spawn', resolve)
      process.once('error', reject)
    })
    if (pid === undefined) throw new Error('the system gave it no process id')
    // Errors after the start come from signals we could not send: nothing to do, but an unhandled one would throw.
    process.on('error', () => {})
    if (request.containment !== undefined && !(await hasBegun(process, closed)))
      return notContained(name, words())
    return { pid, process, exited, closed }
  } catch (error) {
    return startFailure(error, name, program)
  }
}

/** Returns the sandboxed start of a program; a missing program is reported as usual. */
async function within(
  containment: Containment,
  start: ProcessStart,
  name: string,
  companion?: readonly string[],
): Promise<ProcessStart | ProcessFailure> {
  const [path = ''] = start.command
  const program =
    containment.hasProgram?.(path) === true ? path : await findProgram(name, start.directory, start.env)
  if (typeof program !== 'string') return program
  const command = [program, ...start.command.slice(1)]
  if (companion === undefined) return containment.wrap({ ...start, command })
  return containment.wrap({
    ...start,
    command: accompaniedBy(companion, '/bin/sh', command),
    isAccompanied: true,
  })
}

function stdioOf({ containment, companion }: ChildRequest, stdio: StdioOptions): StdioOptions {
  if (containment === undefined) return stdio
  const all = withBeginning(stdio)
  return companion === undefined || !Array.isArray(all) ? all : [...all, 'pipe']
}

/** Returns whether we start a program that runs the actual one inside a namespace. */
export function keeps(containment: Containment | undefined): boolean {
  return containment !== undefined && containment.means !== 'seatbelt'
}
