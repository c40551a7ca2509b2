import type { AttemptResult, EventOf, JudgedWork } from './events.ts'
import type { TaskHistory, WorkspaceState } from './state.ts'

/** Paths kept of a task's work, and of an attempt what a verdict rests on: of more, it rests on the first. */
export const KEPT_PATHS = 200

type Foundation = Pick<TaskHistory, 'finished' | 'refuted' | 'restsOn'>

/** What later attempts of the task may rest on, after this one. */
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

/** Who ended without a word, or said that it did not succeed, has claimed nothing that could be refuted. */
function wasRefuted({ verdict, groundTruthContradiction, claim }: AttemptResult): boolean {
  return verdict === 'not_verified' && (groundTruthContradiction || claimedDone(claim))
}

/** Whether it is recorded as a claim of completion. */
export function claimedDone({ status, exitSignal }: AttemptResult['claim']): boolean {
  return status === 'done' || (status === null && exitSignal === true)
}

/** `restsOn: undefined` takes it away: only the very last verdict counts. */
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

/** The operator's verdict over work that left no file stands for as long as the attempts only say so again. */
function standsOnTheOperatorsWord(
  { files }: NonNullable<TaskHistory['restsOn']>,
  { verdict, heldBefore, points, restsOn }: AttemptResult,
): boolean {
  return verdict === 'verified' && heldBefore && points === 0 && restsOn.length === 0 && files.length === 0
}

/**
 * Returns what later attempts may rest on once the operator has judged one: its work counts as finished or as contradicted, and
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

/** The newest first, each once. */
function joined(newest: readonly string[], known: readonly string[]): readonly string[] {
  return [...newest, ...known.filter((path) => !newest.includes(path))].slice(0, KEPT_PATHS)
}

/** The task as far as a verdict over it rests on what it asks for. */
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
