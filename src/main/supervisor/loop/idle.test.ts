import { describe, expect, it } from 'vitest'
import type { CheckRoom } from '../../ports/custody.ts'
import { report, type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import { runCycle } from './run-cycle.ts'
import { createWorkspaceLoop } from './workspace-loop.ts'

const running = new AbortController().signal
const cycle = (workspace: SupervisedWorkspace, trigger: 'manual' | 'schedule' = 'schedule') =>
  runCycle(workspace.ports, { trigger, dueAt: null }, running)

const probe = '[probes.mails]\nfile = "mails"\nparse = "number"\n'
const contract = '## Tasks\n- [ ] answer | Answer the mails | required | verify: mails > 0\n'
const done = { stdout: report('answer', { status: 'done' }), difference: { modified: ['mails'] } }

describe('a heartbeat that has nothing to do', () => {
  const toml = `${probe}[heartbeat]\nwhen = "waiting > 0"\n`

  it('runs no agent, says which condition is false, and waits a whole interval for the next', async () => {
    const workspace = await supervise({ contract, toml, probes: { waiting: 0 }, runs: [done] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    const { state } = workspace.ledger
    expect(state.heartbeats[0]).toMatchObject({
      state: 'skipped',
      detail: 'Idle: `waiting > 0` is false',
    })
    expect(state.score.today).toMatchObject({ score: 0 })
    expect(workspace.prompts).toEqual([])
    expect(loop.next).toMatchObject({
      state: 'waiting',
      dueMs: workspace.clock.nowMs() + 15 * 60_000,
      reason: expect.stringMatching(
        /^The last heartbeat ended at \d\d:\d\d\. Idle: `waiting > 0` is false\. Every 15 minutes, as set\.$/,
      ),
    })
    workspace.probes = { waiting: 1 }
    await workspace.clock.advance(15 * 60_000)
    await workspace.clock.sleeping()
    expect(workspace.prompts).toHaveLength(1)
    expect(loop.next?.reason).not.toContain('Idle')
    await loop.stop()
  })

  it('runs anyway if the operator starts it', async () => {
    const workspace = await supervise({ contract, toml, probes: { waiting: 0 }, runs: [done] })
    expect((await cycle(workspace, 'manual')).attempts).toHaveLength(1)
  })

  it('runs if it cannot be measured: a broken probe must not silence the supervisor', async () => {
    const { ports } = await supervise({ contract, toml, probes: { waiting: 0 }, runs: [done] })
    const createVerifier: typeof ports.createVerifier = (config) => ({
      ...ports.createVerifier(config),
      evaluate: async () => ({ kind: 'error', reason: 'the probe is gone', fault: 'environment' }),
    })
    const { attempts } = await runCycle(
      { ...ports, createVerifier },
      { trigger: 'schedule', dueAt: null },
      running,
    )
    expect(attempts).toHaveLength(1)
  })
})

describe('a heartbeat whose `when` an agent has changed to its opposite', () => {
  const toml = `${probe}[heartbeat]\nwhen = "waiting > 0"\n`
  const changed = { kind: 'modified', isProtected: false, executedBy: ['probe waiting'] } as const
  const room: CheckRoom = {
    enter: (command) => ({ command, directory: '/' }),
    copy: null,
    close: async () => {},
  }

  /** Returns how many attempts a heartbeat makes; `inRoom`: the probe's value in the baseline, `null`: no room can be made. */
  const attemptsWith = async (attemptId: string | null, inRoom: number | null) => {
    const { ports } = await supervise({ contract, toml, probes: { waiting: 0 }, runs: [done] })
    const custody: typeof ports.custody = {
      ...ports.custody,
      look: async () => [{ ...changed, path: 'waiting.sh', attemptId }],
      openRoom: async () =>
        inRoom === null ? { kind: 'none', reason: 'refused here' } : { kind: 'room', room },
    }
    const createVerifier: typeof ports.createVerifier = (config, { room: entered } = {}) => ({
      ...ports.createVerifier(config),
      ...(entered !== undefined && {
        evaluate: async () => ({ kind: 'value', holds: inRoom !== null && inRoom > 0 }),
      }),
    })
    const trigger = { trigger: 'schedule', dueAt: null } as const
    return (await runCycle({ ...ports, custody, createVerifier }, trigger, running)).attempts.length
  }

  it('runs if it passes in the baseline, or if that is unknown', async () => {
    expect(await attemptsWith('a-1', 1)).toBe(1)
    expect(await attemptsWith('a-1', null)).toBe(1)
  })

  it('does not run if it also fails in the baseline, or if the change is the operator’s', async () => {
    expect(await attemptsWith('a-1', 0)).toBe(0)
    expect(await attemptsWith(null, 1)).toBe(0)
  })
})

describe('a task that was verified and still passes', () => {
  const toml = `${probe}[heartbeat]\nskip_if_verified = true\n`
  /** The agent answers the mails in its first run. */
  const verified = async (text = contract) => {
    const workspace = await supervise({ contract: text, toml, runs: [done] })
    workspace.probes = { mails: () => workspace.prompts.length }
    const { attempts } = await cycle(workspace)
    return { workspace, attempts }
  }

  it('is checked without the agent, costs nothing and does not score', async () => {
    const { workspace, attempts } = await verified()
    expect(attempts).toMatchObject([{ verdict: 'verified', points: 10 }])
    expect((await cycle(workspace)).attempts).toEqual([])
    const { state } = workspace.ledger
    expect(state.score.today.score).toBe(10)
    expect(state.progress.tasks.answer).toMatchObject({ status: 'verified', attempts: 0 })
    expect(state.heartbeats[0]?.detail).toBe('Idle: there was nothing to do')
  })

  it('is run again as soon as it fails', async () => {
    const { workspace } = await verified()
    workspace.probes = { mails: 0 }
    expect((await cycle(workspace)).attempts).toHaveLength(1)
  })

  it('is run again if its check was changed', async () => {
    const { workspace } = await verified()
    workspace.contract = contract.replace('mails > 0', 'mails > 1')
    expect((await cycle(workspace)).attempts).toHaveLength(1)
  })

  it('is run if it passes but was never verified', async () => {
    const workspace = await supervise({ contract, toml, probes: { mails: 1 }, runs: [done] })
    expect((await cycle(workspace)).attempts).toHaveLength(1)
  })

  it('is run each time if only prose describes when it is done', async () => {
    const { workspace } = await verified('## Tasks\n- [ ] answer | Answer the mails | required\n')
    expect((await cycle(workspace)).attempts).toHaveLength(1)
  })
})
