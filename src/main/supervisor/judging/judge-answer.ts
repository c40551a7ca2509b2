import { askUntilDecided } from '../../../core/judgement/ask-until-decided.ts'
import type { AnswerJudgement } from '../../../core/judgement/judgement.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { taskHistory } from '../../../core/record/fold-task-history.ts'
import { laterAttempts } from '../../../core/record/later-attempts.ts'
import type { WorkspaceState } from '../../../core/record/state.ts'
import type { Fault } from '../../../core/vocabulary/fault.ts'
import type { Verdict } from '../../../core/vocabulary/verdict.ts'
import type { Ledger } from '../../ports/ledger.ts'
import { answeringFromRecord } from './answer-questions.ts'

interface Workspace {
  readonly directory: string
  readonly ledger: Ledger
}

/** What the operator decided about an attempt. */
export interface OperatorsVerdict {
  readonly verdict: Verdict
  /** Whether the task was required when it was attempted. */
  readonly required: boolean
  readonly isContradiction?: boolean
  /** If omitted, the agent's. */
  readonly fault?: Fault | null
}

/** Judges an attempt by the operator's own verdict: its points, and what later attempts may rely on. */
export function judgeAnswer(
  { directory, ledger }: Workspace,
  result: AttemptResult | null,
  { verdict, required, isContradiction = false, fault = 'agent' }: OperatorsVerdict,
): Promise<AnswerJudgement> {
  const { contract, rules } = ledger.state
  return askUntilDecided(
    {
      source: 'review',
      result,
      required,
      verdict,
      isContradiction,
      fault,
      scoring: rules,
      root: directory,
      task: contract?.tasks.find(({ id }) => id === result?.taskId) ?? null,
      finished: result === null ? [] : (taskHistory(ledger.state, result.taskId).finished ?? []),
      laterAttemptIds: result === null ? [] : laterOfTask(ledger.state, result),
    },
    answeringFromRecord({ directory, ledger }),
  )
}

function laterOfTask({ attempts }: WorkspaceState, { attemptId, taskId }: AttemptResult): readonly string[] {
  return laterAttempts(attempts, [attemptId])
    .filter((one) => one.taskId === taskId && one.verdict !== null)
    .map((one) => one.attemptId)
}
