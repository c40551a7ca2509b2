import type { Hint } from '../../core/contract/hint.ts'
import type { Contract, TaskDefinition } from '../../core/contract/types.ts'
import type { Standing } from '../../core/scoring/types.ts'
import type { CriterionInput, Measurement } from '../../core/verification/types.ts'
import type { ComplexityLevel } from '../../core/vocabulary/complexity.ts'
import type { AgentRunner } from '../ports/agent-runner.ts'
import type { Verifier } from '../ports/verifier.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { CostMeter } from './cost-meter.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/** What applies to one whole cycle: the contract and the configuration as they were when it began. */
export interface CycleContext {
  readonly ports: WorkspacePorts
  readonly config: WorkspaceConfig
  readonly probeNames: readonly string[]
  readonly contract: Contract
  readonly contractText: string
  readonly contractHash: string
  /** Tasks that an agent added and the operator has not accepted: they don't score. */
  readonly proposed: ReadonlySet<string>
  /** Tasks on disk that do not count at all. */
  readonly leftOut: number
  readonly tasks: readonly TaskDefinition[]
  /** By id, without later additions by agents. */
  readonly operatorsTasks: ReadonlyMap<string, TaskDefinition>
  readonly standing: Standing
  readonly cycle: number
  readonly agent: AgentRunner
  readonly verifier: Verifier
  /** Times the checks of the attempt, or of the heartbeat outside of its attempts; if omitted, they are not timed. */
  readonly meter?: CostMeter
  /** The operator started it. */
  readonly byHand?: boolean
  /** Aborted when the supervisor stops. */
  readonly signal: AbortSignal
}

/** One task of a run, with what was read before the agent started. */
export interface PlannedAttempt {
  readonly attemptId: string
  readonly task: TaskDefinition
  readonly hint: Hint
  readonly required: boolean
  readonly before: Measurement
  /** The task's acceptance criteria that have their own check. */
  readonly criteria: readonly Omit<CriterionInput, 'after'>[]
}

/** How long one run of the agent may take, and why. */
export interface RunTimeout {
  readonly seconds: number
  readonly reason: string
  /** Kind of work by task id. */
  readonly levels: ReadonlyMap<string, ComplexityLevel>
}
