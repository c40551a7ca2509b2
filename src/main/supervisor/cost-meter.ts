import {
  type AttemptCosts,
  attemptCosts,
  type CheckCost,
  type CostSpan,
  costsByCheck,
} from '../../core/record/costs.ts'
import type { ReuseCheck } from '../ports/check-memory.ts'
import type { Clock } from '../ports/clock.ts'
import type { Verifier, WatchCheck } from '../ports/verifier.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/** Times what an attempt, or a heartbeat outside of its attempts, spends on checks. */
export interface CostMeter {
  /** Returns a timer for checks in the current tree or in the clean room. */
  readonly watch: (where: CostSpan['where']) => WatchCheck
  /** Times setting up or removing the clean room. */
  readonly room: <T>(work: () => Promise<T>) => Promise<T>
  /** Returns the costs from the meter's start until now. */
  readonly costs: (agentMs: number) => AttemptCosts
  readonly byCheck: () => CheckCost[]
}

export function startMeter(clock: Pick<Clock, 'monotonicMs'>): CostMeter {
  const startedMs = clock.monotonicMs()
  const spans: CostSpan[] = []
  async function timed<T>(span: Pick<CostSpan, 'where' | 'check'>, work: () => Promise<T>): Promise<T> {
    const fromMs = clock.monotonicMs()
    try {
      return await work()
    } finally {
      spans.push({ ...span, fromMs, toMs: clock.monotonicMs() })
    }
  }
  return {
    watch: (where) => (check, run) => timed({ where, check }, run),
    room: (work) => timed({ where: 'clean-room', check: null }, work),
    costs: (agentMs) => attemptCosts({ wholeMs: clock.monotonicMs() - startedMs, agentMs }, spans),
    byCheck: () => costsByCheck(spans),
  }
}

/** Sets up or removes the clean room, timed if there is a meter. */
export function inMeter<T>(meter: CostMeter | undefined, work: () => Promise<T>): Promise<T> {
  return meter === undefined ? work() : meter.room(work)
}

/** Returns the same context, with its checks timed by this meter. `reuse`: uses known results of checks. */
export function withMeter<
  Context extends {
    readonly ports: Pick<WorkspacePorts, 'createVerifier'>
    readonly config: WorkspaceConfig
  },
>(
  context: Context,
  meter: CostMeter,
  reuse?: ReuseCheck,
): Context & { readonly verifier: Verifier; readonly meter: CostMeter } {
  const { ports, config } = context
  const verifier = ports.createVerifier(config, { watch: meter.watch('in-place'), reuse })
  return { ...context, verifier, meter }
}
