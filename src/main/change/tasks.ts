import type { TaskDecision } from '../../core/change/judge-change.ts'
import type { Claim } from '../../core/claims/types.ts'
import { NO_CLAIM } from '../../core/claims/types.ts'
import { type Hint, parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { decideVerdict } from '../../core/judgement/verdict.ts'
import type { FileClaimFinding, FileDifference, Measurement } from '../../core/verification/types.ts'
import type { Verifier } from '../ports/verifier.ts'
import { inRoom, type Measured, type MeasureOptions } from './measure.ts'

/** A task of a contract at the base that the change was made for. */
export interface NamedTask {
  readonly task: TaskDefinition
  /** Of its report; `null`: none names it, and the change itself says that it is done. */
  readonly claim: Claim | null
}

/** Judges tasks on head, held against the base; in the clean room too where check files differ. */
export async function judgeTasks(
  options: MeasureOptions,
  measured: Measured,
  tasks: readonly NamedTask[],
  difference: FileDifference,
  fileClaims: (claim: Claim) => readonly FileClaimFinding[],
): Promise<readonly TaskDecision[]> {
  const { scope, trees, cleanPlan, signal } = options
  const probeNames = Object.keys(scope.configuration.probes)
  const paths = [...difference.added, ...difference.modified, ...difference.deleted]
  const hints = tasks.map(({ task }) => ({
    hint: parseHint(task.verify, probeNames),
    criteria: task.criteria.flatMap(({ text, verify }) =>
      verify === null ? [] : [{ text, hint: parseHint(verify, probeNames) }],
    ),
  }))
  const all = hints.flatMap(({ hint, criteria }) => [hint, ...criteria.map((one) => one.hint)])
  const on = async (
    tree: string,
    changed: readonly string[],
    instead = undefined as MeasureOptions['testPlan'] | undefined,
  ) => {
    const answers = await inRoom(options, tree, instead, (verifier) =>
      measureAll(verifier, all, changed, signal),
    )
    return typeof answers === 'string' ? new Map<string, Measurement>() : answers
  }
  const after = await on(trees.head, paths)
  const before = await on(trees.base, [])
  const clean = cleanPlan === null ? null : await on(trees.head, paths, cleanPlan)
  signal.throwIfAborted()
  return tasks.map(({ task, claim }, index): TaskDecision => {
    const own = hints[index]
    const hint = own?.hint ?? parseHint(task.verify, probeNames)
    const decide = (answers: ReadonlyMap<string, Measurement>) =>
      decideVerdict({
        required: task.required,
        outcome: 'completed',
        environmentFault: null,
        claim: claim ?? { ...NO_CLAIM, status: 'done', source: 'report' },
        hint,
        before: before.get(hint.source) ?? null,
        after: answers.get(hint.source) ?? UNMEASURED,
        difference,
        fileClaims: claim === null ? [] : fileClaims(claim),
        gates: measured.gates,
        judge: null,
        silenced: measured.silenced,
        criteria: (own?.criteria ?? []).map((one) => ({
          ...one,
          before: before.get(one.hint.source) ?? null,
          after: answers.get(one.hint.source) ?? UNMEASURED,
        })),
      })
    const decision = decide(after)
    const inRoomDecision = clean === null || decision.verdict !== 'verified' ? null : decide(clean)
    const isHeld = inRoomDecision !== null && inRoomDecision.verdict !== 'verified'
    return {
      taskId: task.id,
      verdict: isHeld ? 'unclear' : decision.verdict,
      held: isHeld,
      contradiction: decision.groundTruthContradiction,
      fault: isHeld ? null : decision.fault,
      reasons: isHeld
        ? inRoomDecision.reasons.map(
            (reason) =>
              `it passes only with the check files as this change left them; with the base's: ${reason}`,
          )
        : decision.reasons,
    }
  })
}

const UNMEASURED: Measurement = { probes: [], expression: null }

/** Every hint once, by its text. */
async function measureAll(
  verifier: Verifier,
  hints: readonly Hint[],
  changedPaths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Measurement>> {
  const answers = new Map<string, Measurement>()
  for (const hint of hints) {
    if (answers.has(hint.source)) continue
    const names = hint.kind === 'expression' ? hint.probes : hint.kind === 'probe' ? [hint.name] : []
    const probes = await verifier.readProbes(names, signal)
    const expression =
      hint.kind === 'expression' ? await verifier.evaluate(hint, probes, changedPaths, signal) : null
    answers.set(hint.source, { probes, expression })
  }
  return answers
}
