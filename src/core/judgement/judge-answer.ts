import type { AttemptResult, JudgedWork } from '../record/events.ts'
import { claimedDone, KEPT_PATHS } from '../record/fold-foundation.ts'
import { pointsFor } from '../scoring/points.ts'
import { isOperatorFile } from '../verification/difference.ts'
import { liesInside, relativePath } from '../verification/file-claims.ts'
import { isNamedBy } from '../verification/path-index.ts'
import { type Asking, ask } from './asking.ts'
import type { AnswerCase } from './case.ts'
import type { AnswerJudgement } from './judgement.ts'
import { stampFiles } from './verdict-basis.ts'

/**
 * The procedure for the operator's own verdict on an attempt. Measures nothing, because the operator has the last word; decides what it
 * means for the attempt's work: whether later attempts at the task may rely on it or claim it. A `verified` covers the files as they are
 * now.
 */
export function* judgeAnswer(subject: AnswerCase): Asking<AnswerJudgement> {
  const { verdict, isContradiction, fault, required, scoring, result } = subject
  return {
    verdict,
    groundTruthContradiction: isContradiction,
    fault: verdict === 'verified' ? null : fault,
    reasons: ['the operator has decided it'],
    findings: [],
    remedy: null,
    held: null,
    points: pointsFor({ verdict, groundTruthContradiction: isContradiction, required, fault }, scoring),
    interventions: [],
    work: result === null ? null : yield* judgeWorkOf(subject, result),
  }
}

function* judgeWorkOf(subject: AnswerCase, result: AttemptResult): Asking<JudgedWork> {
  const { verdict, isContradiction, finished, laterAttemptIds: attemptIds } = subject
  const named = namedFiles(subject, result)
  const refuted = verdict === 'not_verified' && (isContradiction || claimedDone(result.claim))
  // A file that was named but never existed is not left over from an attempt.
  const meant =
    verdict === 'verified' ? named : refuted ? named.filter((path) => finished.includes(path)) : []
  const changedLater = attemptIds.length === 0 ? [] : yield* ask({ kind: 'changed-in', attemptIds })
  const later = new Set(changedLater)
  const files = [...new Set([...result.filesChanged, ...meant])].filter((path) => !later.has(path))
  // Files that the attempt deleted must stay deleted.
  const gone = new Set(result.filesChanged)
  const isResting = verdict === 'verified' && isWordedSo(subject, result)
  return {
    files: files.slice(0, KEPT_PATHS),
    refuted,
    restsOn: isResting ? [...(yield* stampFiles(pathsJudged(result, named), gone))] : null,
  }
}

function namedFiles({ root }: AnswerCase, { claim }: AttemptResult): readonly string[] {
  const paths = claim.files.map(({ path }) => relativePath(path, root))
  return [...new Set(paths)].filter(liesInside)
}

/**
 * Returns what was judged: the files that the agent named and, in folders it named, those that it changed. If it named none, everything it
 * changed, but only if the run worked on no other task.
 */
function pathsJudged(
  { filesChanged, tasksInRun }: AttemptResult,
  named: readonly string[],
): readonly string[] {
  const names = new Set(named)
  if (names.size > 0) return [...filesChanged.filter((path) => isNamedBy(path, names)), ...named]
  return tasksInRun === 1 ? filesChanged.filter((path) => !isOperatorFile(path)) : []
}

/** Returns whether the task still has the wording that the verdict was about. */
function isWordedSo({ task }: AnswerCase, result: AttemptResult): boolean {
  const { description, verify, criteria, reconciliation } = result
  // Attempts that were cut off, and older records, have no count.
  const isCounted = reconciliation !== null
  if (task === null || (isCounted && task.criteria.length !== criteria.total)) return false
  return task.description === description && task.verify === verify
}
