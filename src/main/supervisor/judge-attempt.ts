import type { AttemptResult } from '../../core/record/events.ts'
import { gateFault } from '../../core/verification/gate-fault.ts'
import type { EnvironmentFault } from '../../core/verification/types.ts'
import { attemptResult } from './attempt-result.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { detectAttempt } from './detect-attempt.ts'
import type { RunFindings } from './run-findings.ts'
import { takeIntoCustody } from './take-into-custody.ts'
import { traceDetection, traceVerification } from './trace.ts'
import { verifyAttempt } from './verify-attempt.ts'

/** Verifies what the attempt left, and looks whether it calls for an intervention. */
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
  const verified = await traceVerification(context, attempt, async () =>
    takeIntoCustody(context, attempt, findings, await verifyAttempt(context, attempt, findings)),
  )
  const detected = await traceDetection(context, attempt, () =>
    detectAttempt(context, attempt, findings, verified),
  )
  const result = attemptResult(context, attempt, findings, { ...verified, ...detected })
  return {
    result,
    allowed: result.verdict === 'verified' ? verified.allowed : [],
    gateFault: gateFault(verified.gates),
  }
}
