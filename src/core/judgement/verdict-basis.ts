import type { RestingFile } from '../record/events.ts'
import { KEPT_PATHS, taskWords } from '../record/fold-foundation.ts'
import { isUnchanged } from '../verification/completion.ts'
import { changedPaths, isOperatorFile } from '../verification/difference.ts'
import { confirmedEvidence } from '../verification/evidence.ts'
import { liesInside, relativePath } from '../verification/file-claims.ts'
import { isNamedBy } from '../verification/path-index.ts'
import type { VerdictDecision, VerdictInput } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import type { WorkCase } from './case.ts'

/** The stamp of a file that does not exist. */
export const ABSENT = 'absent'
/** The prefix of a stamp made from size and time only. */
export const BY_TIME = 'stat:'

/**
 * Returns whether the task's last verdict was `verified` and neither the task nor what the verdict rests on has changed since. Whatever
 * this work names and changed is judged as new work; if there is a judge to tell, so is anything else changed by a run for this task alone.
 */
export function* isStillVerified(
  { task, history, policy, run }: WorkCase,
  input: VerdictInput,
): Asking<boolean> {
  const { restsOn } = history
  if (task === null || restsOn == null || restsOn.task !== taskWords(task.words)) return false
  const isJudged =
    policy.judge !== null && run.tasksInRun === 1 && !isUnchanged(input.work ?? input.difference)
  if (isJudged || confirmedEvidence(input).length > 0) return false
  if (restsOn.files.length === 0) return true
  const files = restsOn.files.map(({ path, sha256 }) => ({ path, byTime: sha256.startsWith(BY_TIME) }))
  const stamps = yield* ask({ kind: 'stamps', files })
  return restsOn.files.every(({ sha256 }, at) => stamps[at] === sha256)
}

/** Returns the current state of what a verdict without a measurement rests on; nothing if something was measured. */
export function* findBasis(
  { task, history, root }: WorkCase,
  input: VerdictInput,
  { verdict, scoresNothing }: VerdictDecision,
): Asking<readonly RestingFile[]> {
  if (task === null || verdict !== 'verified' || input.hint.kind === 'expression') return []
  // The last verdict still applies, with everything it rests on.
  if (scoresNothing) return [...(history.restsOn?.files ?? [])]
  const work = input.work ?? input.difference
  const gone = new Set([...work.deleted, ...work.renamed.map(({ from }) => from)])
  return yield* stampFiles(restingPaths(input, root), gone)
}

/** Returns these files with their stamps. Files that don't exist are left out, unless they are meant to be `gone`. */
export function* stampFiles(
  paths: readonly string[],
  gone: ReadonlySet<string>,
): Asking<readonly RestingFile[]> {
  const files = [...new Set(paths)].slice(0, KEPT_PATHS).map((path) => ({ path, byTime: false }))
  if (files.length === 0) return []
  const stamps = yield* ask({ kind: 'stamps', files })
  return files.flatMap(({ path }, at) => {
    const sha256 = stamps[at] ?? null
    return sha256 !== null && (sha256 !== ABSENT || gone.has(path)) ? [{ path, sha256 }] : []
  })
}

/**
 * Returns the changed files that the agent named; else all changed files; else (if only git doesn't see them) the files it claims to have
 * written.
 */
function restingPaths(input: VerdictInput, root: string): readonly string[] {
  const changed = changedPaths(input.work ?? input.difference)
  const names = new Set(confirmedEvidence(input).map((path) => relativePath(path, root)))
  const named = names.size === 0 ? [] : changed.filter((path) => isNamedBy(path, names))
  if (named.length > 0) return named
  const work = changed.filter((path) => !isOperatorFile(path))
  if (work.length > 0) return work
  const claimed = input.claim.files.map(({ path }) => relativePath(path, root))
  return claimed.filter(liesInside)
}
