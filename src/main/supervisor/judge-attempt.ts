import type { AttemptResult } from '../../core/record/events.ts'
import { attemptResult } from './attempt-result.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { detectAttempt } from './detect-attempt.ts'
import type { RunFindings } from './run-findings.ts'
import { traceDetection, traceVerification } from './trace.ts'
import { verifyAttempt } from './verify-attempt.ts'

/** Verifies what the attempt left, and looks whether it calls for an intervention. */
export async function judgeAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<AttemptResult> {
  const verified = await traceVerification(context, attempt, () => verifyAttempt(context, attempt, findings))
  const detected = await traceDetection(context, attempt, () =>
    detectAttempt(context, attempt, findings, verified),
  )
  return attemptResult(context, attempt, findings, { ...verified, ...detected })
}
