import type { Claim, JsonValue } from '../../core/claims/types.ts'
import type { Hint } from '../../core/contract/hint.ts'
import type { MeasuredCheck } from '../../core/record/costs.ts'
import type {
  ExpressionResult,
  FileDifference,
  GateResult,
  JudgeResult,
  ProbeReading,
} from '../../core/verification/types.ts'

/** Runs a check and notes how long that took. */
export type WatchCheck = <T>(check: MeasuredCheck, run: () => Promise<T>) => Promise<T>

/** Reads the real state, independently of the agent. Nothing here rejects; failures are in the result. */
export interface Verifier {
  readProbes(names: readonly string[], signal: AbortSignal): Promise<readonly ProbeReading[]>
  /** `changedPaths`: what this attempt changed, for `changed(glob)`; empty before the attempt. */
  evaluate(
    hint: Extract<Hint, { kind: 'expression' }>,
    readings: readonly ProbeReading[],
    changedPaths: readonly string[],
    signal: AbortSignal,
  ): Promise<ExpressionResult>
  /**
   * `reported`: only gates that end in a test runner with a report that we can read; a number: the gate at this place. `until`: with `red`, no gates are run after the
   * first that is not green.
   */
  runGates(
    signal: AbortSignal,
    which?: 'all' | 'reported' | number,
    until?: 'end' | 'red',
  ): Promise<readonly GateResult[]>
  /** Returns whether a command of `succeeds` is approved and ends in a test runner with a report that we read. */
  canReport(command: string): Promise<boolean>
  /** Returns `null` if no judge is configured. */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeResult | null>
}

export interface JudgeQuestion {
  readonly taskId: string
  readonly description: string
  readonly criteria: readonly string[]
  readonly claim: Claim
  readonly difference: FileDifference
  readonly output: string
}

/** Values that an expression may see, by probe name. */
export type ProbeValues = Readonly<Record<string, JsonValue>>
