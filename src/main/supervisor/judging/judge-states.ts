import pLimit from 'p-limit'
import { parseHint } from '../../../core/contract/hint.ts'
import type { TaskDefinition } from '../../../core/contract/types.ts'
import { askUntilDecided } from '../../../core/judgement/ask-until-decided.ts'
import type { StateCase, StateCheck } from '../../../core/judgement/case.ts'
import type { Judgement } from '../../../core/judgement/judgement.ts'
import type { CycleContext } from '../cycle-context.ts'
import { answeringOnce } from './answer-questions.ts'
import { operatorsTask } from './operators-task.ts'

type StateContext = Pick<CycleContext, 'ports' | 'config' | 'verifier' | 'signal' | 'meter'>
type TaskContext = StateContext & Pick<CycleContext, 'operatorsTasks' | 'probeNames'>

/** How many checks run at the same time: each may run a command, and the agent's turn waits for all. */
const JUDGED_AT_ONCE = 4

/** Judges the state of these tasks, without any work; returns answers in the same order. Measures what several tasks share once. */
export function judgeTasks(
  context: TaskContext,
  asks: StateCase['asks'],
  tasks: readonly TaskDefinition[],
): Promise<readonly Judgement[]> {
  return judgeStates(
    context,
    tasks.map((task) => ({
      asks,
      task: { id: task.id, verify: task.verify, asked: operatorsTask(context, task) },
      checks: asks === 'condition' ? conditionOf(task, context) : checksOf(task, context),
    })),
  )
}

/** Judges whether the condition of a whole heartbeat is true. */
export async function judgeCondition(context: StateContext, condition: string): Promise<Judgement> {
  const checks = [checkOf(condition, null, { probeNames: Object.keys(context.config.probes) })]
  const [judged] = await judgeStates(context, [{ asks: 'condition', task: null, checks }])
  if (judged === undefined) throw new Error('One question has one answer')
  return judged
}

async function judgeStates(
  { ports, config, verifier, signal, meter }: StateContext,
  subjects: readonly Pick<StateCase, 'asks' | 'task' | 'checks'>[],
): Promise<readonly Judgement[]> {
  const { state } = ports.ledger
  const same = {
    source: 'sweep',
    policy: config,
    isAgentRunning: state.running !== null,
    history: { attempts: state.attempts },
  } as const
  const begin = answeringOnce({ ports, config, verifier, signal, meter })
  const limit = pLimit(JUDGED_AT_ONCE)
  return Promise.all(
    subjects.map((subject) =>
      limit(async () => {
        const { answer, close } = begin()
        try {
          return await askUntilDecided({ ...same, ...subject }, answer)
        } finally {
          await close()
        }
      }),
    ),
  )
}

function checksOf(task: TaskDefinition, context: Pick<CycleContext, 'probeNames'>): readonly StateCheck[] {
  return [
    checkOf(task.verify, null, context),
    ...task.criteria.flatMap(({ text, verify }) => (verify === null ? [] : [checkOf(verify, text, context)])),
  ]
}

function conditionOf(
  { when }: TaskDefinition,
  context: Pick<CycleContext, 'probeNames'>,
): readonly StateCheck[] {
  return when === null ? [] : [checkOf(when, null, context)]
}

function checkOf(
  source: string,
  criterion: string | null,
  { probeNames }: Pick<CycleContext, 'probeNames'>,
): StateCheck {
  return { criterion, hint: parseHint(source, probeNames) }
}
