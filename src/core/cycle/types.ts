import type { TaskStatus, WaitingFor } from '../vocabulary/task.ts'

/** What progress needs to know of a task; the parser's `TaskDefinition` fits. */
export interface ProgressTask {
  readonly id: string
  readonly maxAttempts: number
  readonly checked: boolean
}

export interface TaskProgress {
  readonly taskId: string
  readonly status: TaskStatus
  /** Attempts counted since the task was last open from zero. */
  readonly attempts: number
  /** ISO 8601 with offset. */
  readonly lastAttemptAt: string | null
  /** The last verdict in words, for people. */
  readonly lastResult: string | null
  /** As it stood in the contract of the cycle; where there is an `attemptLimit`, that. */
  readonly maxAttempts: number
  /** Attempts that a retry of the blocked task granted it, until it is verified or skipped; absent without one. */
  readonly attemptLimit?: number
  /** Absent where it does not wait. */
  readonly waiting?: WaitingFor
}

/** `heartbeat-progress.json`, with ArgentOS's field names. */
export interface CycleProgress {
  readonly lastCycleAt: string | null
  readonly cycleCount: number
  readonly tasks: Readonly<Record<string, TaskProgress>>
}
