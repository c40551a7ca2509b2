import { changedPaths } from '../../core/verification/difference.ts'
import type { ProbeReading, VerdictInput } from '../../core/verification/types.ts'
import {
  hasAnswer,
  lookedAtPaths,
  type UnanswerableHint,
  unanswerableHints,
} from '../../core/verification/unanswerable-hints.ts'
import { decideVerdict } from '../../core/verification/verdict.ts'
import type { EarlierFiles } from '../ports/custody.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import type { SilencedCheck } from './find-silenced.ts'
import { hintProbes, measure } from './measure.ts'
import { operatorsTask, taskText } from './operators-task.ts'
import type { RunFindings } from './run-findings.ts'

/**
 * Hints that were silenced: what they read is still read, and cannot be compared any more (a key is gone, a number is a text now),
 * twice; and it could where the files stand as they did before the attempt. So the contract is not blamed for what was emptied, nor
 * the agent for a service that answers otherwise.
 */
export async function findUnanswerable(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  input: VerdictInput,
): Promise<readonly SilencedCheck[]> {
  const hints = unanswerableHints(input, taskText(operatorsTask(context, attempt.task)))
  const { difference, differences, textsBefore } = findings
  if (hints.length === 0 || changedPaths(difference).length === 0) return []
  if (decideVerdict(input).verdict !== 'unclear') return []
  if (differences.some(({ executedBy }) => executedBy.length > 0)) return []
  const earlier = await context.ports.snapshotter.filesBefore(textsBefore, difference)
  if (earlier === null) return []
  const silenced: SilencedCheck[] = []
  for (const one of hints)
    if (!(await answersNow(context, one)) && (await answeredWith(context, one, earlier, findings)))
      silenced.push({
        name: `hint ${one.hint.source}`,
        sentence: `\`${one.hint.source}\` could be checked before the attempt and cannot be any more${reasonOf(one)}; with the files as they were it can`,
      })
  return silenced
}

async function answersNow(
  { verifier, probeNames, signal }: CycleContext,
  { hint }: UnanswerableHint,
): Promise<boolean> {
  return hasAnswer(hint, await measure(verifier, hint, null, probeNames, [], signal))
}

/** Whether the hint has an answer by what its probes read where the files stand as before. */
async function answeredWith(
  context: CycleContext,
  one: UnanswerableHint,
  earlier: EarlierFiles,
  findings: RunFindings,
): Promise<boolean> {
  const { hint, before } = one
  const { verifier, signal } = context
  const kept = new Set(earlier.write.map(({ path }) => path))
  // A file that a hint looks into itself: with no probe beside it nothing else can have changed.
  if (hint.kind === 'expression' && hint.probes.length === 0)
    return lookedAtPaths(hint.source).some((path) => kept.has(plain(path)))
  const probes = await readingsBefore(context, one, kept, earlier, findings)
  const expression =
    hint.kind === 'expression'
      ? await verifier.evaluate(hint, probes, changedPaths(findings.difference), signal)
      : null
  return hasAnswer(hint, before) && hasAnswer(hint, { probes, expression })
}

/** Of a file: what it held. Of all else: what it answers in a room with the files as they were. */
async function readingsBefore(
  { ports, config, signal }: CycleContext,
  { hint, before, after }: UnanswerableHint,
  kept: ReadonlySet<string>,
  earlier: EarlierFiles,
  { differences }: RunFindings,
): Promise<readonly ProbeReading[]> {
  const isKept = (name: string): boolean => {
    const source = config.probes[name]?.source
    return source?.kind === 'file' && kept.has(plain(source.file))
  }
  const names = hintProbes(hint)
  const held = before.probes.filter(({ name }) => names.includes(name) && isKept(name))
  const run = names.filter((name) => config.probes[name]?.source.kind === 'command')
  const rest = after.probes.filter(({ name }) => names.includes(name) && !isKept(name) && !run.includes(name))
  if (run.length === 0) return [...held, ...rest]
  const disputed = differences.map(({ path }) => path)
  const opened = await ports.custody.openRoom(disputed, signal, earlier)
  if (opened.kind === 'none') return [...held, ...rest]
  try {
    return [...held, ...rest, ...(await ports.createVerifier(config, opened.room).readProbes(run, signal))]
  } finally {
    await opened.room.close()
  }
}

function plain(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

function reasonOf({ after: { expression } }: UnanswerableHint): string {
  return expression?.kind === 'error' ? ` (${expression.reason})` : ''
}
