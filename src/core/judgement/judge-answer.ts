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
 * The procedure for the operator's own verdict over an attempt: nothing is measured, for theirs is the last word. What is decided is what
 * it makes of the attempt's work: later attempts of the task rest on it, or may not claim it. A `verified` covers the files as they are now.
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
  // What was named and never there is nothing that an attempt has left.
  const meant =
    verdict === 'verified' ? named : refuted ? named.filter((path) => finished.includes(path)) : []
  const changedLater = attemptIds.length === 0 ? [] : yield* ask({ kind: 'changed-in', attemptIds })
  const later = new Set(changedLater)
  const files = [...new Set([...result.filesChanged, ...meant])].filter((path) => !later.has(path))
  // What it deleted is to stay gone.
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
 * What the agent named is what was judged, and of a folder that it named the files that it changed there; of a run that served other tasks
 * too, the rest may be theirs.
 */
function pathsJudged(
  { filesChanged, tasksInRun }: AttemptResult,
  named: readonly string[],
): readonly string[] {
  const names = new Set(named)
  if (names.size > 0) return [...filesChanged.filter((path) => isNamedBy(path, names)), ...named]
  return tasksInRun === 1 ? filesChanged.filter((path) => !isOperatorFile(path)) : []
}

/** The verdict was about the task as it was worded then. */
function isWordedSo({ task }: AnswerCase, result: AttemptResult): boolean {
  const { description, verify, criteria, reconciliation } = result
  // Of an attempt that was cut off, and in older records, they were not counted.
  const isCounted = reconciliation !== null
  if (task === null || (isCounted && task.criteria.length !== criteria.total)) return false
  return task.description === description && task.verify === verify
}
