import type { MeasuredCheck } from '../../core/record/costs.ts'
import type { WorkspaceConfig } from './workspace-config.ts'

/** A check whose answer the tree decides. */
export interface ReusableCheck<Answer> extends MeasuredCheck {
  /** The program that it runs, as it was approved. */
  readonly program: string
  /** Everything configured about it, and its environment. Equal texts are the same check. */
  readonly settings: string
  /** The PATH that it gets. */
  readonly searchPath: string
  /** Returns the content of an answer, for comparison; `null` if the answer must not be reused. */
  readonly said: (answer: Answer) => string | null
  /** How long its last run took, without waiting for other checks. */
  readonly ranMs: () => number
}

/** Runs a check, or reuses a known answer. */
export type ReuseCheck = <Answer>(check: ReusableCheck<Answer>, run: () => Promise<Answer>) => Promise<Answer>

/**
 * What checks that read the tree answered in one workspace after its last attempt. Kept only in this process, where no measured program can
 * write. The rule for reusing an answer is in the core (`core/judgement/reuse.ts`).
 */
export interface CheckMemory {
  /** Until an agent starts: returns a function that reuses answers, and runs each check at most once. */
  recalling(config: WorkspaceConfig): ReuseCheck
  /** Call when an agent starts; forgets what is kept. */
  agentStarts(): void
  /** Call when an agent has ended, before its work is judged: returns a function that runs each check once. */
  measuring(config: WorkspaceConfig): Promise<ReuseCheck>
  /** Call when an answer had to be checked again: nothing of this attempt is kept. */
  doubt(): void
  /** Call when the attempt is over: keeps what checks answered if it still describes the current tree. Never rejects. */
  settle(): Promise<void>
}
