import { changedPaths } from '../verification/difference.ts'
import type { VerdictInput } from '../verification/types.ts'
import {
  hasAnswer,
  lookedAtPaths,
  type UnanswerableHint,
  unanswerableHints,
} from '../verification/unanswerable-hints.ts'
import { type Asking, ask } from './asking.ts'
import type { WorkCase } from './case.ts'
import { hintCheck } from './check-names.ts'
import { earlierAttempts } from './earlier-answers.ts'
import { measuring, probeSources, runsCommands } from './hint-measuring.ts'
import type { Moment } from './questions.ts'
import { BEFORE_WORK, plainPath, type SilencedCheck } from './silenced-checks.ts'
import { wordsOf } from './task-words.ts'
import { decideVerdict } from './verdict.ts'

/** Files as they were at a moment, for the paths that are known. */
interface KnownFiles {
  readonly moment: Moment
  readonly written: readonly string[]
}

/**
 * Finds checks that were silenced: what they read can still be read but, twice, no longer compared (a key is gone, a number is now text),
 * although it could be with the files from before the work, or from before the attempts since the task was last verified whose changes are
 * still there. So the contract is not blamed for what an agent emptied, nor the agent for a service that answers differently or for what
 * the operator did.
 */
export function* findUnanswerable(subject: WorkCase, input: VerdictInput): Asking<readonly SilencedCheck[]> {
  if (subject.task === null) return []
  const hints = unanswerableHints(input, wordsOf(subject.task.asked))
  if (hints.length === 0 || decideVerdict(input).verdict !== 'unclear') return []
  if (subject.differences.some(({ executedBy }) => executedBy.length > 0)) return []
  const hasChanged = changedPaths(subject.difference).length > 0
  const written = hasChanged ? yield* ask({ kind: 'files-before', moment: BEFORE_WORK }) : []
  if (written === null) return []
  const longAgo = yield* beforeEarlierAttempts(subject, hints, hasChanged)
  const silenced: SilencedCheck[] = []
  for (const one of hints) {
    const name = hintCheck(one.hint.source)
    const [files, when, how] = one.wasAnswered
      ? [{ moment: BEFORE_WORK, written }, 'the attempt', 'the files']
      : longAgo?.answered.has(name)
        ? [longAgo.files, 'earlier attempts', 'the files that they changed']
        : []
    if (files === undefined || (yield* answersNow(subject, one))) continue
    if (!(yield* answeredWith(subject, one, files))) continue
    const sentence = `\`${one.hint.source}\` could be checked before ${when} and cannot be any more${reasonOf(one)}; with ${how} as they were it can`
    silenced.push({ name, sentence })
  }
  return silenced
}

/** Returns the files as they were before the task's earlier attempts, and what answered then; `null` if it isn't needed or isn't known. */
function* beforeEarlierAttempts(
  { history, task }: WorkCase,
  hints: readonly UnanswerableHint[],
  withWork: boolean,
): Asking<{ readonly files: KnownFiles; readonly answered: ReadonlySet<string> } | null> {
  const asked = hints.filter(({ wasAnswered }) => !wasAnswered)
  const { attemptIds, sinceSeq } = earlierAttempts(history, task?.id ?? '')
  if (asked.length === 0 || attemptIds.length === 0 || sinceSeq === null) return null
  const answered = new Set(yield* ask({ kind: 'recorded-answers', sinceSeq }))
  if (!asked.some(({ hint }) => answered.has(hintCheck(hint.source)))) return null
  const moment: Moment = { kind: 'before-attempts', attemptIds, withWork }
  const written = yield* ask({ kind: 'files-before', moment })
  return written === null ? null : { files: { moment, written }, answered }
}

function* answersNow({ policy }: WorkCase, { hint }: UnanswerableHint): Asking<boolean> {
  return hasAnswer(hint, yield* ask(measuring(hint, { policy, turn: 2 })))
}

/** Returns whether the check answers with these earlier files. A check that runs nothing must itself read one of them. */
function* answeredWith(
  { policy, differences }: WorkCase,
  { hint }: UnanswerableHint,
  { moment, written }: KnownFiles,
): Asking<boolean> {
  const kept = new Set(written)
  const read = [
    ...probeSources(hint, policy).flatMap((source) => (source.kind === 'file' ? [source.file] : [])),
    ...lookedAtPaths(hint.source),
  ]
  const isRun = runsCommands(hint, policy)
  if (!isRun && !read.some((path) => kept.has(plainPath(path)))) return false
  const room = differences.map(({ path }) => path)
  const setting = { room: isRun ? room : null, earlier: moment }
  if (isRun && (yield* ask({ kind: 'room', setting })).kind === 'none') return false
  return hasAnswer(hint, yield* ask(measuring(hint, { policy, sees: 'the-difference', setting })))
}

function reasonOf({ after: { expression } }: UnanswerableHint): string {
  return expression?.kind === 'error' ? ` (${expression.reason})` : ''
}
