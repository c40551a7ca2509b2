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
  /** Returns what an answer says, for comparison; `null`: it is no answer that may be used again. */
  readonly said: (answer: Answer) => string | null
  /** How long its last run took, without waiting for other checks. */
  readonly ranMs: () => number
}

/** Runs a check, or uses an answer that is known. */
export type ReuseCheck = <Answer>(check: ReusableCheck<Answer>, run: () => Promise<Answer>) => Promise<Answer>

/**
 * What checks that read the tree said in one workspace after its last attempt. Kept in this process only, where no program that is
 * measured can write. The rule for using an answer again is core's (`core/judgement/reuse.ts`).
 */
export interface CheckMemory {
  /** Until an agent starts: returns what uses answers again, and runs each check at most once. */
  recalling(config: WorkspaceConfig): ReuseCheck
  /** An agent starts: what is kept is forgotten. */
  agentStarts(): void
  /** An agent has ended, and its work will be judged: returns what runs each check once. */
  measuring(config: WorkspaceConfig): Promise<ReuseCheck>
  /** A second look at an answer was needed: nothing of this attempt is kept. */
  doubt(): void
  /** The attempt is over: keeps what checks said if it still describes what is there. Never rejects. */
  settle(): Promise<void>
}
