import { describe, expect, it } from 'vitest'
import { usedToday } from '../../../core/record/budget.ts'
import type { AttemptSummary } from '../../../core/record/state.ts'
import { cycleStarted } from '../../../core/record/testing/sample-events.ts'
import { keepUsed } from '../run/keep-used.ts'
import { type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import { recoverInterrupted } from './recover.ts'

/*
 * A supervisor that dies while an agent runs: by a power cut, by accident, or by the agent, which would pay nothing that way.
 */

/** Begins an attempt and lets the supervisor die in it: the next one finds what is open. */
async function dieAt(
  workspace: SupervisedWorkspace,
  taskId: string,
  diedAlone: boolean,
): Promise<AttemptSummary> {
  const { ledger, ports } = workspace
  const cycle = ledger.state.progress.cycleCount + 1
  const attemptId = `${cycle}-1-test`
  await ledger.append(cycleStarted(cycle, { trigger: 'manual', contractHash: 'hash' }), {
    type: 'attempt-started',
    attemptId,
    cycle,
    taskId,
    agentId: 'a',
    timeoutSeconds: 60,
    required: true,
  })
  await recoverInterrupted({ ...ports, diedAlone }, 'UTC')
  const found = ledger.state.attempts.find((attempt) => attempt.attemptId === attemptId)
  if (found === undefined) throw new Error('the attempt was not closed')
  return found
}

const contract = '## Tasks\n\n- [ ] one | First\n- [ ] two | Second\n'

describe('a supervisor that died alone', () => {
  it('once costs nobody anything', async () => {
    const workspace = await supervise({ contract, runs: [] })
    expect(await dieAt(workspace, 'one', true)).toMatchObject({
      verdict: null,
      fault: 'environment',
      points: 0,
    })
    expect(workspace.notifications).toEqual([])
  })

  it('loses nothing of what the agent had used by then', async () => {
    const workspace = await supervise({ contract, runs: [] })
    const usage = { inputTokens: 900, outputTokens: 100, cachedInputTokens: null, costUsd: 0.25 }
    const used = keepUsed(workspace.ports, '1-1-test', 'a')
    used.note({ ...usage, inputTokens: 1 })
    used.note(usage)
    await used.settled()
    await dieAt(workspace, 'one', true)
    expect(usedToday(workspace.ledger.state)).toEqual({ usd: 0.25, isEstimate: false, tokens: 1000 })
  })

  it('twice at the same task makes the attempt count, and the operator is notified', async () => {
    const workspace = await supervise({ contract, runs: [] })
    await dieAt(workspace, 'one', true)
    const second = await dieAt(workspace, 'one', true)
    expect(second).toMatchObject({ verdict: 'unclear', fault: 'agent', points: -2 })
    expect(second.reasons[0]).toContain('nobody may gain by ending the supervisor')
    expect(workspace.notifications).toMatchObject([
      { taskId: 'one', title: expect.stringContaining('ended again') },
    ])
    expect(workspace.ledger.state.running).toBeNull()
  })

  it('at one task and then at another costs nobody anything', async () => {
    const workspace = await supervise({ contract, runs: [] })
    await dieAt(workspace, 'one', true)
    expect(await dieAt(workspace, 'two', true)).toMatchObject({ verdict: null, points: 0 })
  })
})

it('a machine that goes down again and again costs nobody anything', async () => {
  const workspace = await supervise({ contract, runs: [] })
  for (let time = 0; time < 3; time += 1)
    expect(await dieAt(workspace, 'one', false)).toMatchObject({
      verdict: null,
      fault: 'environment',
      points: 0,
    })
  expect(workspace.notifications).toEqual([])
})
