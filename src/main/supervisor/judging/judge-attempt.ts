import { askUntilDecided } from '../../../core/judgement/ask-until-decided.ts'
import type { WorkJudgement } from '../../../core/judgement/judgement.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { gateFault } from '../../../core/verification/gate-fault.ts'
import type { EnvironmentFault, GateResult } from '../../../core/verification/types.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { traceDetection, traceVerification } from '../trace.ts'
import { answering } from './answer-questions.ts'
import { recordedResult } from './recorded-result.ts'
import type { RunFindings } from './run-findings.ts'
import { workCase } from './work-case.ts'

/** Judges one attempt by the decision procedure, and notes what follows beside the verdict: gates that could not run, and tests that turned green. */
export async function judgeAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<{
  readonly result: AttemptResult
  readonly allowed: readonly string[]
  /** What kept a gate from being started; `null`: none was asked, or all were. */
  readonly gateFault: EnvironmentFault | null
}> {
  const { custody } = context.ports
  const judged = await traceVerification(context, attempt, () => judge(context, attempt, findings))
  // Detection measures nothing itself: what it needs was answered with the rest.
  await traceDetection(context, attempt, async () => judged)
  if (!judged.isStopped) await reportUnavailableGates(context, judged.gates)
  if (judged.turnedGreen.size > 0) await custody.keepReports(judged.turnedGreen)
  await custody.judgedTests(attempt.attemptId, judged.tests)
  return {
    result: recordedResult(context, attempt, findings, judged),
    allowed: judged.verdict === 'verified' ? judged.allowed : [],
    gateFault: gateFault(judged.gates),
  }
}

async function judge(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<WorkJudgement> {
  const { ports, config, verifier, signal, meter } = context
  const { after, textsBefore, place, difference, run } = findings
  const work = { taskId: attempt.task.id, difference, after, textsBefore, place, printed: run.stdout.text }
  const { answer, close } = answering({ ports, config, verifier, signal, meter, work })
  try {
    return await askUntilDecided(workCase(context, attempt, findings), answer)
  } finally {
    await close()
  }
}

async function reportUnavailableGates({ ports }: CycleContext, gates: readonly GateResult[]): Promise<void> {
  const unavailable = gates.filter(({ status }) => status === 'unavailable')
  for (const gate of unavailable)
    await ports.ledger.append({
      type: 'diagnostic-raised',
      code: 'gate-unavailable',
      taskId: null,
      message: `The gate \`${gate.command.join(' ')}\` could not run: ${gate.detail}`,
    })
}
