import { readlinkSync } from 'node:fs'
import { SUPERVISOR_VARIABLE } from '../../core/vocabulary/supervisor-variable.ts'
import { hasVariable, processNumbers, readProcess } from './process-identity.ts'
import { isStartedInThread, startedProgram } from './started-programs.ts'

/** Where a process comes from, according to the kernel. */
export interface ProcessOrigin {
  readonly pid: number
  /** Its command's name. */
  readonly name: string
  /** True if it, or an ancestor, was started by the supervisor of the data folder with this tag, or by this very process. */
  readonly isSupervised: boolean
  /** For a supervised one: where its supervised ancestor works, else where it works itself; `null` if unknown. */
  readonly directory: string | null
  /** True if it, or an ancestor, has a terminal. */
  readonly hasTerminal: boolean
}

const MAX_ANCESTORS = 64

/**
 * Returns where the process comes from; `null` if it is gone, or the system does not tell (only Linux does). Without a tag: of
 * any data folder.
 */
export function processOrigin(pid: number, tag: string | null): ProcessOrigin | null {
  let name: string | null = null
  let isSupervised = false
  let hasTerminal = false
  let directory: string | null = null
  let next = pid
  for (let depth = 0; depth < MAX_ANCESTORS && next > 1; depth++) {
    // A host's terminal is not one of its children's.
    if (next === process.pid && pid !== process.pid) break
    const entry = readProcess(next)
    if (entry === null || entry.isZombie) break
    name ??= entry.name
    directory ??= startedProgram(entry)?.directory ?? null
    isSupervised ||= directory !== null || hasVariable(next, SUPERVISOR_VARIABLE, tag)
    hasTerminal ||= entry.hasTerminal
    next = entry.parent
  }
  if (name === null) return null
  return {
    pid,
    name,
    isSupervised,
    hasTerminal,
    directory: directory ?? (isSupervised ? workingDirectory(pid) : null),
  }
}

function workingDirectory(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/**
 * Returns the living processes that carry the tag and can change one of the files, given as absolute paths. A process below a
 * program in a sandbox that denies writing to them cannot.
 */
export function supervisedWriters(tag: string, files: readonly string[]): readonly number[] {
  return processNumbers().filter(
    (pid) => pid !== process.pid && hasVariable(pid, SUPERVISOR_VARIABLE, tag) && canWrite(pid, files),
  )
}

function canWrite(pid: number, files: readonly string[]): boolean {
  let next = pid
  for (let depth = 0; depth < MAX_ANCESTORS && next > 1 && next !== process.pid; depth++) {
    const entry = readProcess(next)
    if (entry === null) return next !== pid
    const program = startedProgram(entry)
    if (program !== null) return files.some((file) => program.canWrite(file))
    if (isStartedInThread(entry)) return false
    next = entry.parent
  }
  return true
}
