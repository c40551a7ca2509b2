import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Log } from '../ports/log.ts'
import { endProcessTree, isTreeAlive, type ProcessTree, processStart } from '../process/process-tree.ts'

/*
 * A supervisor that is killed leaves its agent running, and nobody would end it. So each attempt writes down which
 * processes are its own, beside its log, and the next supervisor ends those that are still there.
 */

const SUFFIX = '.pid'
/** An agent that outlived its supervisor has had its time: it gets less of it than at a timeout. */
const GRACE_MS = 2000

const noteSchema = z.object({
  pid: z.number().int().min(2),
  start: z.string().nullable(),
  marker: z.uuid(),
}) satisfies z.ZodType<ProcessTree>

/** The note's path for an attempt whose output goes to `logFile`. */
export function noteFor(logFile: string): string {
  return `${logFile.replace(/\.log$/, '')}${SUFFIX}`
}

/** Notes the running tree. Written at once, before anything else can happen; a failure is logged and nothing more. */
export function noteRunning(note: string, tree: ProcessTree, log: Log): void {
  try {
    mkdirSync(dirname(note), { recursive: true, mode: 0o700 })
    writeFileSync(note, JSON.stringify(tree), { mode: 0o600 })
  } catch (error) {
    log.warn('a running agent could not be noted; a crash would leave it running', {
      note,
      error: String(error),
    })
  }
}

/** Takes the note away when the tree has ended. */
export function noteEnded(note: string, log: Log): void {
  try {
    rmSync(note, { force: true })
  } catch (error) {
    log.warn('the note of an ended agent could not be removed', { note, error: String(error) })
  }
}

/**
 * Ends what a supervisor that crashed left running, by the notes in `attemptsDirectory`; resolves with how many trees that
 * were. A process is touched only if it carries the tree's marker, or is that very program (same pid and same start) or
 * one of its group. Must not run while attempts of this folder do. Never rejects.
 */
export async function endLeftovers(attemptsDirectory: string, log: Log): Promise<number> {
  const names = await readdir(attemptsDirectory).catch((): string[] => [])
  const notes = names.filter((name) => name.endsWith(SUFFIX)).map((name) => join(attemptsDirectory, name))
  const ended = await Promise.all(notes.map((note) => endLeftover(note, log)))
  return ended.filter(Boolean).length
}

async function endLeftover(note: string, log: Log): Promise<boolean> {
  const tree = await readNote(note)
  let wasRunning = false
  if (tree !== null) {
    const isSame = tree.start !== null && processStart(tree.pid) === tree.start
    const known: ProcessTree = { ...tree, pid: isSame ? tree.pid : null }
    wasRunning = isTreeAlive(known)
    if (wasRunning)
      log.warn('ending an agent that a crashed supervisor left running', { note, pid: tree.pid })
    if (wasRunning && !(await endProcessTree(known, GRACE_MS)))
      log.error('an agent that a crashed supervisor left running could not be ended', { note, pid: tree.pid })
  }
  await rm(note, { force: true }).catch(() => undefined)
  return wasRunning
}

async function readNote(note: string): Promise<z.infer<typeof noteSchema> | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(note, 'utf8')))
  } catch {
    // Cut off by the crash itself, or not ours.
    return null
  }
}
