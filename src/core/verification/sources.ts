import type { AgentActivity } from '../activity/types.ts'
import type { StreamReach } from '../agents/own-report.ts'
import type { Claim } from '../claims/types.ts'
import type { Comparison } from './evidence-row.ts'
import type { FileClaimFinding, FileDifference, GateResult } from './types.ts'

/*
 * Four sources of one attempt side by side: what the agent claims, what its program reports, what the snapshot shows, and what probes and
 * gates measured. The verdict follows from the last two (design, section 7); the second tells when nothing supports a claim. It never
 * accuses by itself: a contradiction is a reason in words and a warning.
 */

/** The sources of one attempt. */
export interface Sources {
  readonly claim: Claim
  /** What the agent said in the run; empty if several tasks shared it. */
  readonly output: string
  /** `null` if the program reports nothing. */
  readonly activity: AgentActivity | null
  readonly reach: StreamReach
  readonly fileClaims: readonly FileClaimFinding[]
  readonly difference: FileDifference
  /** Claims with their measurements, as in the verdict. */
  readonly comparisons: readonly Comparison[]
  readonly gates: readonly GateResult[]
  /** Absolute path of the workspace. */
  readonly root: string
}
