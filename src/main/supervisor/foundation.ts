import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttemptResult, RestingFile } from '../../core/record/events.ts'
import { taskWords } from '../../core/record/fold-foundation.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import { isUnchanged } from '../../core/verification/completion.ts'
import { confirmedEvidence } from '../../core/verification/evidence.ts'
import { relativePath } from '../../core/verification/file-claims.ts'
import type { FileDifference, VerdictDecision, VerdictInput } from '../../core/verification/types.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'

type RestingFiles = AttemptResult['restsOn']

/** A verdict that rests on more or larger files has to be earned anew. */
const MAX_FILES = 50
const MAX_FILE_BYTES = 8 * 1024 * 1024

/**
 * Whether the task's last verdict was `verified` on the files that it named, and neither they nor the task have changed since. Nothing
 * may have changed in this attempt either: what did is judged as new work.
 */
export async function stillStands(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  work: FileDifference,
): Promise<boolean> {
  const { restsOn } = taskHistory(ports.ledger.state, task.id)
  if (restsOn === undefined || restsOn.task !== taskWords(task) || !isUnchanged(work)) return false
  const now = await digests(
    ports.directory,
    restsOn.files.map(({ path }) => path),
  )
  return restsOn.files.every(({ path, sha256 }) => now.get(path) === sha256)
}

/** The files that a verdict without a measurement rests on, as they are now; none where something was measured. */
export async function restingFiles(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  input: VerdictInput,
  { verdict, scoresNothing }: VerdictDecision,
): Promise<RestingFiles> {
  if (verdict !== 'verified' || input.hint.kind === 'expression') return []
  // The last verdict stands, and with it what it rests on.
  if (scoresNothing) return [...(taskHistory(ports.ledger.state, task.id).restsOn?.files ?? [])]
  const paths = confirmedEvidence(input).map((path) => relativePath(path, ports.directory))
  if (paths.length > MAX_FILES) return []
  return filesAsNow(ports.directory, paths)
}

/** These files, as a verdict over them as they are now rests on them; more than it can rest on are left out. */
export async function filesAsNow(directory: string, paths: readonly string[]): Promise<RestingFile[]> {
  const found = await digests(directory, paths.slice(0, MAX_FILES))
  return [...found].map(([path, sha256]) => ({ path, sha256 }))
}

/** By path; what is no regular file, too large or not readable is left out. */
async function digests(directory: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly [string, string][]> => {
      try {
        const stats = await lstat(join(directory, path))
        if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return []
        const bytes = await readFile(join(directory, path))
        return [[path, createHash('sha256').update(bytes).digest('hex')]]
      } catch {
        return []
      }
    }),
  )
  return new Map(found.flat())
}
