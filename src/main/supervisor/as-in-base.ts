import { parseHint } from '../../core/contract/hint.ts'
import { hintsOf } from '../../core/contract/hints-of.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { sortChanges } from '../../core/judgement/decide-custody.ts'
import type { GateResult, Measurement } from '../../core/verification/types.ts'
import type { BaseDifference, ReachingSource } from '../ports/custody.ts'
import type { CycleContext } from './cycle-context.ts'
import { measure } from './measure.ts'
import { operatorsTask } from './operators-task.ts'
import { mayChangeBy } from './take-into-custody.ts'

/*
 * What holds only by what an agent did to its check does not hold: asked wherever a measurement decides that no agent
 * is run.
 */

interface MeasuredTask {
  readonly task: TaskDefinition
  /** Of its hint, then of its criteria's. */
  readonly measurements: readonly Measurement[]
}

/** `null`: some of it cannot be measured without an attempt. */
export async function measureHints(
  { verifier, probeNames, signal }: Pick<CycleContext, 'verifier' | 'probeNames' | 'signal'>,
  task: TaskDefinition,
): Promise<MeasuredTask | null> {
  const hints = hintsOf(task).map((source) => parseHint(source, probeNames))
  if (hints.some((hint) => hint.kind !== 'expression' || hint.functions.includes('changed'))) return null
  const measurements = await Promise.all(
    hints.map((hint) => measure(verifier, hint, null, probeNames, [], signal)),
  )
  return { task, measurements }
}

/**
 * The first of its hint and its criteria's that can be measured and does not hold; `null`: none. What an attempt changed
 * cannot be asked where there was none.
 */
export async function findRefutedHint(
  { verifier, probeNames, signal }: Pick<CycleContext, 'verifier' | 'probeNames' | 'signal'>,
  task: TaskDefinition,
): Promise<string | null> {
  for (const source of hintsOf(task)) {
    const hint = parseHint(source, probeNames)
    if (hint.kind !== 'expression' || hint.functions.includes('changed')) continue
    const { expression } = await measure(verifier, hint, null, probeNames, [], signal)
    if (expression?.kind === 'value' && !expression.holds) return source
  }
  return null
}

export function holds({ expression }: Measurement): boolean {
  return expression?.kind === 'value' && expression.holds
}

export function isGreen({ status }: GateResult): boolean {
  return status === 'passed'
}

/** What differs from the base and is not this task's own work. */
export function disputedPaths(
  context: Pick<CycleContext, 'operatorsTasks'>,
  task: TaskDefinition,
  differences: readonly BaseDifference[],
): readonly string[] {
  const { description, criteria, mayChange } = operatorsTask(context, task)
  const changes = differences.map(({ executedBy, ...change }) => ({
    ...change,
    isInstrument: executedBy.some((check) => check !== 'gate'),
    isGates: executedBy.includes('gate'),
  }))
  const { instruments, protectedFiles } = sortChanges(changes, {
    text: [description, ...criteria.map(({ text }) => text)].join('\n'),
    hint: task.verify,
    mayChange: mayChangeBy(mayChange),
  })
  return [...instruments, ...protectedFiles].map(({ path }) => path)
}

/** Sources that lay hands on what runs their tests, and that the task may not change. */
export function disputedSources(
  context: Pick<CycleContext, 'operatorsTasks'>,
  task: TaskDefinition,
  reaching: readonly ReachingSource[],
): readonly string[] {
  const mayChange = mayChangeBy(operatorsTask(context, task).mayChange)
  return reaching.map(({ path }) => path).filter((path) => !mayChange(path))
}

/** What `ask` says of the checks where these paths stand as in the base; `null` where no room can be made. */
export async function askAsInBase<Answer>(
  { ports, config, signal }: Pick<CycleContext, 'ports' | 'config' | 'signal'>,
  paths: readonly string[],
  ask: (verifier: CycleContext['verifier']) => Promise<Answer>,
): Promise<Answer | null> {
  const opened = await ports.custody.openRoom(paths, signal)
  if (opened.kind === 'none') return null
  try {
    return await ask(ports.createVerifier(config, opened.room))
  } finally {
    await opened.room.close()
  }
}
