import { readFile } from 'node:fs/promises'
import { errorCode } from '../files/storage-error.ts'

/**
 * When a process started, as a text that no other process with the same number has ever had: boot and start tick. Null where
 * the system does not tell (only Linux does, through /proc) or no such process runs; a zombie no longer runs.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // `pid (name) state ppid …`: the name may hold spaces and parentheses, so count from the last one.
    // Fields from there on: state is the first (3 in proc(5)), starttime the twentieth (22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTicks] = [fields[0], fields[19]]
    if (state === undefined || startTicks === undefined || 'ZXx'.includes(state)) return null
    return `${boot.trim()}/${startTicks}`
  } catch {
    return null
  }
}

/**
 * Whether the process that noted `pid` and `start` (of `processStart`; null where it was not known) still runs. Without a
 * start time a stranger that was given the same number counts as that process. Only processes that this one can see count:
 * one in another container looks ended.
 */
export async function isProcessRunning(pid: number, start: string | null): Promise<boolean> {
  const current = await processStart(pid)
  if (current !== null) return start === null || start === current
  if ((await processStart(process.pid)) !== null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, as somebody else.
    return errorCode(error) === 'EPERM'
  }
}
