import type { Contract, TaskDefinition } from '../../../core/contract/types.ts'
import type { WorkJudgement } from '../../../core/judgement/judgement.ts'
import { timestamp } from '../../../core/pacing/schedule.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { changedPaths } from '../../../core/verification/difference.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import type { RunFindings } from './run-findings.ts'

/** How many paths of a difference the ledger keeps; the count says how many there were. */
const MAX_RECORDED_PATHS = 200

/** Returns the attempt as it is recorded. */
export function recordedResult(
  { config, cycle }: CycleContext,
  { attemptId, task, required }: PlannedAttempt,
  findings: RunFindings,
  judged: WorkJudgement,
): AttemptResult {
  const { run, difference, claim, timeout } = findings
  const paths = changedPaths(difference)
  const { rows, contradictions } = judged.reconciliation
  return {
    attemptId,
    cycle,
    taskId: task.id,
    description: task.description,
    verify: task.verify,
    agentId: config.agent.id,
    startedAt: timestamp(findings.startedAtMs, config.heartbeat.timezone ?? 'local'),
    durationMs: Math.round(run.durationMs),
    // Known only after the whole run is judged.
    costs: null,
    timeoutSeconds: timeout.seconds,
    outcome: judged.outcome,
    exitCode: run.exitCode,
    signal: run.signal,
    required,
    verdict: judged.verdict,
    groundTruthContradiction: judged.groundTruthContradiction,
    skipped: judged.skipped,
    fault: judged.fault,
    reasons: [...judged.reasons],
    comparisons: [...judged.comparisons],
    remedy: judged.remedy,
    heldBefore: judged.heldBefore,
    points: judged.points,
    claim: {
      ...claim,
      values: Object.fromEntries(Object.entries(claim.values).slice(0, MAX_RECORDED_PATHS)),
      files: claim.files.slice(0, MAX_RECORDED_PATHS),
      evidence: [...claim.evidence],
      notes: [...claim.notes, ...(run.notes ?? [])],
    },
    filesChanged: paths.slice(0, MAX_RECORDED_PATHS),
    filesChangedCount: paths.length,
    interventions: [...judged.interventions],
    complexity: timeout.levels.get(task.id) ?? 'medium',
    timeoutReason: timeout.reason,
    feedbackShown: findings.feedback !== null,
    evidenceCount: judged.evidenceCount,
    criteria: criteriaMet(task, findings.contractAfter, judged),
    gateUnavailable: judged.gates.some((gate) => gate.status === 'unavailable'),
    tasksInRun: findings.tasksInRun,
    activity: run.activity ?? null,
    findings: [...judged.findings],
    restsOn: judged.restsOn,
    answered: [...judged.answered],
    reconciliation: { rows: [...rows], contradictions: [...contradictions] },
    held: judged.held,
  }
}

/**
 * Returns how many of the task's acceptance criteria are met: measured for those with a check; the others count by their box, which is a
 * claim of the agent's.
 */
function criteriaMet(
  task: TaskDefinition,
  after: Contract | null,
  { criteriaHeld }: WorkJudgement,
): { met: number; total: number } {
  const now = after?.tasks.find((candidate) => candidate.id === task.id)?.criteria ?? task.criteria
  const checked = now.filter(({ checked, verify }) => checked === true && verify === null).length
  return { met: checked + criteriaHeld, total: task.criteria.length }
}
