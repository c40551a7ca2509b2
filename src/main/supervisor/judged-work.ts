import type { AttemptResult, JudgedWork, RestingFile } from '../../core/record/events.ts'
import { claimedDone, KEPT_PATHS } from '../../core/record/fold-foundation.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import { isOperatorFile } from '../../core/verification/difference.ts'
import { liesInside, relativePath } from '../../core/verification/file-claims.ts'
import { isNamedBy } from '../../core/verification/path-index.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import type { Ledger } from '../ports/ledger.ts'
import { filesAsNow } from './foundation.ts'

interface Workspace {
  readonly directory: string
  readonly ledger: Ledger
}

/**
 * What the operator's verdict makes of an attempt's work: later attempts of the task rest on it, or may not claim it. A
 * verdict `verified` is his word over the files as they are now.
 */
export async function judgedWork(
  workspace: Workspace,
  result: AttemptResult,
  verdict: Verdict,
  isContradiction = false,
): Promise<JudgedWork> {
  const named = namedFiles(workspace, result)
  const refuted = verdict === 'not_verified' && (isContradiction || claimedDone(result.claim))
  const { finished = [] } = taskHistory(workspace.ledger.state, result.taskId)
  // What was named and never there is nothing that an attempt has left.
  const meant =
    verdict === 'verified' ? named : refuted ? named.filter((path) => finished.includes(path)) : []
  const later = await changedSince(workspace, result)
  const files = [...new Set([...result.filesChanged, ...meant])].filter((path) => !later.has(path))
  const restsOn = verdict === 'verified' && isWordedSo(workspace, result)
  return {
    files: files.slice(0, KEPT_PATHS),
    refuted,
    restsOn: restsOn ? await filesJudged(workspace, result, named) : null,
  }
}

/** What it deleted is to stay gone. */
function filesJudged(
  { directory }: Workspace,
  result: AttemptResult,
  named: readonly string[],
): Promise<RestingFile[]> {
  return filesAsNow(directory, pathsJudged(result, named), new Set(result.filesChanged))
}

/**
 * What the agent named is what was judged, and of a folder that it named the files that it changed there; of a run that
 * served other tasks too, the rest may be theirs.
 */
function pathsJudged(
  { filesChanged, tasksInRun }: AttemptResult,
  named: readonly string[],
): readonly string[] {
  const names = new Set(named)
  if (names.size > 0) return [...filesChanged.filter((path) => isNamedBy(path, names)), ...named]
  return tasksInRun === 1 ? filesChanged.filter((path) => !isOperatorFile(path)) : []
}

function namedFiles({ directory }: Workspace, { claim }: AttemptResult): readonly string[] {
  const paths = claim.files.map(({ path }) => relativePath(path, directory))
  return [...new Set(paths)].filter(liesInside)
}

/**
 * Paths that later attempts of the task have changed: theirs are the verdicts over them. All that is kept is later than
 * what is not.
 */
async function changedSince({ ledger }: Workspace, { attemptId, taskId }: AttemptResult) {
  const { attempts } = ledger.state
  const at = attempts.findIndex((attempt) => attempt.attemptId === attemptId)
  const later = attempts
    .slice(0, at < 0 ? attempts.length : at)
    .filter((one) => one.taskId === taskId && one.verdict !== null)
  const changed = new Set<string>()
  for (const { attemptId: id } of later) {
    const result = await ledger.attempt(id)
    for (const path of result?.filesChanged ?? []) changed.add(path)
  }
  return changed
}

/** The verdict was over the task as it was worded then. */
function isWordedSo(
  { ledger }: Workspace,
  { taskId, description, verify, criteria, reconciliation }: AttemptResult,
): boolean {
  const task = ledger.state.contract?.tasks.find(({ id }) => id === taskId)
  // Of an attempt that was cut off, and in older records, they were not counted.
  const isCounted = reconciliation !== null
  if (task === undefined || (isCounted && task.criteria.length !== criteria.total)) return false
  return task.description === description && task.verify === verify
}
