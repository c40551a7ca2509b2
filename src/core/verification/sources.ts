import type { AgentActivity } from '../activity/types.ts'
import type { StreamReach } from '../agents/own-report.ts'
import type { Claim } from '../claims/types.ts'
import type { EvidenceKind, Refutation } from '../vocabulary/evidence.ts'
import type { Comparison, FileClaimFinding, FileDifference, GateResult } from './types.ts'

/*
 * Four sources of one attempt held side by side: what the agent claims, what its program reports, what the snapshot shows, what
 * probes and gates measured. The verdict follows from the last two (design, section 7); the second says where a claim came from
 * nowhere. It never accuses by itself: a contradiction is a reason in words and a warning.
 */

/** A claim that the program's own report does not bear out. */
export interface EvidenceContradiction {
  readonly kind: Refutation
  /** The file, or the command line; empty where no command is named. */
  readonly subject: string
  /** A sentence with what was claimed and what is there. */
  readonly reason: string
}

/** One thing as each source has it; `null` where a source says nothing of such things. */
export interface EvidenceRow {
  readonly kind: EvidenceKind
  readonly subject: string
  readonly claimed: string | null
  readonly reported: string | null
  readonly snapshot: string | null
  readonly measured: string | null
  /** Whether the claim is borne out; `null` where nothing tells. */
  readonly agrees: boolean | null
}

export interface Reconciliation {
  readonly rows: readonly EvidenceRow[]
  readonly contradictions: readonly EvidenceContradiction[]
}

/** What the sources of one attempt are. */
export interface Sources {
  readonly claim: Claim
  /** What the agent said in the run; empty where several tasks shared it. */
  readonly output: string
  /** `null` where the program reports nothing. */
  readonly activity: AgentActivity | null
  readonly reach: StreamReach
  readonly fileClaims: readonly FileClaimFinding[]
  readonly difference: FileDifference
  /** Claims beside measurements, as the verdict has them. */
  readonly comparisons: readonly Comparison[]
  readonly gates: readonly GateResult[]
  /** Absolute path of the workspace. */
  readonly root: string
}
