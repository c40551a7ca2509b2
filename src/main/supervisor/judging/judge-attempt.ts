import { askUntilDecided } from '../../../core/judgement/ask-until-decided.ts'
import { gateFault } from '../../../core/judgement/gate-fault.ts'
import type { WorkJudgement } from '../../../core/judgement/judgement.ts'
import { lackingGates, sayLacking } from '../../../core/judgement/lacking-checks.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import type { EnvironmentFault } from '../../../core/verification/types.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { traceDetection, traceVerification } from '../trace.ts'
import { answering } from './answer-questions.ts'
import { recordedResult } from './recorded-result.ts'
import type { RunFindings } from './run-findings.ts'
import { workCase } from './work-case.ts'

/**
 * Judges one attempt by the decision procedure, and collects what follows besides the verdict: gates that could not run, and tests that
 * turned green.
 */
export async function judgeAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<{
  readonly result: AttemptResult
  readonly allowed: readonly string[]
  /** What prevented a gate from starting; `null` if no gate was needed, or all started. */
  readonly gateFault: EnvironmentFault | null
}> {
  const { custody } = context.ports
  const judged = await traceVerification(context, attempt, () => judge(context, attempt, findings))
  // Detection measures nothing itself: its questions were answered with the rest.
  await traceDetection(context, attempt, async () => judged)
  if (!judged.isStopped) await reportUnavailable(context, attempt, judged)
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

/** Reports gates that could not run, and checks that lack variables: the operator has to act. */
async function reportUnavailable(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  { gates, lacking }: WorkJudgement,
): Promise<void> {
  const ofGates = new Set(lackingGates(gates).map(({ check }) => check))
  const found = [
    ...gates
      .filter(({ status }) => status === 'unavailable')
      .map(({ command, detail }) => ({
        taskId: null,
        message: `The gate \`${command.join(' ')}\` could not run: ${detail}`,
      })),
    ...lacking.map((one) => ({
      taskId: ofGates.has(one.check) ? null : task.id,
      message: `${sayLacking(one)}. ${one.remedy}`,
    })),
  ]
  for (const one of found)
    await ports.ledger.append({ type: 'diagnostic-raised', code: 'gate-unavailable', ...one })
}
