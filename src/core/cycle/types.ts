import type { TaskStatus, WaitingFor } from '../vocabulary/task.ts'

/** What progress needs to know about a task; the parser's `TaskDefinition` fits. */
export interface ProgressTask {
  readonly id: string
  readonly maxAttempts: number
  readonly checked: boolean
}

export interface TaskProgress {
  readonly taskId: string
  readonly status: TaskStatus
  /** Attempts counted since the task's count was last reset. */
  readonly attempts: number
  /** When it was last attempted, in ISO 8601 with offset. */
  readonly lastAttemptAt: string | null
  /** The last verdict in words, for people. */
  readonly lastResult: string | null
  /** The `attemptLimit` if there is one, otherwise the limit in the heartbeat's contract. */
  readonly maxAttempts: number
  /** Attempts granted by a retry of the blocked task, until it is verified or skipped; absent without one. */
  readonly attemptLimit?: number
  /** What it waits for; absent if nothing. */
  readonly waiting?: WaitingFor
}

/** The content of `heartbeat-progress.json`, with ArgentOS's field names. */
export interface CycleProgress {
  readonly lastCycleAt: string | null
  readonly cycleCount: number
  readonly tasks: Readonly<Record<string, TaskProgress>>
}
