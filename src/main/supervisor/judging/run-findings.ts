import type { SeenPlace } from '../../../core/claims/seen-from-repository.ts'
import type { Claim } from '../../../core/claims/types.ts'
import type { Contract } from '../../../core/contract/types.ts'
import type { RaisedIntervention } from '../../../core/record/events.ts'
import type { EnvironmentFault, FileDifference } from '../../../core/verification/types.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import type { BaseDifference, ReachingSource } from '../../ports/custody.ts'
import type { KeptTexts, Snapshot } from '../../ports/snapshotter.ts'
import type { RunTimeout } from '../cycle-context.ts'

/** What a finished run of the agent left behind for one of its tasks. */
export interface RunFindings {
  readonly run: AgentRun
  readonly difference: FileDifference
  /** The workspace after the run. */
  readonly after: Snapshot
  readonly environmentFault: EnvironmentFault | null
  readonly claim: Claim
  /** Epoch ms, wall clock. */
  readonly startedAtMs: number
  readonly timeout: RunTimeout
  readonly tasksInRun: number
  /** What the prompt contained about earlier attempts; `null` if nothing. */
  readonly feedback: { readonly messages: number; readonly aggressive: boolean } | null
  /** Uncommitted paths, if a clean repository is required. */
  readonly uncommitted: readonly string[]
  /** As the agent left it; `null` if it can no longer be read. */
  readonly contractAfter: Contract | null
  readonly interventions: readonly RaisedIntervention[]
  /** The workspace's place in its repository. */
  readonly place: SeenPlace & { readonly top: string | null }
  /** When the agent was started, on the file system's clock (epoch ms); `null` if unknown. */
  readonly startMarkMs: number | null
  /** Whether a file of the workspace changed, or a tool call was begun or still open, shortly before it was ended. */
  readonly wasAtWork: boolean
  /** The files' texts before the run; `null` if the folder is in no repository. */
  readonly textsBefore: KeptTexts
  /** What differs from the baseline. */
  readonly differences: readonly BaseDifference[]
  /** Sources that tamper with what runs their tests. */
  readonly reaching: readonly ReachingSource[]
}
