import { readdirSync, readFileSync } from 'node:fs'
import { errorCode } from '../files/storage-error.ts'

/** A process as `/proc` shows it. */
export interface ProcessEntry {
  readonly pid: number
  /** Its command's name. */
  readonly name: string
  /** True if it has ended, but its parent has not waited for it yet. */
  readonly isZombie: boolean
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly hasTerminal: boolean
  /** Clock ticks since boot. */
  readonly startTicks: number
}

/** Returns the process with this number; `null` if there is none, or no `/proc` (only Linux has one). */
export function readProcess(pid: number): ProcessEntry | null {
  let stat: string
  try {
    // As UTF-8, which is fast to decode: all processes are read each time one has ended.
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // `pid (name) state ppid pgrp session tty … starttime`, from proc(5); the name may contain spaces and parentheses.
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, end),
    isZombie: 'ZXx'.includes(fields[0] ?? ''),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    hasTerminal: fields[4] !== '0',
    startTicks: Number(fields[19]),
  }
}

/** Returns the numbers of all processes in `/proc`; empty if there is none. */
export function processNumbers(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/**
 * Returns whether the process was started with `variable` set to `value`, or to anything if that is null; false if it is gone, or
 * another user's.
 */
export function hasVariable(pid: number, variable: string, value: string | null): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return value === null
      ? variables.some((each) => each.startsWith(`${variable}=`))
      : variables.includes(`${variable}=${value}`)
  } catch {
    return false
  }
}

/**
 * Returns when a process started, in a form that is equal only for the same process: pids are reused, pid and start are not.
 * `null` if there is no such process or the platform cannot tell.
 */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') {
    const entry = readProcess(pid)
    const boot = machineBoot()
    return entry === null || boot === null ? null : `${boot}/${entry.startTicks}`
  }
  if (process.platform === 'win32') return null
  try {
    // Loaded only here: every command reads a process, and this module takes a while to load.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

/** Returns the ticks in the result of `processStart`; 0 if it is null. */
export function ticksOf(start: string | null): number {
  return Number(start?.split('/')[1] ?? 0)
}

/**
 * Returns whether the process that noted `pid` and `start` (from `processStart`; null if unknown) still runs. Without a start
 * time, an unrelated process with the same number counts as that process. Only sees processes visible to this one: one in another
 * container looks ended.
 */
export function isProcessRunning(pid: number, start: string | null): boolean {
  const current = processStart(pid)
  if (current !== null) return (start === null || start === current) && readProcess(pid)?.isZombie !== true
  if (processStart(process.pid) !== null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs as another user.
    return errorCode(error) === 'EPERM'
  }
}

/** Returns an id that is the same until the machine restarts; `null` if the platform cannot tell (only Linux can). */
export function machineBoot(): string | null {
  try {
    knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return null
  }
  return knownBootId
}

let knownBootId: string | null = null

/** Returns how often the kernel has killed a process for lack of memory since boot; `null` if unknown (only Linux tells). */
export function oomKills(): number | null {
  try {
    const found = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1]
    return found === undefined ? null : Number(found)
  } catch {
    return null
  }
}
