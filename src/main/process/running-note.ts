import { mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'
import { errorCode } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'
import { machineBoot, processStart } from './process-identity.ts'
import { endProcessTree, isTreeAlive, type ProcessTree } from './process-tree.ts'

/*
 * A supervisor that is killed leaves what it started running, and nothing would stop it. So it notes each agent and each check,
 * beside the attempt's log and before it starts: first only the marker, then the process. The next supervisor kills those that
 * are still there, and sees from the machine's boot id whether the machine went down with the last one.
 */

const SUFFIX = '.pid'
/** Suffix of a note that is being written. */
const UNFINISHED = '.new'
/** An agent that outlived its supervisor gets less time than at a timeout. */
const GRACE_MS = 2000

const noteSchema = z.object({
  pid: z.int().min(2).nullable(),
  start: z.string().nullable(),
  marker: z.uuid(),
  hasKeeper: z.boolean().optional(),
  boot: z.string().nullable().default(null),
}) satisfies z.ZodType<ProcessTree>

/** Where a start is noted, and where a failure to note it is logged. */
export interface RunningNote {
  readonly path: string
  readonly log: Log
}

export interface Leftovers {
  /** How many trees were still running. */
  readonly ended: number
  /** True if the supervisor ended while something was running, and the machine stayed up. */
  readonly diedAlone: boolean
  /** True if everything it ran was in namespaces that nothing outside can kill. */
  readonly isContained: boolean
}

/** Returns the note's path for an attempt whose output goes to `logFile`. */
export function noteFor(logFile: string): string {
  return `${logFile.replace(/\.log$/, '')}${SUFFIX}`
}

/**
 * Notes the running tree. Synchronous and atomic: if we are killed during the write, the previous note remains. A failure is only
 * logged.
 */
export function noteRunning(note: string, tree: ProcessTree, log: Log): void {
  try {
    mkdirSync(dirname(note), { recursive: true, mode: 0o700 })
    writeFileSync(note + UNFINISHED, JSON.stringify({ ...tree, boot: machineBoot() }), { mode: 0o600 })
    renameSync(note + UNFINISHED, note)
  } catch (error) {
    log.warn('a running agent could not be noted; a crash would leave it running', {
      note,
      error: String(error),
    })
  }
}

/** Removes the note once the tree has ended. */
export function noteEnded(note: string, log: Log): void {
  try {
    unlinkSync(note)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    log.warn('the note of an ended agent could not be removed', { note, error: String(error) })
  }
}

/**
 * Kills what a crashed supervisor left running, according to the notes in `attemptsDirectory`; resolves with what it was. Touches
 * a process only if it carries the tree's marker, or is that very program (same pid and start) or one of its group. Must not run
 * while attempts of this folder do. Never rejects.
 */
export async function endLeftovers(attemptsDirectory: string, log: Log): Promise<Leftovers> {
  const names = await readdir(attemptsDirectory).catch((): string[] => [])
  const named = (ending: string) =>
    names.filter((name) => name.endsWith(ending)).map((name) => join(attemptsDirectory, name))
  const notes = named(SUFFIX)
  // Killed before the first note was complete: nothing had been started yet.
  await Promise.all(
    named(SUFFIX + UNFINISHED).map((path) => rm(path, { force: true }).catch(() => undefined)),
  )
  const ended = await Promise.all(notes.map((note) => endLeftover(note, log)))
  return {
    ended: ended.filter(({ wasRunning }) => wasRunning).length,
    diedAlone: ended.some(({ isSameBoot }) => isSameBoot),
    isContained: ended.length > 0 && ended.every(({ hasKeeper }) => hasKeeper),
  }
}

async function endLeftover(
  note: string,
  log: Log,
): Promise<{ readonly wasRunning: boolean; readonly isSameBoot: boolean; readonly hasKeeper: boolean }> {
  const tree = await readNote(note)
  let wasRunning = false
  if (tree !== null) {
    const isSame = tree.pid !== null && tree.start !== null && processStart(tree.pid) === tree.start
    const known: ProcessTree = { ...tree, pid: isSame ? tree.pid : null }
    wasRunning = isTreeAlive(known)
    if (wasRunning)
      log.warn('killing an agent that a crashed supervisor left running', { note, pid: tree.pid })
    if (wasRunning && !(await endProcessTree(known, GRACE_MS)))
      log.error('an agent that a crashed supervisor left running could not be killed', {
        note,
        pid: tree.pid,
      })
  }
  await rm(note, { force: true }).catch(() => undefined)
  return {
    wasRunning,
    isSameBoot: tree !== null && tree.boot !== null && tree.boot === machineBoot(),
    hasKeeper: tree?.hasKeeper === true,
  }
}

async function readNote(note: string): Promise<z.infer<typeof noteSchema> | null> {
  // Truncated by the crash itself, or not ours.
  return readJson(noteSchema, await readFile(note, 'utf8').catch(() => ''))
}
