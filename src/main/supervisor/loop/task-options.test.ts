import { describe, expect, it } from 'vitest'
import { report, type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import { runCycle } from './run-cycle.ts'

const contract =
  '## Tasks\n- [ ] mail | Count the mail | required | verify: mail_count | when: inbox > 0\n- [ ] other | Do it | required\n'
const toml =
  '[probes.mail_count]\nfile = "mail"\nparse = "number"\n[probes.inbox]\nfile = "inbox"\nparse = "number"\n'
const runs = [{ stdout: report('mail', { status: 'failed' }) }]

const cycle = ({ ports }: SupervisedWorkspace) =>
  runCycle(ports, { trigger: 'schedule', dueAt: null }, new AbortController().signal)

describe('when: on a task line', () => {
  it('does not run the task if it is false, and does not score it', async () => {
    const workspace = await supervise({ contract, toml, runs, probes: { inbox: 0, mail_count: 3 } })
    const { attempts } = await cycle(workspace)
    expect(attempts.map(({ taskId }) => taskId)).toEqual(['other'])
    expect(workspace.ledger.state.progress.tasks.mail).toMatchObject({ status: 'pending', attempts: 0 })
  })

  it('runs the task if it is true', async () => {
    const workspace = await supervise({ contract, toml, runs, probes: { inbox: 2, mail_count: 3 } })
    expect((await cycle(workspace)).attempts.map(({ taskId }) => taskId)).toEqual(['mail', 'other'])
  })

  it('does not run a checked task either if its check fails, until the condition is true', async () => {
    const checked = contract.replace('- [ ] mail', '- [x] mail').replace('mail_count |', 'mail_count > 0 |')
    for (const [inbox, tried] of [
      [0, ['other']],
      [2, ['mail', 'other']],
    ] as const) {
      const probes = { inbox, mail_count: 0 }
      const workspace = await supervise({ contract: checked, toml, runs, probes })
      expect((await cycle(workspace)).attempts.map(({ taskId }) => taskId)).toEqual(tried)
    }
  })

  it('makes the heartbeat idle if there is nothing else to do', async () => {
    const alone = contract.split('\n').slice(0, 2).join('\n')
    const workspace = await supervise({ contract: alone, toml, runs, probes: { inbox: 0, mail_count: 3 } })
    expect((await cycle(workspace)).attempts).toEqual([])
    expect(workspace.ledger.state.heartbeats[0]?.detail).toBe('Idle: there was nothing to do')
  })

  it('does not silence a task whose condition cannot be measured', async () => {
    const vague = contract.replace('when: inbox > 0', 'when: there is mail')
    const workspace = await supervise({ contract: vague, toml, runs, probes: { inbox: 0, mail_count: 3 } })
    expect((await cycle(workspace)).attempts).toHaveLength(2)
  })
})

describe('model: on a task line', () => {
  it('is requested from the agent for that task only', async () => {
    const text = '## Tasks\n- [ ] a | Do a | model: small\n- [ ] b | Do b\n'
    const workspace = await supervise({ contract: text, runs })
    const models: (string | null)[] = []
    const { createAgent } = workspace.ports
    const ports = {
      ...workspace.ports,
      createAgent: (config: Parameters<typeof createAgent>[0]) => {
        models.push(config.agent.model)
        return createAgent(config)
      },
    }
    await cycle({ ...workspace, ports })
    // First the heartbeat's own model, then the task's.
    expect(models).toEqual([null, 'small'])
  })
})
