import type { PermissionDecision } from '../../core/vocabulary/permission.ts'
import type { PermissionQuestion } from './agent-runner.ts'

/** An agent's question, and who asks. */
export interface OperatorQuestion extends PermissionQuestion {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly attemptId: string
  readonly taskId: string
  readonly agentId: string
  /** What `[agent] allow` already contains. */
  readonly allow: readonly string[]
}

/** How a question was answered. `unattended`: no one is there to ask. */
export type OperatorAnswer = PermissionDecision | 'unattended'

/** The person who supervises the agents, if there is one. */
export interface Operator {
  /** Resolves with the answer; with `expired` after `timeoutMs`, or when `signal` aborts. Never rejects. */
  ask(question: OperatorQuestion, timeoutMs: number, signal: AbortSignal): Promise<OperatorAnswer>
}
