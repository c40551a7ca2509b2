import type { AttemptResult, EventOf, JudgedWork } from './events.ts'
import type { TaskHistory, WorkspaceState } from './state.ts'

/**
 * Maximum number of paths kept for a task's work, and for the files that a verdict rests on. If there are more, only the first are kept.
 */
export const KEPT_PATHS = 200

type Foundation = Pick<TaskHistory, 'finished' | 'refuted' | 'restsOn'>

/** Returns what later attempts at the task may rely on after this one. */
export function foundationAfter(
  { finished = [], refuted = [], restsOn }: TaskHistory,
  state: WorkspaceState,
  result: AttemptResult,
): Foundation {
  const isRefuted = wasRefuted(result)
  const { filesChanged } = result
  const known = isRefuted ? refuted : finished
  const paths = joined(filesChanged, known)
  return {
    finished: isRefuted ? finished : paths,
    ...((isRefuted || refuted.length > 0) && {
      refuted: isRefuted ? paths : refuted.filter((path) => !filesChanged.includes(path)),
    }),
    ...restAfter(restsOn, state, result),
  }
}

/** Returns whether the attempt was refuted. An agent that ended silently or reported failure has claimed nothing that could be. */
function wasRefuted({ verdict, groundTruthContradiction, claim }: AttemptResult): boolean {
  return verdict === 'not_verified' && (groundTruthContradiction || claimedDone(claim))
}

/** Returns whether it is recorded as a claim of completion. */
export function claimedDone({ status, exitSignal }: AttemptResult['claim']): boolean {
  return status === 'done' || (status === null && exitSignal === true)
}

/** `restsOn: undefined` removes the field, because only the last verdict counts. */
function restAfter(
  before: TaskHistory['restsOn'],
  { contract }: WorkspaceState,
  result: AttemptResult,
): { readonly restsOn?: TaskHistory['restsOn'] } {
  const { verdict, restsOn, taskId } = result
  if (verdict === null) return before === undefined ? {} : { restsOn: before }
  const task = contract?.tasks.find(({ id }) => id === taskId)
  if (before !== undefined && standsOnTheOperatorsWord(before, result)) return { restsOn: before }
  if (verdict !== 'verified' || restsOn.length === 0 || task === undefined) return { restsOn: undefined }
  return { restsOn: { task: taskWords(task), files: restsOn } }
}

/** Returns whether the operator's verdict on work that left no file still stands: it does as long as attempts only repeat the claim. */
function standsOnTheOperatorsWord(
  { files }: NonNullable<TaskHistory['restsOn']>,
  { verdict, heldBefore, points, restsOn }: AttemptResult,
): boolean {
  return verdict === 'verified' && heldBefore && points === 0 && restsOn.length === 0 && files.length === 0
}

/**
 * Returns what later attempts may rely on once the operator has judged one: its work counts as finished or as contradicted, and
 * if no later attempt was judged, the operator's verdict is the last one. Events of older versions contain nothing about the
 * work and change nothing.
 */
export function foundationJudged(
  history: TaskHistory,
  { contract }: WorkspaceState,
  { taskId, work }: Pick<EventOf<'verdict-overruled'>, 'taskId' | 'work'>,
  isLatest: boolean,
): TaskHistory {
  if (work === undefined) return history
  const { restsOn, ...rest } = history
  const task = contract?.tasks.find(({ id }) => id === taskId)
  const judged =
    work.restsOn === null || task === undefined ? undefined : { task: taskWords(task), files: work.restsOn }
  const last = isLatest ? judged : restsOn
  return { ...rest, ...movedPaths(rest, work), ...(last !== undefined && { restsOn: last }) }
}

function movedPaths(
  { finished = [], refuted = [] }: Pick<TaskHistory, 'finished' | 'refuted'>,
  { files, refuted: isRefuted }: JudgedWork,
): Pick<TaskHistory, 'finished' | 'refuted'> {
  const isElse = (path: string): boolean => !files.includes(path)
  return isRefuted
    ? { finished: finished.filter(isElse), refuted: joined(files, refuted) }
    : { finished: joined(files, finished), refuted: refuted.filter(isElse) }
}

/** Returns both lists without duplicates, the newest first. */
function joined(newest: readonly string[], known: readonly string[]): readonly string[] {
  return [...newest, ...known.filter((path) => !newest.includes(path))].slice(0, KEPT_PATHS)
}

/** Returns the parts of a task's wording that a verdict on it depends on. */
export function taskWords({
  description,
  verify,
  criteria,
}: {
  readonly description: string
  readonly verify: string
  readonly criteria: readonly { readonly text: string; readonly verify?: string | null }[]
}): string {
  return JSON.stringify([description, verify, criteria.map(({ text, verify: hint = null }) => [text, hint])])
}
