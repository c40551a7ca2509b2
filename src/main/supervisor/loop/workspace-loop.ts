import { RequestProblem } from '../../../api/request-problem.ts'
import { accountOf } from '../../../core/agents/account.ts'
import { HEARTBEAT_SETTINGS } from '../../../core/configuration/heartbeat.ts'
import {
  LATE_AFTER_MS,
  missedCount,
  type NextHeartbeat,
  nextMidnight,
  timestamp,
} from '../../../core/pacing/schedule.ts'
import { waitsElsewhere } from '../../../core/read-model/waits-elsewhere.ts'
import { resolveStanding } from '../../../core/scoring/standing.ts'
import type { Standing } from '../../../core/scoring/types.ts'
import type { NextState } from '../../../core/vocabulary/heartbeat.ts'
import { isFolderThere } from '../../files/durable-file.ts'
import { LONGEST_SLEEP_MS } from '../../ports/clock.ts'
import type { Kept } from '../../ports/parking.ts'
import type { TrustState, WorkspaceConfig } from '../../ports/workspace-config.ts'
import { isStoppedByOperator, OperatorStop } from '../operator-stop.ts'
import { traceCycle } from '../trace.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'
import type { CycleTrigger } from './cycle-trigger.ts'
import { configInForce, keptBy, lastCycleEndMs, planNext } from './plan-next.ts'
import { recordScoring } from './record-scoring.ts'
import { recoverInterrupted } from './recover.ts'
import { rollDay } from './roll-day.ts'
import { type CycleReport, runCycle } from './run-cycle.ts'
import { tellFailedCycle } from './tell-failed-cycle.ts'

/** The supervision of one workspace: decides when its heartbeats run, and runs them one at a time. */
export interface WorkspaceLoop {
  /** True while a heartbeat runs, or waits for its place to run. */
  readonly isBusy: boolean
  /** The configuration in effect; `null` if none was ever approved. */
  readonly config: WorkspaceConfig | null
  readonly trust: TrustState
  /** Whether the workspace's folder existed when its configuration was last read. */
  readonly isFolderThere: boolean
  readonly standing: Standing
  readonly next: Pick<NextHeartbeat, 'dueMs' | 'reason'> & {
    readonly state: NextState
  }
  /** Records what a crash left open and whether a new day began, then starts waiting for the first heartbeat. */
  start(): Promise<void>
  /** Ends a running attempt, records it, stops waiting. Nothing is left half done. */
  stop(): Promise<void>
  /**
   * Runs a cycle now. Rejects with a `RequestProblem` if none can begin or one is already running; with `join`, resolves with the running
   * cycle's report instead.
   */
  runNow(join?: boolean): Promise<CycleReport>
  /**
   * Ends the running cycle at once without scoring, and resolves when it has ended. Rejects with a `RequestProblem` if none is running, or
   * if `attemptId` is not the running attempt.
   */
  stopNow(attemptId?: string): Promise<void>
  /** Takes in what the operator has approved, without starting anything yet. */
  refreshTrust(): Promise<void>
  /** Something that affects the next heartbeat has changed: trust, pause, contract. */
  refresh(): Promise<void>
}

/** How long until a scheduled cycle that could not begin is tried again. */
const RETRY_AFTER_MS = 60_000

const CHANGED = {
  type: 'diagnostic-raised',
  code: 'configuration-changed',
  taskId: null,
  message:
    'pulseward.toml has changed since it was approved. The approved copy stays in effect until you approve the new one.',
} as const

/**
 * Loops that sleep at least this long wake together, once a second: otherwise a thousand loops would wake the machine 33 times a second.
 */
const WAKE_EVERY_MS = 1_000

export function createWorkspaceLoop(
  ports: WorkspacePorts,
  options: { readonly scheduled: boolean },
): WorkspaceLoop {
  return new Loop(ports, options.scheduled)
}

/*
 * Invariants:
 * 1. At most one cycle runs at a time (`cycle` is its promise); requests for another are refused.
 * 2. After every await in `waitAndRun`, `stopping` is checked before anything is started.
 * 3. `refresh` and `stop` only abort the sleep; the loop itself then decides what to do from the ledger's
 *    state.
 */
class Loop implements WorkspaceLoop {
  trust: TrustState = { kind: 'missing', reason: 'The configuration has not been read yet.' }
  private readonly ports: WorkspacePorts
  private readonly scheduled: boolean
  private readonly stopping = new AbortController()
  private wake = new AbortController()
  /** Ends the running cycle. */
  private ending = new AbortController()
  private cycle: Promise<CycleReport> | null = null
  private waiting: Promise<void> = Promise.resolve()
  /** Since when (epoch ms) a heartbeat has been waiting for a free place to run; `null` if none is. */
  private queuedSinceMs: number | null = null
  /** Whether the running or waiting cycle was started by hand. */
  private isByHand = false
  /** When a scheduled cycle that could not begin may be tried again (epoch ms). */
  private retryAtMs = 0
  isFolderThere = true
  /** Another host of the fleet runs this shared work, if that is known. */
  private keptElsewhere: Kept | null = null
  /** Whether the supervisor was not running when the next heartbeat came due. */
  private wasDown = true

  constructor(ports: WorkspacePorts, scheduled: boolean) {
    this.ports = ports
    this.scheduled = scheduled
  }

  get isBusy(): boolean {
    return this.cycle !== null
  }

  get config(): WorkspaceConfig | null {
    return configInForce(this.trust)
  }

  get zone(): string {
    return this.config?.heartbeat.timezone ?? 'local'
  }

  get standing(): Standing {
    const { score, rules } = this.ports.ledger.state
    const minutes = this.config?.heartbeat.intervalMinutes ?? HEARTBEAT_SETTINGS.interval_minutes.default
    return resolveStanding(score, rules, minutes)
  }

  get next(): WorkspaceLoop['next'] {
    const nowMs = this.ports.clock.nowMs()
    if (this.queuedSinceMs !== null && this.isWanted) {
      return {
        dueMs: this.queuedSinceMs,
        reason: 'Waits for a running heartbeat of another workspace to end.',
        state: dueState(this.queuedSinceMs, nowMs),
      }
    }
    if (this.cycle !== null && this.queuedSinceMs === null)
      return { dueMs: null, reason: 'A heartbeat is running.', state: 'running' }
    const { dueMs, reason, isParked } = this.schedule()
    if (dueMs === null) return { dueMs, reason, state: 'none' }
    if (isParked === true) return { dueMs, reason, state: 'parked' }
    return { dueMs, reason, state: dueMs > nowMs ? 'waiting' : dueState(dueMs, nowMs) }
  }

  async start(): Promise<void> {
    await this.refreshTrust()
    await recoverInterrupted(this.ports, this.zone, this.config)
    await rollDay(this.ports, this.zone)
    this.parkAgain()
    if (this.scheduled) this.waiting = this.waitAndRun()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    this.wake.abort()
    await Promise.allSettled([this.waiting, this.cycle])
    await this.ports.lease?.release()
  }

  async refresh(): Promise<void> {
    await this.refreshTrust()
    this.retryAtMs = 0
    this.keptElsewhere = null
    this.wake.abort()
    this.changed()
  }

  async runNow(join = false): Promise<CycleReport> {
    if (this.stopping.signal.aborted) throw new RequestProblem('conflict', 'Pulseward is stopping.')
    if (this.cycle !== null) {
      if (this.queuedSinceMs !== null && (join || !this.isWanted)) {
        // It is waiting for its place, and would no longer run by itself.
        this.isByHand = true
        return this.cycle
      }
      if (join) return this.cycle
      throw new RequestProblem(
        'conflict',
        `A heartbeat of ${this.ports.name} is running already. Wait for its end.`,
      )
    }
    return this.begin({ trigger: 'manual', dueAt: null })
  }

  /** Restores parking from before the restart, for all that share the account. */
  private parkAgain(): void {
    const { backoff } = this.ports.ledger.state
    if (this.config === null || backoff?.isParked !== true) return
    this.ports.parking.park(
      accountOf(this.config.agent, this.ports.directory),
      this.ports.id,
      Date.parse(backoff.until),
      backoff.reason,
    )
  }

  async stopNow(attemptId?: string): Promise<void> {
    const { cycle, ports } = this
    if (cycle === null || this.queuedSinceMs !== null) {
      throw new RequestProblem('conflict', `Nothing is running in ${ports.name}.`)
    }
    const { attempt, others = [] } = ports.ledger.state.running ?? { attempt: null }
    const running = attempt?.attemptId
    if (attemptId !== undefined && ![attempt, ...others].some((each) => each?.attemptId === attemptId)) {
      const now = running === undefined ? 'no attempt runs at this moment' : `${running} is`
      throw new RequestProblem('conflict', `${attemptId} is not running in ${ports.name}; ${now}.`)
    }
    this.ending.abort(new OperatorStop())
    await cycle.catch(() => undefined)
  }

  async refreshTrust(): Promise<void> {
    this.isFolderThere = await isFolderThere(this.ports.directory)
    const before: TrustState['kind'] = this.trust.kind
    const trust = await this.ports.refreshTrust()
    this.trust = trust
    // An agent's edit of the file waits as a proposed change: the operator is not asked to approve it as their own.
    const isProposed = this.ports.ledger.state.proposals.some(
      ({ file, state }) => file === 'pulseward.toml' && state === 'pending',
    )
    // After a restart the request is still open; don't ask again.
    const isAsked =
      before === 'missing' &&
      this.ports.ledger.state.notices.some(
        ({ code, message }) => code === CHANGED.code && message === CHANGED.message,
      )
    if (before !== 'changed' && trust.kind === 'changed' && !isProposed && !isAsked) {
      await this.ports.ledger.append(CHANGED)
    }
    await recordScoring(this.ports.ledger, this.config)
  }

  /** Runs the loop. Never rejects: a cycle that fails is logged, notified and tried again later. */
  private async waitAndRun(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Before the first await, so that anything that arrives later wakes it.
      this.wake = new AbortController()
      const { state } = this.ports.ledger
      const { dueMs, passedOver } = this.schedule()
      const nowMs = this.ports.clock.nowMs()
      try {
        // A host that does not run the work for long must not block others.
        if (dueMs === null || passedOver !== null) await this.ports.lease?.release()
        if (this.ports.ledger.state !== state) continue
        if (passedOver !== null && passedOver.dueMs <= nowMs) await this.recordSkipped(passedOver)
        // A skipped heartbeat is recorded at its due time.
        if (dueMs === null || dueMs > nowMs) await this.sleepUntil(soonest(nowMs, dueMs, passedOver?.dueMs))
        else await this.runDue(dueMs, nowMs)
      } catch (error) {
        this.retryAtMs = this.ports.clock.nowMs() + RETRY_AFTER_MS
        await tellFailedCycle(this.ports, error, this.stopping.signal.aborted)
      }
    }
  }

  /** Does not plan the next heartbeat again until something that affects it has changed: many loops sleep here. */
  private async sleepUntil(dueMs: number | null): Promise<void> {
    const { clock, ledger } = this.ports
    const midnightMs = nextMidnight(clock.nowMs(), this.zone)
    const untilMs = Math.min(dueMs ?? Number.POSITIVE_INFINITY, midnightMs)
    const { state } = ledger
    const kept = keptBy(this.ports, this.config)
    let wasSetBack = false
    do {
      if (this.stopping.signal.aborted) return
      const nowMs = clock.nowMs()
      const sleepMs = Math.min(untilMs - nowMs, LONGEST_SLEEP_MS - (nowMs % WAKE_EVERY_MS))
      await clock.sleep(sleepMs, this.wake.signal)
      // Waking far too late means that the machine slept: what came due during that time was missed, not late.
      this.wasDown = clock.nowMs() - (nowMs + sleepMs) > LATE_AFTER_MS
      wasSetBack = clock.nowMs() < nowMs
    } while (
      !this.wake.signal.aborted &&
      !this.wasDown &&
      !wasSetBack &&
      clock.nowMs() < untilMs &&
      ledger.state === state &&
      keptBy(this.ports, this.config) === kept
    )
    if (this.stopping.signal.aborted) return
    if (await rollDay(this.ports, this.zone)) this.changed()
  }

  /** Records a heartbeat that a pause or the active hours skipped, once. */
  private async recordSkipped(passedOver: NonNullable<NextHeartbeat['passedOver']>): Promise<void> {
    const dueAt = timestamp(passedOver.dueMs, this.zone)
    const latest = this.ports.ledger.state.heartbeats[0]
    if (latest?.state === 'skipped' && Date.parse(latest.at) === passedOver.dueMs) return
    await this.ports.ledger.append({ type: 'heartbeat-skipped', dueAt, reason: passedOver.reason })
    this.changed()
  }

  private async runDue(dueMs: number, nowMs: number): Promise<void> {
    const interval = this.standing.intervalMinutes
    const lastMs = lastCycleEndMs(this.ports, interval)
    const isLate = lastMs !== null && nowMs - dueMs > LATE_AFTER_MS
    const missed = this.wasDown && isLate && !waitsElsewhere(this.ports.ledger.state)
    this.wasDown = false
    if (missed) {
      await this.ports.ledger.append({
        type: 'heartbeats-missed',
        from: timestamp(dueMs, this.zone),
        to: timestamp(nowMs, this.zone),
        count: missedCount(dueMs, nowMs, interval, this.hours()),
      })
    }
    if (this.cycle !== null) {
      await this.cycle.catch(() => undefined)
      return
    }
    await this.begin({ trigger: missed ? 'catch-up' : 'schedule', dueAt: timestamp(dueMs, this.zone) })
  }

  private hours(): Parameters<typeof missedCount>[3] {
    const activeHours = this.config?.heartbeat.activeHours ?? null
    return activeHours === null ? null : { activeHours, zone: this.zone }
  }

  /** Leaves shared work to the host that has its lease; `null` if this host has it. */
  private async elsewhere(trigger: CycleTrigger): Promise<CycleReport | null> {
    const { lease, clock, ledger } = this.ports
    if (lease === undefined || this.config === null) return null
    const answer = await lease.hold(this.config.heartbeat, 0)
    if (answer.kind === 'held') {
      this.keptElsewhere = null
      return null
    }
    const { reason, againMs, holder } = answer
    this.keptElsewhere = { untilMs: clock.nowMs() + againMs, reason, isClosed: false }
    if (trigger.dueAt === null) throw new RequestProblem('conflict', reason)
    const latest = ledger.state.heartbeats[0]
    // Report the same host only once; if the hub is unreachable, try again soon.
    if (holder !== null && (latest?.state !== 'skipped' || latest.detail?.includes(reason) !== true))
      await ledger.append({
        type: 'heartbeat-skipped',
        dueAt: trigger.dueAt,
        reason: 'elsewhere',
        why: reason,
      })
    return { cycle: ledger.state.progress.cycleCount, attempts: [] }
  }

  private begin(trigger: CycleTrigger): Promise<CycleReport> {
    this.queuedSinceMs = this.ports.clock.nowMs()
    this.isByHand = trigger.dueAt === null
    this.ending = new AbortController()
    const signal = AbortSignal.any([this.stopping.signal, this.ending.signal])
    const place = {
      dueMs: trigger.dueAt === null ? null : Date.parse(trigger.dueAt),
      signal: this.stopping.signal,
    }
    const account = this.config === null ? null : accountOf(this.config.agent, this.ports.directory)
    if (account !== null) this.ports.parking.begins(account, this.ports.id)
    let hasAnswered = false
    const cycle = this.ports
      .withSlot(async () => {
        if (this.stopping.signal.aborted) throw new RequestProblem('conflict', 'Pulseward is stopping.')
        if (!this.isWanted) return { cycle: this.ports.ledger.state.progress.cycleCount, attempts: [] }
        this.queuedSinceMs = null
        this.changed()
        await this.refreshTrust()
        // A heartbeat whose end could not be recorded, for example on a full disk, is still open.
        await recoverInterrupted({ ...this.ports, diedAlone: false }, this.zone)
        const left = await this.elsewhere(trigger)
        if (left !== null) return left
        const report = await traceCycle(this.ports, trigger, () => runCycle(this.ports, trigger, signal))
        hasAnswered =
          !isStoppedByOperator(signal) &&
          report.attempts.length > 0 &&
          (this.ports.ledger.state.backoff?.byGate ?? this.ports.ledger.state.backoff === null)
        return report
      }, place)
      .finally(() => {
        this.cycle = null
        this.queuedSinceMs = null
        if (account !== null) this.ports.parking.ends(account, this.ports.id, hasAnswered)
        this.wake.abort()
        this.changed()
      })
    this.cycle = cycle
    return cycle
  }

  /**
   * Checks again before starting: a pause or a closed account may have come while it waited for its place. A cycle started by hand runs
   * anyway.
   */
  private get isWanted(): boolean {
    if (this.isByHand) return true
    const { dueMs } = this.schedule()
    return dueMs !== null && dueMs <= this.ports.clock.nowMs()
  }

  private schedule(): NextHeartbeat {
    return planNext(this.ports, {
      trust: this.trust,
      standing: this.standing,
      zone: this.zone,
      keptElsewhere: this.keptElsewhere,
      retryAtMs: this.retryAtMs,
    })
  }

  private changed(): void {
    this.ports.emit({ type: 'workspace-updated', workspace: this.ports.id, view: null })
  }
}

/** Returns the state of a heartbeat that was due at `dueMs` and has not begun. */
function dueState(dueMs: number, nowMs: number): 'due' | 'late' {
  return nowMs - dueMs > LATE_AFTER_MS ? 'late' : 'due'
}

/** Returns the earliest of these times that is still in the future; `null` if none is. */
function soonest(nowMs: number, ...times: readonly (number | null | undefined)[]): number | null {
  const ahead = times.filter((ms): ms is number => typeof ms === 'number' && ms > nowMs)
  return ahead.length === 0 ? null : Math.min(...ahead)
}
