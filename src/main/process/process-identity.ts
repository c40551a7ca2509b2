import { readdirSync, readFileSync } from 'node:fs'
import { errorCode } from '../files/storage-error.ts'

/** A process as `/proc` shows it. */
export interface ProcessEntry {
  readonly pid: number
  /** Its command's name. */
  readonly name: string
  /** Ended, and not yet waited for by its parent. */
  readonly isZombie: boolean
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly hasTerminal: boolean
  /** Clock ticks since boot. */
  readonly startTicks: number
}

/** The process with this number; `null` where there is none, or no `/proc` (only Linux has one). */
export function readProcess(pid: number): ProcessEntry | null {
  let stat: string
  try {
    // As UTF-8, which is read at one blow: all processes are looked at each time that one has ended.
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // `pid (name) state ppid pgrp session tty … starttime`, by proc(5); the name may hold spaces and parentheses.
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

/** The numbers of all processes that `/proc` shows; empty where there is none. */
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
 * Whether the process was started with `variable` set to `value`, or to anything where that is null; false where
 * it is gone, or another user's.
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
 * When a process started, in a form that is equal only for the same process: pids are reused, pid and start are
 * not. `null` where there is no such process or the platform cannot tell.
 */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') {
    const entry = readProcess(pid)
    const boot = machineBoot()
    return entry === null || boot === null ? null : `${boot}/${entry.startTicks}`
  }
  if (process.platform === 'win32') return null
  try {
    // Only here: every command looks at a process, and what starts one takes a while to load.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

/** The ticks in what `processStart` said; 0 where it said nothing. */
export function ticksOf(start: string | null): number {
  return Number(start?.split('/')[1] ?? 0)
}

/**
 * Whether the process that noted `pid` and `start` (of `processStart`; null where it was not known) still runs.
 * Without a start time a stranger that was given the same number counts as that process. Only processes that this
 * one can see count: one in another container looks ended.
 */
export function isProcessRunning(pid: number, start: string | null): boolean {
  const current = processStart(pid)
  if (current !== null) return (start === null || start === current) && readProcess(pid)?.isZombie !== true
  if (processStart(process.pid) !== null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, as somebody else.
    return errorCode(error) === 'EPERM'
  }
}

/** What is the same until the machine starts anew; `null` where the platform cannot tell (only Linux does). */
export function machineBoot(): string | null {
  try {
    knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return null
  }
  return knownBootId
}

let knownBootId: string | null = null

/** How often the kernel has ended a process for want of memory since the machine started; `null` where it does not say (only Linux does). */
export function oomKills(): number | null {
  try {
    const found = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1]
    return found === undefined ? null : Number(found)
  } catch {
    return null
  }
}
