import { streamReach } from '../../../core/agents/own-report.ts'
import type { History, JudgedTask, RunFacts, WorkCase } from '../../../core/judgement/case.ts'
import { limitsInARow, taskHistory } from '../../../core/record/fold-task-history.ts'
import type { WorkspaceState } from '../../../core/record/state.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { agentOutput } from './agent-output.ts'
import { operatorsTask } from './operators-task.ts'
import type { RunFindings } from './run-findings.ts'

/** Returns the case of one attempt of a heartbeat. */
export function workCase(context: CycleContext, attempt: PlannedAttempt, findings: RunFindings): WorkCase {
  const { ports, config } = context
  const { state } = ports.ledger
  const sees = ports.custody.sees()
  return {
    source: 'heartbeat',
    id: attempt.attemptId,
    task: judgedTask(context, attempt),
    policy: { ...config, scoring: state.rules },
    claim: findings.claim,
    uncommitted: findings.uncommitted,
    difference: findings.difference,
    root: ports.directory,
    run: runFacts(context, findings),
    differences: findings.differences,
    reaching: findings.reaching,
    ...(sees !== null && { sees }),
    history: historyOf(state, attempt.task.id),
    raised: findings.interventions,
  }
}

function judgedTask(
  context: CycleContext,
  { task, hint, required, before, criteria }: PlannedAttempt,
): JudgedTask {
  return {
    id: task.id,
    description: task.description,
    verify: task.verify,
    hint,
    required,
    writesNoFiles: task.writesNoFiles,
    before,
    criteria,
    words: task,
    asked: operatorsTask(context, task),
    isProposed: context.proposed.has(task.id),
  }
}

function runFacts({ config }: CycleContext, findings: RunFindings): RunFacts {
  const { run } = findings
  return {
    outcome: run.outcome,
    exitCode: run.exitCode,
    environmentFault: findings.environmentFault,
    output: agentOutput(run),
    activity: run.activity ?? null,
    reach: streamReach(config.agent),
    remedy: run.remedy,
    isContained: run.containedBy !== undefined,
    wasAtWork: findings.wasAtWork,
    dayLimit: run.dayLimit ?? null,
    tasksInRun: findings.tasksInRun,
    feedback: findings.feedback,
    startMarkMs: findings.startMarkMs,
  }
}

/** Returns what the record contains about a task. */
export function historyOf(state: WorkspaceState, taskId: string): History {
  const history = taskHistory(state, taskId)
  return {
    finished: history.finished ?? [],
    refuted: history.refuted ?? [],
    limitsInARow: limitsInARow(history),
    restsOn: history.restsOn ?? null,
    attempts: state.attempts,
    unanswered: state.held,
  }
}
