import { describe, expect, it } from 'vitest'
import type { AgentActivity } from '../../core/activity/types.ts'
import { runCycle } from './run-cycle.ts'
import {
  report,
  type ScriptedRun,
  type SupervisedWorkspace,
  supervise,
} from './testing/supervised-workspace.ts'
import { createWorkspaceLoop } from './workspace-loop.ts'

const contract = '## Tasks\n- [ ] a | Do a | required\n- [ ] b | Do b | required\n- [ ] c | Do c | required\n'
const limited = '[agent]\npreset = "claude"\ndaily_budget_usd = 0.05\n'

function costing(costUsd: number | null): ScriptedRun {
  const activity: AgentActivity = {
    sessionId: null,
    model: null,
    version: null,
    usage: { inputTokens: 1000, outputTokens: 50, cachedInputTokens: null, costUsd },
    calls: [],
    omittedCalls: 0,
    unknownEvents: {},
    final: null,
  }
  return { stdout: report('a', { status: 'failed' }), run: { activity } }
}

const cycle = (workspace: SupervisedWorkspace, trigger: 'manual' | 'schedule') =>
  runCycle(workspace.ports, { trigger, dueAt: null }, new AbortController().signal)

const tasksOf = ({ attempts }: Awaited<ReturnType<typeof cycle>>) => attempts.map(({ taskId }) => taskId)

const notificationsOf = ({ notifications }: SupervisedWorkspace) =>
  notifications.filter(({ key }) => key.startsWith('budget:'))

describe('the daily budget', () => {
  it('lets the attempt under way end, then pauses until the next day and says so', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.03)] })
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b'])
    const { state } = workspace.ledger
    expect(state.paused).toEqual({
      since: expect.any(String),
      until: '2026-11-21T00:00:00.000+01:00',
      budget: { limitUsd: 0.05, spentUsd: 0.06 },
    })
    expect(state.heartbeats[0]?.detail).toMatch(/^The day's budget is spent; /)
    expect(state.notices[0]).toMatchObject({
      code: 'budget-reached',
      message: "$0.06 of the day's $0.05 are spent: paused until the next day.",
    })
    expect(notificationsOf(workspace)).toMatchObject([
      { title: "w: the day's budget is spent", body: expect.stringContaining('daily_budget_usd') },
    ])
  })

  it('says so in the words for the next heartbeat, which runs at midnight', async () => {
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

  it('does not stop again an operator who resumes, or who runs a heartbeat by hand', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.06)] })
    await cycle(workspace, 'schedule')
    expect(tasksOf(await cycle(workspace, 'manual'))).toEqual(['a', 'b', 'c'])
    await workspace.ledger.append({ type: 'resumed' })
    expect(workspace.ledger.state.notices).toEqual([])
    expect(tasksOf(await cycle(workspace, 'schedule'))).toEqual(['a', 'b', 'c'])
    expect(notificationsOf(workspace)).toHaveLength(1)
  })

  it('begins anew when another configuration is approved', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.06)] })
    await cycle(workspace, 'schedule')
    await workspace.ledger.append({ type: 'configuration-approved', hash: 'h' })
    expect(workspace.ledger.state).toMatchObject({ paused: null, notices: [] })
  })

  it('leaves alone what the operator paused himself', async () => {
    const workspace = await supervise({ contract, toml: limited, runs: [costing(0.01)] })
    await workspace.ledger.append({ type: 'paused', until: null })
    await workspace.ledger.append({ type: 'configuration-approved', hash: 'h' })
    expect(workspace.ledger.state.paused).toMatchObject({ until: null, budget: null })
  })

  it('says that it cannot be kept where the program reports no cost', async () => {
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

  it('is no matter where none is set', async () => {
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
