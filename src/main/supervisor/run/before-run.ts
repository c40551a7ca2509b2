import { type Hint, parseHint } from '../../../core/contract/hint.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import { liesInside, relativePath } from '../../../core/verification/file-claims.ts'
import { changedGlobs } from '../../../core/verification/hint-checks.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import type { RunStart } from '../judging/judge-run.ts'
import { measure } from '../judging/measure.ts'

/** The workspace before the agent runs: its snapshot, its protected files, and what is needed for differences and undo. */
export async function noteStart(
  { ports, config }: CycleContext,
  tasks: readonly TaskDefinition[],
): Promise<RunStart> {
  const { enabled, protected: patterns } = config.interventions
  const told = enabled ? patterns : []
  const asked = [...new Set(tasks.flatMap(pathsAskedAfter))]
  const snapshot = await ports.snapshotter.take(ports.directory, told, asked)
  return {
    snapshot,
    asked,
    protectedFiles: await ports.snapshotter.takeProtected(snapshot, told),
    texts: await ports.snapshotter.keepTexts(snapshot),
    kept: await ports.undo.keepBefore(await ports.snapshotter.unsaved(snapshot)),
  }
}

/** Returns the paths that `changed(…)` in the task's checks asks about; for a glob, the folders before its first wildcard. */
function pathsAskedAfter({ verify, criteria }: TaskDefinition): readonly string[] {
  return [verify, ...criteria.map((criterion) => criterion.verify ?? '')]
    .flatMap(changedGlobs)
    .map((glob) =>
      relativePath(/^[^*?{!+@()]*(?=\/[^/]*[*?{!+@()])|^[^*?{!+@()]*$/.exec(glob)?.[0] ?? '', null),
    )
    .filter(liesInside)
}

/**
 * Returns an attempt of this task with a new id, after measuring its checks once before the agent runs. `index`: its place in the cycle.
 */
export async function planAttempt(
  context: CycleContext,
  task: TaskDefinition,
  index: number,
): Promise<PlannedAttempt> {
  const { verifier, probeNames, signal } = context
  const look = (hint: Hint) => measure(verifier, hint, signal)
  const hint = parseHint(task.verify, probeNames)
  const criteria = task.criteria.flatMap(({ text, verify }) =>
    verify === null ? [] : [{ text, hint: parseHint(verify, probeNames) }],
  )
  const [before, measured] = await Promise.all([
    look(hint),
    Promise.all(criteria.map(async (each) => ({ ...each, before: await look(each.hint) }))),
  ])
  return {
    attemptId: `${context.cycle}-${index}-${context.ports.randomSuffix()}`,
    task,
    hint,
    required: task.required || context.standing.forceAllRequired,
    before,
    criteria: measured,
  }
}
