import { accountOf } from '../../../core/agents/account.ts'
import {
  isAhead,
  type NextHeartbeat,
  nextHeartbeat,
  type ScheduleInput,
} from '../../../core/pacing/schedule.ts'
import { idleWords, intervalWords } from '../../../core/read-model/standing-words.ts'
import { sayAmount } from '../../../core/record/budget.ts'
import type { WorkspaceState } from '../../../core/record/state.ts'
import type { Standing } from '../../../core/scoring/types.ts'
import type { Kept } from '../../ports/parking.ts'
import type { TrustState, WorkspaceConfig } from '../../ports/workspace-config.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/** What a workspace's loop knows about its next heartbeat besides its record. */
interface LoopFacts {
  readonly trust: TrustState
  readonly standing: Standing
  readonly zone: string
  /** Another host of the fleet runs this shared work, if that is known. */
  readonly keptElsewhere: Kept | null
  /** When a scheduled cycle that could not begin may be tried again (epoch ms). */
  readonly retryAtMs: number
}

/** Returns the configuration that was approved, even if it changed since; `null` if none ever was. */
export function configInForce(trust: TrustState): WorkspaceConfig | null {
  return trust.kind === 'approved' || trust.kind === 'changed' ? trust.config : null
}

/**
 * Returns when the next heartbeat of a workspace is due, and why, based on its record, its configuration, the power and its agent's
 * account.
 */
export function planNext(ports: WorkspacePorts, facts: LoopFacts): NextHeartbeat {
  const config = configInForce(facts.trust)
  if (config === null) return { dueMs: null, reason: whyUnapproved(facts.trust), passedOver: null }
  const { state } = ports.ledger
  const { paused, backoff, suspended } = state
  const { intervalMinutes } = facts.standing
  const next = nextHeartbeat({
    nowMs: ports.clock.nowMs(),
    lastCycleEndMs: lastCycleEndMs(ports, intervalMinutes),
    intervalMinutes,
    intervalReason:
      `${idleWords(state)} ${intervalWords(state, facts.standing, config.heartbeat.intervalMinutes)}`.trim(),
    activeHours: config.heartbeat.activeHours,
    zone: facts.zone,
    paused: paused === null ? null : pauseOf(paused),
    suspended,
    waitsForPower: isOnBattery(ports, config),
    backoff:
      backoff === null
        ? null
        : { untilMs: Date.parse(backoff.until), reason: backoff.reason, isParked: backoff.isParked },
    kept: keptByAccount(ports, config) ?? facts.keptElsewhere,
  })
  if (next.dueMs === null || next.dueMs >= facts.retryAtMs) return next
  return {
    dueMs: facts.retryAtMs,
    reason: 'The last heartbeat could not begin; it is tried again in a minute.',
    passedOver: null,
  }
}

/** Returns what delays the next heartbeat without a notification: the power, or others on the same account. */
export function keptBy(ports: WorkspacePorts, config: WorkspaceConfig | null): string {
  if (config === null) return ''
  const kept = keptByAccount(ports, config)
  return `${isOnBattery(ports, config)} ${kept?.untilMs} ${kept?.reason}`
}

/** Returns when the last cycle ended (epoch ms); `null` if none has. */
export function lastCycleEndMs({ ledger, clock }: WorkspacePorts, intervalMinutes: number): number | null {
  const { lastCycleAt, idleAt } = ledger.state
  const ends = [lastCycleAt, idleAt].flatMap((at) => (at === null ? [] : [Date.parse(at)]))
  const nowMs = clock.nowMs()
  // A time from a clock that was ahead only counts if there is no other: it would start every heartbeat immediately.
  const inTime = ends.filter((endMs) => !isAhead(endMs, nowMs, intervalMinutes))
  return ends.length === 0 ? null : Math.max(...(inTime.length > 0 ? inTime : ends))
}

function keptByAccount({ parking, id, directory }: WorkspacePorts, { agent }: WorkspaceConfig): Kept | null {
  return parking.keeps(accountOf(agent, directory), id, agent.windowShare01)
}

/** The power is only queried if the answer can delay a heartbeat. */
function isOnBattery({ power }: WorkspacePorts, { heartbeat }: WorkspaceConfig): boolean {
  return heartbeat.pauseOnBattery && power.onBattery()
}

function whyUnapproved(trust: TrustState): string {
  return trust.kind === 'missing'
    ? trust.reason
    : 'Not approved yet: look at the commands of pulseward.toml and approve them.'
}

function pauseOf({ until, limit }: NonNullable<WorkspaceState['paused']>): ScheduleInput['paused'] {
  const untilMs = until === null ? null : Date.parse(until)
  if (limit === null) return { untilMs }
  const whose = limit.scope === 'all' ? ' of all workspaces' : ''
  return { untilMs, why: `the day's budget${whose} of ${sayAmount(limit.unit, limit.limit)} is spent` }
}
