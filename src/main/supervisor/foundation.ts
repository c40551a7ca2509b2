import { createHash } from 'node:crypto'
import type { AttemptResult, RestingFile } from '../../core/record/events.ts'
import { KEPT_PATHS, taskWords } from '../../core/record/fold-foundation.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import { isUnchanged } from '../../core/verification/completion.ts'
import { changedPaths, isOperatorFile } from '../../core/verification/difference.ts'
import { confirmedEvidence } from '../../core/verification/evidence.ts'
import { liesInside, relativePath } from '../../core/verification/file-claims.ts'
import { isNamedBy } from '../../core/verification/path-index.ts'
import type { VerdictDecision, VerdictInput } from '../../core/verification/types.ts'
import { groundOf, lookBeneath, readBeneath } from '../files/beneath.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'

type RestingFiles = AttemptResult['restsOn']

/** Larger ones are known by size and time: they are looked at after every attempt. */
const MAX_FILE_BYTES = 8 * 1024 * 1024
/** In place of a digest. */
const ABSENT = 'absent'
const BY_TIME = 'stat:'

/**
 * Whether the task's last verdict was `verified`, and neither what it rests on nor the task has changed since. What
 * this attempt names and has changed is judged as new work; so is, where a judge can tell, whatever else a run for this
 * task alone has changed.
 */
export async function stillStands(
  { ports, config }: CycleContext,
  { task }: PlannedAttempt,
  input: VerdictInput,
  tasksInRun: number,
): Promise<boolean> {
  const { restsOn } = taskHistory(ports.ledger.state, task.id)
  if (restsOn === undefined || restsOn.task !== taskWords(task)) return false
  const isJudged = config.judge !== null && tasksInRun === 1 && !isUnchanged(input.work ?? input.difference)
  if (isJudged || confirmedEvidence(input).length > 0) return false
  for (const { path, sha256 } of restsOn.files)
    if ((await stampOf(ports.directory, path, sha256.startsWith(BY_TIME))) !== sha256) return false
  return true
}

/** What a verdict without a measurement rests on, as it is now; nothing where something was measured. */
export async function restingFiles(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  input: VerdictInput,
  { verdict, scoresNothing }: VerdictDecision,
): Promise<RestingFiles> {
  if (verdict !== 'verified' || input.hint.kind === 'expression') return []
  // The last verdict stands, and with it what it rests on.
  if (scoresNothing) return [...(taskHistory(ports.ledger.state, task.id).restsOn?.files ?? [])]
  const work = input.work ?? input.difference
  const gone = new Set([...work.deleted, ...work.renamed.map(({ from }) => from)])
  return filesAsNow(ports.directory, restingPaths(input, ports.directory), gone)
}

/**
 * What the agent named of what changed; else all that changed; else, where only git does not look, what it claims to
 * have written.
 */
function restingPaths(input: VerdictInput, directory: string): readonly string[] {
  const changed = changedPaths(input.work ?? input.difference)
  const names = new Set(confirmedEvidence(input).map((path) => relativePath(path, directory)))
  const named = names.size === 0 ? [] : changed.filter((path) => isNamedBy(path, names))
  if (named.length > 0) return named
  const work = changed.filter((path) => !isOperatorFile(path))
  if (work.length > 0) return work
  const claimed = input.claim.files.map(({ path }) => relativePath(path, directory))
  return claimed.filter(liesInside)
}

/**
 * These files, as a verdict over them as they are now rests on them. What is not there is left out, unless it is to be
 * `gone`.
 */
export async function filesAsNow(
  directory: string,
  paths: readonly string[],
  gone: ReadonlySet<string> = new Set(),
): Promise<RestingFile[]> {
  const files: RestingFile[] = []
  // One after the other: the files are an agent's, and may be large.
  for (const path of [...new Set(paths)].slice(0, KEPT_PATHS)) {
    const sha256 = await stampOf(directory, path)
    if (sha256 !== null && (sha256 !== ABSENT || gone.has(path))) files.push({ path, sha256 })
  }
  return files
}

/**
 * The digest of a file's content, or what stands for it; `null` where it is neither file nor link, or cannot be read.
 */
async function stampOf(directory: string, path: string, byTime = false): Promise<string | null> {
  const found = await lookBeneath(groundOf(directory), path, 'keep')
  if (found.kind === 'free' || found.kind === 'missing') return ABSENT
  if (found.kind !== 'found') return null
  const { stats, target } = found
  if (target !== null) return digest(target)
  if (!stats.isFile()) return null
  if (byTime || stats.size > MAX_FILE_BYTES) return `${BY_TIME}${stats.size},${stats.mtimeMs}`
  const reading = await readBeneath(groundOf(directory), path, MAX_FILE_BYTES, { last: 'keep' })
  if (reading.ok) return digest(reading.bytes)
  return reading.code === 'ENOENT' ? ABSENT : null
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
