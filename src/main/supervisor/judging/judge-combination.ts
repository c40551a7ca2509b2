import { NO_CLAIM } from '../../../core/claims/types.ts'
import { type Hint, parseHint } from '../../../core/contract/hint.ts'
import { runnableTasks } from '../../../core/contract/parse.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import { askUntilDecided } from '../../../core/judgement/ask-until-decided.ts'
import { type JudgedTask, NO_HISTORY, NO_RUN } from '../../../core/judgement/case.ts'
import type { WorkJudgement } from '../../../core/judgement/judgement.ts'
import type { LandingRecord } from '../../../core/record/landing-record.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { IsolatedTree } from '../workspace-ports.ts'
import { answering } from './answer-questions.ts'
import { learnGates } from './learn-baseline.ts'
import { operatorsTask, operatorsTasks } from './operators-task.ts'
import { findPlace } from './workspace-place.ts'

/**
 * Judges an attempt's work combined with the target, by what changed between the target (the current state of `tree`) and the combination,
 * with the target's check files. No agent claims anything about a combination, so the task's checks and the gates decide.
 */
export async function judgeCombination(
  context: Pick<CycleContext, 'signal'>,
  tree: IsolatedTree,
  entry: Pick<LandingRecord, 'attemptId' | 'taskId'>,
  combined: string,
): Promise<WorkJudgement> {
  const { ports, config } = tree
  const { signal } = context
  const verifier = ports.createVerifier(config)
  const task = await findTask(tree, entry.taskId)
  await learnGates({ ...context, ports, config, verifier })
  const before = await ports.snapshotter.take(ports.directory)
  const textsBefore = await ports.snapshotter.keepTexts(before)
  await tree.checkOut(combined)
  const after = await ports.snapshotter.take(ports.directory)
  const difference = await ports.snapshotter.difference(before, after)
  const differences = await ports.custody.look()
  const place = await findPlace(ports.directory)
  const work = { taskId: entry.taskId, difference, after, textsBefore, place, printed: '' }
  const { answer, close } = answering({ ports, config, verifier, signal, work })
  try {
    return await askUntilDecided(
      {
        source: 'landing',
        id: entry.attemptId,
        task,
        policy: { ...config, scoring: ports.ledger.state.rules },
        claim: { ...NO_CLAIM, status: 'done', source: 'report' },
        uncommitted: [],
        difference,
        root: ports.directory,
        run: NO_RUN,
        differences,
        reaching: [],
        history: NO_HISTORY,
        raised: [],
      },
      answer,
    )
  } finally {
    await close()
    await ports.snapshotter.done()
  }
}

/** Returns `null` if the contract no longer has the task; then only the gates decide. */
async function findTask({ ports, config }: IsolatedTree, taskId: string): Promise<JudgedTask | null> {
  const file = await ports.readContract()
  if (!file.ok) return null
  const probeNames = Object.keys(config.probes)
  const task = runnableTasks(await ports.contracts.parse(file.text, { probeNames })).find(
    ({ id }) => id === taskId,
  )
  if (task === undefined) return null
  const known = await operatorsTasks(ports.contracts, file.operatorsText ?? file.text)
  return judgedTask(task, operatorsTask({ operatorsTasks: known }, task), probeNames)
}

function judgedTask(task: TaskDefinition, asked: TaskDefinition, probeNames: readonly string[]): JudgedTask {
  const nothing = { probes: [], expression: null }
  return {
    id: task.id,
    description: task.description,
    verify: task.verify,
    hint: withoutClaim(parseHint(task.verify, probeNames)),
    required: true,
    writesNoFiles: task.writesNoFiles,
    before: null,
    criteria: task.criteria.flatMap(({ text, verify }) => {
      const hint = verify === null ? null : withoutClaim(parseHint(verify, probeNames))
      return hint === null || hint.kind === 'words' ? [] : [{ text, hint, before: nothing }]
    }),
    words: task,
    asked,
    isProposed: false,
  }
}

/** Removes a bare probe: it is compared with a claim, which a combination doesn't have. The attempt's check compared it. */
function withoutClaim(hint: Hint): Hint {
  return hint.kind === 'probe' ? { kind: 'words', source: hint.source } : hint
}
