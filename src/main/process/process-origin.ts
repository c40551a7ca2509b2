import { readdir, readFile } from 'node:fs/promises'
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

/** Where the process comes from; `null` where it is gone, or the system does not tell (only Linux does). */
export async function processOrigin(pid: number, tag: string): Promise<ProcessOrigin | null> {
  if (process.platform !== 'linux') return null
  let name: string | null = null
  let isSupervised = false
  let hasTerminal = false
  let next = pid
  for (let depth = 0; depth < MAX_ANCESTORS && next > 1; depth++) {
    const stat = await statOf(next)
    if (stat === null) break
    name ??= stat.name
    isSupervised ||= await carries(next, tag)
    hasTerminal ||= stat.terminal !== 0
    next = stat.parent
  }
  return name === null ? null : { pid, name, isSupervised, hasTerminal }
}

/** Processes that carry the tag and are still alive. */
export async function supervisedProcesses(tag: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const names = await readdir('/proc').catch((): string[] => [])
  const found: number[] = []
  for (const name of names) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    if (await carries(Number(name), tag)) found.push(Number(name))
  }
  return found
}

async function carries(pid: number, tag: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
    return environment.split('\0').includes(`${SUPERVISOR_VARIABLE}=${tag}`)
  } catch {
    // Another user's, or gone.
    return false
  }
}

/** `/proc/PID/stat` is `pid (name) state ppid pgrp session tty …`, and the name may hold spaces and parentheses. */
async function statOf(pid: number): Promise<{ name: string; parent: number; terminal: number } | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      terminal: Number(fields[4]),
    }
  } catch {
    return null
  }
}
