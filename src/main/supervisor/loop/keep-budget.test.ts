import { describe, expect, it } from 'vitest'
import type { AgentActivity } from '../../../core/activity/types.ts'
import {
  report,
  type ScriptedRun,
  type SupervisedWorkspace,
  supervise,
} from '../testing/supervised-workspace.ts'
import { runCycle } from './run-cycle.ts'
import { createWorkspaceLoop } from './workspace-loop.ts'

const contract = '## Tasks\n- [ ] a | Do a | required\n- [ ] b | Do b | required\n- [ ] c | Do c | required\n'
const limited = '[agent]\npreset = "claude"\ndaily_budget_usd = 0.05\n'

function costing(costUsd: number | null): ScriptedRun {
  const activity: AgentActivity = {
    sessionId: null,
    model: null,
    version: null,
    usage:
      costUsd === null ? null : { inputTokens: 1000, outputTokens: 50, cachedInputTokens: null, costUsd },
    calls: [],
    omittedCalls: 0,
    unknownEvents: {},
    final: null,
  }
  return { stdout: report('a', { status: 'failed' }), run: { activity } }
}

const activityOf = (inputTokens: number): AgentActivity => ({
  sessionId: null,
  model: null,
  version: null,
  usage: { inputTokens, outputTokens: 0, cachedInputTokens: null, costUsd: null },
  calls: [],
  omittedCalls: 0,
  unknownEvents: {},
  final: null,
})

const cycle = (workspace: SupervisedWorkspace, trigger: 'manual' | 'schedule') =>
  runCycle(workspace.ports, { trigger, dueAt: null }, new AbortController().signal)

const tasksOf = ({ attempts }: Awaited<ReturnType<typeof cycle>>) => attempts.map(({ taskId }) => taskId)

const notificationsOf = ({ notifications }: SupervisedWorkspace) =>
  notifications.filter(({ key }) => key.startsWith('budget:'))

describe('the daily budget', () => {
  it('lets the running attempt end, then pauses until the next day and says so', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.03)] })
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b'])
    const { state } = workspace.ledger
    expect(state.paused).toEqual({
      since: expect.any(String),
      until: '2026-11-21T00:00:00.000+01:00',
      limit: { scope: 'workspace', unit: 'usd', limit: 0.05, used: 0.06, isEstimate: false },
    })
    expect(state.heartbeats[0]?.detail).toMatch(/^The day's budget is used up; /)
    expect(state.notices[0]).toMatchObject({
      code: 'budget-reached',
      message: "$0.06 of the day's $0.05 are spent: paused until the next day.",
    })
    expect(notificationsOf(workspace)).toMatchObject([
      { title: "w: the day's budget is spent", body: expect.stringContaining('daily_budget_usd') },
    ])
  })

  it('explains the pause as the reason for the next heartbeat, which runs at midnight', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.06)] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    expect(workspace.ledger.state.progress.cycleCount).toBe(1)
    expect(loop.next.reason).toBe("Paused until 00:00: the day's budget of $0.05 is spent.")
    await workspace.clock.advance(14 * 60 * 60_000)
    await workspace.clock.sleeping()
    expect(workspace.ledger.state.progress.cycleCount).toBe(2)
    expect(workspace.ledger.state.day).toBe('2026-11-21')
    await loop.stop()
  })

  it('does not stop an operator who resumes, or who runs a heartbeat by hand', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.06)] })
    await cycle(workspace, 'schedule')
    expect(tasksOf(await cycle(workspace, 'manual'))).toEqual(['a', 'b', 'c'])
    await workspace.ledger.append({ type: 'resumed' })
    expect(workspace.ledger.state.notices).toEqual([])
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b', 'c'])
    expect(notificationsOf(workspace)).toHaveLength(1)
  })

  it('starts over when another configuration is approved', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.06)] })
    await cycle(workspace, 'schedule')
    await workspace.ledger.append({ type: 'configuration-approved', hash: 'h' })
    expect(workspace.ledger.state).toMatchObject({ paused: null, notices: [] })
  })

  it('does not affect a workspace that the operator has paused', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.01)] })
    await workspace.ledger.append({ type: 'paused', until: null })
    await workspace.ledger.append({ type: 'configuration-approved', hash: 'h' })
    expect(workspace.ledger.state.paused).toMatchObject({ until: null, limit: null })
  })

  it('says that it cannot be enforced if the program reports no cost', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(null)] })
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b', 'c'])
    expect(workspace.ledger.state.paused).toBeNull()
    expect(workspace.ledger.state.notices).toMatchObject([
      {
        code: 'budget-not-kept',
        message: 'daily_budget_usd cannot be kept: claude does not report what it costs.',
      },
    ])
  })

  it('has no effect if no limit is set', async () => {
    const workspace = await supervise({
      contract,
      toml: '[agent]\npreset = "claude"\n',
      runs: [costing(100)],
    })
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b', 'c'])
    expect(workspace.ledger.state).toMatchObject({ paused: null, notices: [] })
    expect(workspace.ledger.state.attemptTotals.usage.claude).toMatchObject({ attempts: 3, costUsd: 300 })
  })
})

/** An agent that never stops on its own and reports its usage after each answer from its model. */
function answering(answers: number, usage: { tokens: number; usd?: number }): ScriptedRun {
  const events = Array.from({ length: answers }, (_, index) => {
    const used = {
      inputTokens: usage.tokens * (index + 1),
      outputTokens: 0,
      cachedInputTokens: null,
      costUsd: usage.usd === undefined ? null : usage.usd * (index + 1),
    }
    return { kind: 'usage' as const, usage: used }
  })
  return { events, until: new Promise(() => {}), stdout: '', run: {} }
}

describe('the limits of a day, while an attempt runs', () => {
  const tokens = '[agent]\npreset = "claude"\ndaily_tokens = 1000\n'

  it('end the attempt after at most one more answer, without a contradiction, and pause the workspace', async () => {
    const workspace = await supervise({ contract, toml: tokens, runs: [answering(50, { tokens: 300 })] })
    const { attempts } = await cycle(workspace, 'schedule')
    expect(attempts).toMatchObject([
      { outcome: 'budget', verdict: 'unclear', fault: 'environment', points: 0 },
    ])
    expect(attempts[0]?.reasons.join()).toContain("the day's limit")
  })

  it('count what a stopped run has used', async () => {
    const workspace = await supervise({ contract, toml: tokens, runs: [answering(50, { tokens: 300 })] })
    await cycle(workspace, 'schedule')
    expect(workspace.ledger.state.paused?.limit).toMatchObject({ unit: 'tokens', used: 1200 })
    expect(workspace.ledger.state.attempts).toHaveLength(1)
    expect(workspace.ledger.state.progress.tasks.a).toMatchObject({ status: 'pending', attempts: 0 })
  })

  it('do not end a run that the operator starts by hand after they were reached', async () => {
    const runs = [
      { ...costing(null), run: { activity: activityOf(1200) } },
      { ...answering(3, { tokens: 300 }), until: Promise.resolve() },
    ]
    const workspace = await supervise({ contract, toml: tokens, runs })
    await cycle(workspace, 'schedule')
    const { attempts } = await cycle(workspace, 'manual')
    expect(attempts[0]?.outcome).toBe('completed')
  })

  it('only notify if the operator only wants to be notified', async () => {
    const toml = `${tokens}at_daily_limit = "warn"\n`
    const runs = [{ ...costing(null), run: { activity: activityOf(700) } }]
    const workspace = await supervise({ contract, toml, runs })
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b', 'c'])
    expect(workspace.ledger.state.paused).toBeNull()
    expect(workspace.notifications.filter(({ about }) => about === 'budget')).toMatchObject([
      { body: expect.stringContaining("1,400 tokens of the day's 1,000 tokens are used") },
    ])
  })

  it('give one warning at 80 %', async () => {
    const runs = [{ ...costing(null), run: { activity: activityOf(290) } }]
    const workspace = await supervise({ contract, toml: tokens, runs })
    await cycle(workspace, 'schedule')
    const warnings = () => workspace.notifications.filter(({ title }) => title.endsWith('nearly spent'))
    expect(warnings()).toMatchObject([{ title: "w: the day's budget is nearly spent" }])
    expect(workspace.ledger.state.notices.map(({ code }) => code)).toContain('budget-near')
    await workspace.ledger.append({ type: 'resumed' })
    await cycle(workspace, 'manual')
    expect(warnings()).toHaveLength(1)
  })

  it('apply in money to a program that only reports tokens, by an estimate that says so', async () => {
    // 300,000 tokens read cost $0.90 by the table.
    const toml = '[agent]\npreset = "claude"\ndaily_budget_usd = 2\n'
    const workspace = await supervise({ contract, toml, runs: [answering(50, { tokens: 300_000 })] })
    const { attempts } = await cycle(workspace, 'schedule')
    expect(attempts[0]?.reasons.join()).toContain('an estimate by the table of prices')
    const { paused, attemptTotals } = workspace.ledger.state
    expect(paused?.limit).toMatchObject({ unit: 'usd', isEstimate: true })
    expect(paused?.limit?.used).toBeCloseTo(2.7)
    expect(attemptTotals.usage.claude).toMatchObject({ costUsd: null })
  })
})

describe('the limits of all workspaces', () => {
  const free = '[agent]\npreset = "claude"\n'

  it('count what the others have used, and end what is running', async () => {
    const other = await supervise({ contract, toml: free, runs: [{ ...costing(0.04) }] })
    await cycle(other, 'schedule')
    const workspace = await supervise({
      contract,
      toml: free,
      runs: [answering(50, { tokens: 1, usd: 0.05 })],
      limits: { usd: 0.2 },
      others: () => [['other', other.ledger.state]],
    })
    const { attempts } = await cycle(workspace, 'schedule')
    expect(attempts).toMatchObject([{ outcome: 'budget' }])
    expect(attempts[0]?.reasons.join()).toContain('for all workspaces')
  })

  it('notify once, whichever workspace reaches them first', async () => {
    const limits = { usd: 0.02 }
    const first = await supervise({ contract, toml: free, runs: [costing(0.03)], limits })
    await cycle(first, 'schedule')
    expect(notificationsOf(first)).toMatchObject([{ title: "The day's budget of all workspaces is spent" }])
    const second = await supervise({
      contract,
      toml: free,
      runs: [costing(0.01)],
      limits,
      others: () => [['first', first.ledger.state]],
    })
    expect(tasksOf(await cycle(second, 'schedule'))).toEqual([])
    expect(second.ledger.state.paused?.limit).toMatchObject({ scope: 'all' })
    expect(second.notifications).toEqual([])
  })
})
