import { describe, expect, it, vi } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { localDay } from '../../../core/pacing/schedule.ts'
import { each } from '../../../core/vocabulary/each.ts'
import { NOTIFICATION_KINDS, notificationSeverity } from '../../../core/vocabulary/notification.ts'
import { createNotificationGate } from '../../host/notification-gate.ts'
import type { Notification } from '../../ports/notifier.ts'
import type { SimulatedClock } from '../../testing/simulated-clock.ts'
import {
  report,
  type ScriptedRun,
  type SupervisedWorkspace,
  supervise,
} from '../testing/supervised-workspace.ts'
import { createWorkspaceLoop, type WorkspaceLoop } from './workspace-loop.ts'

/*
 * A week without the operator: three workspaces on one account whose service allows a number of tokens per window and says when
 * the next window begins, with a daily limit. The promises: no attempt while the window is closed, no limit exceeded by more than
 * the model's last answer, each problem notified once.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ZONE = 'Europe/Berlin'
const WINDOW_MS = 5 * HOUR
const WINDOW_TOKENS = 40_000
const ANSWER_TOKENS = 1_500
const DAY_TOKENS = 100_000

interface Start {
  readonly atMs: number
  readonly isClosed: boolean
}

/**
 * The service behind the account, with five-hour windows of a fixed number of tokens each. Once one is used up, it says when the next
 * begins.
 */
function scriptedService() {
  let clock: SimulatedClock | null = null
  let openedMs = Number.NEGATIVE_INFINITY
  let left = 0
  let closedAtMs = 0
  let closedUntilMs = 0
  const starts: Start[] = []
  const closings = new Set<number>()
  const usedByDay = new Map<string, number>()
  const nowMs = () => clock?.nowMs() ?? 0
  const limited = (): ScriptedRun => ({
    run: {
      outcome: 'unavailable',
      exitCode: 1,
      reason: "The service's limit is reached.",
      remedy: 'Wait.',
      resetsAtMs: closedUntilMs,
    },
  })
  const answer = (): boolean => {
    if (left <= 0) return false
    left -= ANSWER_TOKENS
    const day = localDay(nowMs(), ZONE)
    usedByDay.set(day, (usedByDay.get(day) ?? 0) + ANSWER_TOKENS)
    return true
  }
  /** An attempt of six answers; after each, reports what has been used so far. */
  function* told(): Generator<AgentEvent> {
    for (let answers = 1; answers <= 6; answers++) {
      if (!answer()) return
      const inputTokens = answers * ANSWER_TOKENS
      yield {
        kind: 'usage',
        usage: { inputTokens, outputTokens: 0, cachedInputTokens: null, costUsd: null },
      }
    }
  }
  return {
    at: (its: SimulatedClock) => {
      clock = its
    },
    starts,
    closings,
    usedByDay,
    run: (): ScriptedRun => {
      // An attempt already running at the moment the window closed could not know about it.
      starts.push({ atMs: nowMs(), isClosed: closedAtMs < nowMs() && nowMs() < closedUntilMs })
      if (nowMs() < closedUntilMs) return limited()
      if (nowMs() - openedMs >= WINDOW_MS) {
        openedMs = nowMs()
        left = WINDOW_TOKENS
      }
      if (left > 0)
        return { stdout: report('mail', { status: 'done', claims: { mail_count: 3 } }), events: told() }
      closedAtMs = nowMs()
      closedUntilMs = openedMs + WINDOW_MS
      closings.add(closedUntilMs)
      return limited()
    },
  }
}

const contract = '## Tasks\n- [ ] mail | Count the mail | required | verify: mail_count\n'
const toml = `[agent]\ncommand = ["agent"]\naccount = "work"\n[heartbeat]\ninterval_minutes = 90\nactive_hours = "20:00-08:00"\ntimezone = "${ZONE}"\n[probes.mail_count]\nfile = "mail"\nparse = "number"\n`

interface Night {
  readonly workspaces: readonly SupervisedWorkspace[]
  readonly loops: readonly WorkspaceLoop[]
  readonly told: readonly Notification[]
  readonly clock: SimulatedClock
}

async function threeWorkspaces(service: ReturnType<typeof scriptedService>): Promise<Night> {
  const workspaces: SupervisedWorkspace[] = []
  const told: Notification[] = []
  const open = async (): Promise<SupervisedWorkspace> => {
    const [first] = workspaces
    const workspace = await supervise({
      contract,
      toml,
      probes: { mail_count: 3 },
      runs: [],
      script: service.run,
      start: '2026-11-16T18:00',
      limits: { tokens: DAY_TOKENS },
      ...(first && { beside: first }),
      others: () => workspaces.slice(1).map(({ ports }) => [ports.id, ports.ledger.state] as const),
    })
    workspaces.push(workspace)
    return workspace
  }
  const first = await open()
  service.at(first.clock)
  const gate = createNotificationGate({
    notifier: { notify: (notification) => void told.push(notification) },
    emit: () => {},
    clock: first.clock,
    settings: () => ({ kinds: ALL_KINDS, quietHours: null }),
  })
  await open()
  await open()
  const loops = workspaces.map(({ ports }) =>
    createWorkspaceLoop({ ...ports, notifier: gate }, { scheduled: true }),
  )
  await Promise.all(loops.map((loop) => loop.start()))
  return { workspaces, loops, told, clock: first.clock }
}

const ALL_KINDS = each(NOTIFICATION_KINDS, () => true)

const settled = ({ loops }: Night) =>
  vi.waitFor(
    () => {
      for (const { next } of loops) expect(next.state).not.toBe('running')
    },
    { interval: 1, timeout: 20_000 },
  )

describe('a week of nights', () => {
  it('starts nothing while the window is closed, keeps the daily limit, and notifies about each problem once', async () => {
    const service = scriptedService()
    const night = await threeWorkspaces(service)
    const endMs = night.clock.nowMs() + 7 * 24 * HOUR
    while (night.clock.nowMs() < endMs) {
      await night.clock.advance(10 * MINUTE)
      await settled(night)
    }
    expect(service.starts.filter(({ isClosed }) => isClosed)).toEqual([])
    // Every window was used: no workspace idled through a night when one was open.
    expect(service.starts.length).toBeGreaterThan(7 * 5)
    for (const [day, used] of service.usedByDay) {
      expect(used, day).toBeLessThan(DAY_TOKENS + ANSWER_TOKENS + 1)
    }
    expect(Math.max(...service.usedByDay.values())).toBeGreaterThanOrEqual(DAY_TOKENS)
    const keys = night.told.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    const byDay = (about: Notification['about'], part: string) =>
      night.told.filter((each) => each.about === about && each.title.includes(part))
    const days = service.usedByDay.size
    // At most one notification a day that the limit for all is used up, however many workspaces reached it, and one warning before that.
    expect(byDay('budget', 'all workspaces is spent').length).toBeLessThanOrEqual(days)
    expect(byDay('budget', 'all workspaces is spent').length).toBeGreaterThan(3)
    expect(byDay('budget', 'nearly spent').length).toBeLessThanOrEqual(days)
    // Only the first workspace that meets a closed window reports it.
    const resets = byDay('agentUnavailable', 'parked until')
    expect(resets.length).toBeGreaterThan(3)
    expect(resets.length).toBeLessThanOrEqual(service.closings.size)
    expect(night.told.filter(({ about }) => about === 'trouble')).toEqual([])
    // A phone that receives warnings gets none for problems that resolve themselves, except for the daily limit.
    const pushed = night.told.filter(
      ({ about, severity }) => (severity ?? notificationSeverity(about)) !== 'info',
    )
    expect(pushed.filter(({ about }) => about !== 'budget')).toEqual([])
    const count = (severity: string) =>
      night.told.filter((each) => (each.severity ?? notificationSeverity(each.about)) === severity).length
    expect({ critical: count('critical'), warning: count('warning') }).toEqual({
      critical: 0,
      warning: byDay('budget', 'is spent').length,
    })
    // Each one says what the operator can do.
    for (const { body } of pushed) expect(body).toMatch(/To continue today, resume it or raise /)
    await Promise.all(night.loops.map((loop) => loop.stop()))
  }, 300_000)
})
