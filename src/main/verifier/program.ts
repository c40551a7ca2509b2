import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { asksRemote, GIT_ASKING_REMOTE } from '../../core/custody/git-view.ts'
import { readsTree } from '../../core/judgement/reuse.ts'
import { companyOf, type RunningCheck } from '../../core/judgement/side-by-side.ts'
import type { MeasuredCheck } from '../../core/record/costs.ts'
import type { ReusableCheck, ReuseCheck } from '../ports/check-memory.ts'
import type { CheckVariables } from '../ports/check-variables.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain, Containment } from '../ports/containment.ts'
import type { CheckRoom, EarlierFiles } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import type { WatchCheck } from '../ports/verifier.ts'
import { checkEnvironment } from '../process/check-environment.ts'
import { type ProcessRun, runProcess } from '../process/run-process.ts'
import type { CheckTurns } from './check-turns.ts'

/** Where the verifier looks, and the tools that it uses. */
export interface VerifierWorld {
  /** Absolute path of the workspace. */
  readonly directory: string
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  /** Returns the path of the program that a check's first word meant when it was approved; null or omitted: looked up now, on PATH. */
  readonly resolveProgram?: (program: string) => string | null
  /** The sandbox for programs; omitted: none. */
  readonly contain?: Contain
  /** The folder in which each program is recorded while it runs; omitted: they aren't. */
  readonly notes?: { readonly directory: string; readonly log: Log }
  /** The sandbox role of its programs; a check's unless given. */
  readonly role?: 'check' | 'judge'
  /** The clean room in which commands run; omitted: the workspace itself. */
  readonly room?: Pick<CheckRoom, 'enter' | 'copy' | 'uncovered' | 'hasProgram' | 'prepared'>
  /** What files that are read without a command count as containing; omitted: their actual content. */
  readonly earlier?: EarlierFiles
  /** Records how long each check takes; omitted: not measured. */
  readonly watch?: WatchCheck
  /** Uses known answers of checks that read the tree; omitted: every check is run. */
  readonly reuse?: ReuseCheck
  /** Lets checks run concurrently, or one at a time; omitted: none waits for another. */
  readonly turns?: { readonly of: CheckTurns; readonly limit: number }
}

/** Runs a check, and times it if required. */
export function watched<T>(
  { watch }: VerifierWorld,
  check: MeasuredCheck,
  run: () => Promise<T>,
): Promise<T> {
  return watch === undefined ? run() : watch(check, run)
}

/** A check whose answer may depend on the tree alone. */
interface TreeCheck<Answer> extends MeasuredCheck, Pick<ReusableCheck<Answer>, 'said'> {
  readonly kind: RunningCheck['kind']
  /** The source that a probe reads, as configured. */
  readonly reads?: RunningCheck['reads']
  readonly command: readonly string[]
  /** Everything else that is configured for it. */
  readonly configured: unknown
  readonly variables: CheckVariables
  readonly isReport: () => boolean | Promise<boolean>
}

/** Runs a check when it is its turn, or uses a known answer if the tree alone decides it. */
export async function reusing<Answer>(
  world: VerifierWorld,
  check: TreeCheck<Answer>,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { kind, name, command, configured, variables, said, reads } = check
  const reach = { kind, reads, isReport: await check.isReport() }
  let ranMs = 0
  const timedRun = async (): Promise<Answer> => {
    const begunMs = world.clock.monotonicMs()
    const answer = await watched(world, { kind, name }, run)
    ranMs = world.clock.monotonicMs() - begunMs
    return answer
  }
  const inTurn = (): Promise<Answer> => {
    const { turns } = world
    if (turns === undefined || command.length === 0) return timedRun()
    return turns.of.run({ key: `${kind} ${name}`, company: companyOf(reach), limit: turns.limit }, timedRun)
  }
  if (world.reuse === undefined || !readsTree(reach)) return inTurn()
  const environment = { ...process.env, ...checkEnvironment(variables) }
  const program = world.resolveProgram?.(command[0] ?? '') ?? command[0] ?? ''
  const settings = JSON.stringify([program, command, configured, variables, environment])
  const searchPath = environment.PATH ?? ''
  return world.reuse({ kind, name, program, settings, searchPath, said, ranMs: () => ranMs }, inTurn)
}

/** How a check's program is run. */
export interface ProgramRequest extends CheckVariables {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly stdin?: string | null
  /** How much of its output is kept; omitted: `MAX_READ_BYTES`. */
  readonly maxBytes?: number
  /** Where else it must be able to write, besides the workspace. */
  readonly writable?: readonly string[]
}

/** The most that is read from a probe, a file or a judge's answer: state to compare, not data to process. */
export const MAX_READ_BYTES = 1024 * 1024

const MAX_DETAIL_LINES = 10
const MAX_DETAIL_CHARACTERS = 1500

/**
 * Runs an approved program in the workspace, without a shell, with limited output and without environment variables that would
 * affect it. Never rejects.
 */
export async function runProgram(
  world: VerifierWorld,
  command: readonly string[],
  { timeoutMs, signal, stdin = null, env, envFrom, maxBytes = MAX_READ_BYTES, writable = [] }: ProgramRequest,
): Promise<ProcessRun> {
  const { clock, resolveProgram, room } = world
  const [program = '', ...given] = command
  const resolved = resolveProgram?.(program) ?? program
  const started = room?.prepared?.([resolved, ...given]) ?? [resolved, ...given]
  const copy = room?.copy ?? null
  const containment = await containmentOf(
    world,
    [resolved, ...given],
    copy === null ? writable : [...writable, copy],
  )
  // If the room is a copy, the program is sandboxed there; if it is an overlay, it wraps the sandbox.
  const entered = room !== undefined && (containment === null || copy !== null) ? room.enter(started) : null
  return runProcess({
    command: entered?.command ?? started,
    directory: entered?.directory ?? world.directory,
    stdin,
    timeoutMs,
    signal,
    maxBytes,
    clock,
    env: checkEnvironment({
      envFrom,
      env: { ...(containment !== null && isAskingRemote(resolved, given) && GIT_ASKING_REMOTE), ...env },
    }),
    ...(world.notes !== undefined && {
      note: { path: join(world.notes.directory, `check-${randomUUID()}.pid`), log: world.notes.log },
    }),
    ...(containment !== null && {
      containment: room === undefined || copy !== null ? containment : within(room, containment),
    }),
  })
}

function isAskingRemote(program: string, words: readonly string[]): boolean {
  return basename(program) === 'git' && asksRemote(words)
}

/** Puts the sandbox inside the room; the other way around, the room could not be created. */
function within(
  { enter, uncovered, hasProgram }: NonNullable<VerifierWorld['room']>,
  { means, wrap, canWrite }: Containment,
): Containment {
  return {
    means,
    ...(hasProgram && { hasProgram }),
    ...(canWrite && { canWrite }),
    wrap: async (start) => {
      const contained = await wrap(uncovered === undefined ? start : { ...start, uncovered })
      return { ...contained, ...enter(contained.command) }
    },
  }
}

async function containmentOf(
  { contain, role = 'check' }: VerifierWorld,
  [program = '', ...words]: readonly string[],
  writable: readonly string[],
): Promise<Containment | null> {
  const answer = (await contain?.({ kind: role, program, words }, { writable })) ?? { kind: 'open' }
  switch (answer.kind) {
    case 'open':
      return null
    case 'contained':
      return answer.containment
    case 'refused':
      // Reported as a program that could not be started, because then nothing was measured.
      return { means: 'bubblewrap', wrap: () => Promise.reject(new Error(answer.reason)) }
  }
}

/** Returns a sentence that says why a run shows nothing about the real state; null if the program ended by itself. */
export function whyNoResult(run: ProcessRun, timeoutMs: number): string | null {
  if (run.failure !== null) return run.failure.message
  if (run.timedOut) return `it had not ended after ${timeoutMs / 1000} s and was stopped`
  return run.cancelled ? 'it was stopped with the supervisor' : null
}

/** Returns the last lines a program printed, stderr after stdout, without colors; at most ten lines of each. */
export function lastWords(run: ProcessRun): string {
  const words = [run.stdout.text, run.stderr.text].map(tail).filter((text) => text !== '')
  return words.join('\n') || 'it printed nothing'
}

function tail(text: string): string {
  const lines = stripVTControlCharacters(text.slice(-4 * MAX_DETAIL_CHARACTERS))
    .trimEnd()
    .split(/\r?\n/)
  return lines.slice(-MAX_DETAIL_LINES).join('\n').slice(-MAX_DETAIL_CHARACTERS).trim()
}
