import { describe, expect, it } from 'vitest'
import { usedToday } from '../../../core/record/budget.ts'
import type { AttemptSummary } from '../../../core/record/state.ts'
import { attemptFinished, cycleStarted } from '../../../core/record/testing/sample-events.ts'
import { keepUsed } from '../run/keep-used.ts'
import { type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'
import { recoverInterrupted } from './recover.ts'

/*
 * A supervisor dies while an agent runs: by a power cut, by accident, or killed by the agent, which would then lose no points.
 */

/** Begins an attempt and lets the supervisor die during it; the next supervisor finds it open. */
async function dieAt(
  workspace: SupervisedWorkspace,
  taskId: string,
  diedAlone: boolean,
  world: Partial<WorkspacePorts> = {},
  beside: readonly string[] = [],
): Promise<AttemptSummary> {
  const { ledger, ports } = workspace
  const cycle = ledger.state.progress.cycleCount + 1
  const attemptId = `${cycle}-1-test`
  const started = {
    type: 'attempt-started' as const,
    cycle,
    agentId: 'a',
    timeoutSeconds: 60,
    required: true,
    oomKills: 7,
  }
  await ledger.append(cycleStarted(cycle, { trigger: 'manual', contractHash: 'hash' }), {
    ...started,
    attemptId,
    taskId,
  })
  for (const other of beside)
    await ledger.append({ ...started, attemptId: `${cycle}-2-${other}`, taskId: other, isolated: true })
  const trust = await ports.refreshTrust()
  const config = trust.kind === 'approved' ? trust.config : null
  await recoverInterrupted({ ...ports, diedAlone, ...world }, 'UTC', config)
  const found = ledger.state.attempts.find((attempt) => attempt.attemptId === attemptId)
  if (found === undefined) throw new Error('the attempt was not closed')
  return found
}

const contract = '## Tasks\n\n- [ ] one | First\n- [ ] two | Second\n'

describe('a supervisor that died while its machine kept running', () => {
  it('does not cost anything the first time', async () => {
    const workspace = await supervise({ contract, runs: [] })
    expect(await dieAt(workspace, 'one', true)).toMatchObject({
      verdict: null,
      fault: 'environment',
      points: 0,
    })
    expect(workspace.notifications).toEqual([])
  })

  it('keeps the count of everything the agent had used by then', async () => {
    const workspace = await supervise({ contract, runs: [] })
    const usage = { inputTokens: 900, outputTokens: 100, cachedInputTokens: null, costUsd: 0.25 }
    const used = keepUsed(workspace.ports, '1-1-test', 'a')
    used.note({ ...usage, inputTokens: 1 })
    used.note(usage)
    await used.settled()
    await dieAt(workspace, 'one', true)
    expect(usedToday(workspace.ledger.state)).toEqual({ usd: 0.25, isEstimate: false, tokens: 1000 })
  })

  it('twice makes both attempts count as not verified, and the operator is notified', async () => {
    const workspace = await supervise({ contract, runs: [] })
    await dieAt(workspace, 'one', true)
    const second = await dieAt(workspace, 'one', true)
    expect(second).toMatchObject({ verdict: 'not_verified', fault: 'agent', points: -30 })
    expect(second.reasons[0]).toContain('killing the supervisor must not pay')
    expect(workspace.notifications).toMatchObject([
      { taskId: 'one', title: expect.stringContaining('ended again') },
    ])
    expect(workspace.ledger.state.running).toBeNull()
  })

  it.each([
    ['during the same task', ['one', 'one', 'one', 'one', 'one']],
    ['during one task and then another', ['one', 'two', 'one', 'two', 'one']],
  ])('in each of five heartbeats %s costs what failing five times does', async (_, tasks) => {
    const workspace = await supervise({ contract, runs: [] })
    for (const task of tasks) await dieAt(workspace, task, true)
    expect(workspace.ledger.state.score.today.score).toBe(5 * -15)
  })

  it('in each of three heartbeats with two concurrent attempts costs as much as failing six times', async () => {
    const workspace = await supervise({ contract, runs: [] })
    for (let time = 0; time < 3; time += 1) await dieAt(workspace, 'one', true, {}, ['two'])
    expect(workspace.ledger.state.score.today.score).toBe(6 * -15)
  })

  it('costs nothing more than a day after the last time', async () => {
    const workspace = await supervise({ contract, runs: [] })
    await dieAt(workspace, 'one', true)
    workspace.clock.suspend(25 * 60 * 60_000)
    expect(await dieAt(workspace, 'one', true)).toMatchObject({ verdict: null, points: 0 })
  })

  it('costs nothing again if the operator says that it was not the agent', async () => {
    const workspace = await supervise({ contract, runs: [] })
    const { attemptId, day } = await dieAt(workspace, 'one', true)
    await workspace.ledger.append({
      type: 'verdict-overruled',
      attemptId,
      taskId: 'one',
      attemptDay: day,
      from: null,
      fromContradiction: false,
      to: 'unclear',
      reason: 'I killed it',
      pointsDelta: 0,
    })
    expect(await dieAt(workspace, 'one', true)).toMatchObject({ verdict: null, points: 0 })
  })
})

/** Texts of older versions, which recorded nothing else. */
describe.each([
  ['killed', "Pulseward was killed during this attempt, so it wasn't judged.", -30],
  [
    'killed, in the first wording',
    'Pulseward was ended from outside while the agent ran, and the machine went on; the attempt was not judged.',
    -30,
  ],
  [
    'killed again',
    'Pulseward was killed again within a day while an agent ran without a sandbox. This attempt counts as not verified: killing the supervisor must not pay.',
    -15,
  ],
  [
    'killed again, in the first wording',
    'Pulseward was ended from outside again while an agent ran without a sandbox, within a day, and',
    -15,
  ],
  [
    'killed in its sandbox',
    "Pulseward was killed during this attempt, so it wasn't judged. The agent was in its sandbox and can't have done it.",
    0,
  ],
  ['interrupted', "Pulseward was interrupted during this attempt, so it wasn't judged.", 0],
])('an older record of a supervisor that was %s', (_how, reason, points) => {
  it('counts as before', async () => {
    const workspace = await supervise({ contract, runs: [] })
    const startedAt = new Date(workspace.clock.nowMs()).toISOString()
    await workspace.ledger.append(
      cycleStarted(1, { trigger: 'manual', contractHash: 'hash' }),
      attemptFinished({ taskId: 'one', startedAt, verdict: null, reasons: [reason] }),
      { type: 'cycle-finished', cycle: 1, ending: 'interrupted' },
    )
    expect((await dieAt(workspace, 'one', true)).points).toBe(points)
  })
})

describe('a supervisor that is killed repeatedly', () => {
  it.each([
    [
      'while its agent was in a sandbox',
      { leftContained: true, reachOfAgent: async () => [] },
      'in its sandbox',
    ],
    ['while the system ran out of memory', { oomKills: () => 8 }, 'ran out of memory'],
  ])('costs no points %s', async (_, world, words) => {
    const workspace = await supervise({ contract, runs: [] })
    for (let time = 0; time < 3; time += 1) {
      const attempt = await dieAt(workspace, 'one', true, world)
      expect(attempt).toMatchObject({ verdict: null, fault: 'environment', points: 0 })
      expect(attempt.reasons[0]).toContain(words)
    }
    expect(workspace.notifications).toEqual([])
  })

  it('while its agent could write everywhere, whatever the notes of its processes say', async () => {
    const workspace = await supervise({ contract, runs: [] })
    const world = { leftContained: true, reachOfAgent: async () => 'everywhere' as const }
    await dieAt(workspace, 'one', true, world)
    expect(await dieAt(workspace, 'one', true, world)).toMatchObject({ verdict: 'not_verified', points: -30 })
  })
})

it('costs nothing for a machine that goes down again and again', async () => {
  const workspace = await supervise({ contract, runs: [] })
  for (let time = 0; time < 3; time += 1)
    expect(await dieAt(workspace, 'one', false)).toMatchObject({
      verdict: null,
      fault: 'environment',
      points: 0,
    })
  expect(workspace.notifications).toEqual([])
})
