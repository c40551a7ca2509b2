import { decideVerdict } from '../../core/judgement/verdict.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import type { VerdictInput } from '../../core/verification/types.ts'
import {
  hasAnswer,
  lookedAtPaths,
  type UnanswerableHint,
  unanswerableHints,
} from '../../core/verification/unanswerable-hints.ts'
import type { EarlierFiles } from '../ports/custody.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { earlierAttempts, hintCheck } from './earlier-answers.ts'
import type { SilencedCheck } from './find-silenced.ts'
import { measure } from './measure.ts'
import { measureEarlier, probeSources, runsCommands } from './measure-earlier.ts'
import { operatorsTask, taskText } from './operators-task.ts'
import type { RunFindings } from './run-findings.ts'

/**
 * Hints that were silenced: what they read is still read, and cannot be compared any more (a key is gone, a number is a text now),
 * twice; and it could where the files stand as they did before the attempt, or before those since the task was last verified, whose
 * changes still stand. So the contract is not blamed for what was emptied, nor the agent for a service that answers otherwise, or for what
 * the operator did.
 */
export async function findUnanswerable(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  input: VerdictInput,
): Promise<readonly SilencedCheck[]> {
  const hints = unanswerableHints(input, taskText(operatorsTask(context, attempt.task)))
  const { difference, differences, textsBefore } = findings
  if (hints.length === 0 || decideVerdict(input).verdict !== 'unclear') return []
  if (differences.some(({ executedBy }) => executedBy.length > 0)) return []
  const earlier =
    changedPaths(difference).length > 0
      ? await context.ports.snapshotter.filesBefore(textsBefore, difference)
      : NO_FILES
  if (earlier === null) return []
  const longAgo = await beforeEarlierAttempts(context, attempt, hints, earlier)
  const silenced: SilencedCheck[] = []
  for (const one of hints) {
    const name = hintCheck(one.hint.source)
    const [files, when, how] = one.wasAnswered
      ? [earlier, 'the attempt', 'the files']
      : longAgo?.answered.has(name)
        ? [longAgo.files, 'earlier attempts', 'the files that they changed']
        : []
    if (files === undefined || (await answersNow(context, one))) continue
    if (!(await answeredWith(context, one, files, findings))) continue
    const sentence = `\`${one.hint.source}\` could be checked before ${when} and cannot be any more${reasonOf(one)}; with ${how} as they were it can`
    silenced.push({ name, sentence })
  }
  return silenced
}

const NO_FILES: EarlierFiles = { write: [], remove: [] }

/** The files as they stood before the task's earlier attempts, and what answered then; `null` where nothing asks for it, or it is not known. */
async function beforeEarlierAttempts(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  hints: readonly UnanswerableHint[],
  earlier: EarlierFiles,
): Promise<{ readonly files: EarlierFiles; readonly answered: ReadonlySet<string> } | null> {
  const asked = hints.filter(({ wasAnswered }) => !wasAnswered)
  if (asked.length === 0) return null
  const { attemptIds, answered } = await earlierAttempts(ports.ledger, task.id)
  if (!asked.some(({ hint }) => answered.has(hintCheck(hint.source)))) return null
  const files = await ports.undo.filesBefore(attemptIds, earlier)
  return files === null ? null : { files, answered }
}

async function answersNow(
  { verifier, probeNames, signal }: CycleContext,
  { hint }: UnanswerableHint,
): Promise<boolean> {
  return hasAnswer(hint, await measure(verifier, hint, null, probeNames, [], signal))
}

/** Whether the hint has an answer where these files stand as they were. Where it runs nothing, it has to read one of them itself. */
async function answeredWith(
  context: CycleContext,
  { hint }: UnanswerableHint,
  files: EarlierFiles,
  { difference, differences }: RunFindings,
): Promise<boolean> {
  const kept = new Set(files.write.map(({ path }) => path))
  const read = [
    ...probeSources(hint, context.config).flatMap((source) => (source.kind === 'file' ? [source.file] : [])),
    ...lookedAtPaths(hint.source),
  ]
  if (!runsCommands(hint, context.config) && !read.some((path) => kept.has(plain(path)))) return false
  const disputed = differences.map(({ path }) => path)
  const measured = await measureEarlier(context, hint, files, disputed, changedPaths(difference))
  return measured !== null && hasAnswer(hint, measured)
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

function reasonOf({ after: { expression } }: UnanswerableHint): string {
  return expression?.kind === 'error' ? ` (${expression.reason})` : ''
}
