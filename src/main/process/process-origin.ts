import { hasVariable, processNumbers, readProcess } from './process-identity.ts'
import { SUPERVISOR_VARIABLE } from './supervisor-tag.ts'

/** Where a process comes from, as far as the kernel tells. */
export interface ProcessOrigin {
  readonly pid: number
  /** Its command's name. */
  readonly name: string
  /** It, or one that it descends from, was started by the supervisor of the data folder with this tag. */
  readonly isSupervised: boolean
  /** It, or one that it descends from, has a terminal. */
  readonly hasTerminal: boolean
}

const MAX_ANCESTORS = 64

/**
 * Where the process comes from; `null` where it is gone, or the system does not tell (only Linux does). Without a
 * tag: of any data folder.
 */
export function processOrigin(pid: number, tag: string | null): ProcessOrigin | null {
  let name: string | null = null
  let isSupervised = false
  let hasTerminal = false
  let next = pid
  for (let depth = 0; depth < MAX_ANCESTORS && next > 1; depth++) {
    const entry = readProcess(next)
    if (entry === null || entry.isZombie) break
    name ??= entry.name
    isSupervised ||= hasVariable(next, SUPERVISOR_VARIABLE, tag)
    hasTerminal ||= entry.hasTerminal
    next = entry.parent
  }
  return name === null ? null : { pid, name, isSupervised, hasTerminal }
}

/** Processes that carry the tag and are still alive. */
export function supervisedProcesses(tag: string): readonly number[] {
  return processNumbers().filter((pid) => pid !== process.pid && hasVariable(pid, SUPERVISOR_VARIABLE, tag))
}
