import { describe, expect, it } from 'vitest'
import type { GateResult } from '../../../core/verification/types.ts'
import { report, type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import { runCycle } from './run-cycle.ts'

const gate = (status: GateResult['status']): GateResult => ({
  command: ['ruff', 'check'],
  status,
  exitCode: status === 'passed' ? 0 : null,
  detail: status === 'passed' ? '' : 'ruff was not found on PATH.',
  durationMs: 1,
})
const MISSING: GateResult = { ...gate('unavailable'), neverStarted: true }

/** A workspace with a gate that gives the results in `gates`, and one task with a passing check. */
async function workspace(gates: GateResult[]) {
  const supervised = await supervise({
    contract: '## Tasks\n- [ ] a | Count | required | verify: mails > 0\n',
    toml: '[probes.mails]\nfile = "mails"\nparse = "number"\n[gates]\ncommands = [["ruff", "check"]]\n',
    probes: { mails: 1 },
    runs: [{ stdout: report('a', { status: 'done' }) }],
  })
  const { ports } = supervised
  const createVerifier: typeof ports.createVerifier = (...given) => ({
    ...ports.createVerifier(...given),
    runGates: async () => gates,
  })
  return { ...supervised, ports: { ...ports, createVerifier } }
}

const cycle = ({ ports }: Pick<SupervisedWorkspace, 'ports'>, trigger: 'schedule' | 'manual' = 'schedule') =>
  runCycle(ports, { trigger, dueAt: null }, new AbortController().signal)

describe('a gate whose program is missing', () => {
  it('backs the workspace off without a penalty, notifies the operator once, and runs no agent in vain', async () => {
    const supervised = await workspace([MISSING])
    const { attempts } = await cycle(supervised)
    expect(attempts).toMatchObject([{ verdict: 'unclear', fault: 'environment', points: 0 }])
    for (let again = 0; again < 2; again += 1) expect((await cycle(supervised)).attempts).toEqual([])
    const { state } = supervised.ports.ledger
    expect(state.backoff).toMatchObject({ step: 3, byGate: true })
    expect(state.progress.tasks.a).toMatchObject({ status: 'pending', attempts: 0 })
    expect(state.notices.map(({ code }) => code)).toEqual(['gate-unavailable'])
    expect(supervised.notifications).toMatchObject([
      {
        title: expect.stringContaining('a gate could not run'),
        body: 'the gate `ruff check` could not run: ruff was not found on PATH. Make the gate runnable, or correct [gates] in pulseward.toml.',
      },
    ])
  })

  it('lets the agent run again once the gate can be started, and stops reporting it', async () => {
    const gates = [MISSING]
    const supervised = await workspace(gates)
    await cycle(supervised)
    gates[0] = gate('passed')
    expect((await cycle(supervised)).attempts).toMatchObject([{ verdict: 'verified' }])
    expect(supervised.ports.ledger.state).toMatchObject({ backoff: null, notices: [] })
  })

  it('does not prevent a heartbeat that is started by hand', async () => {
    const supervised = await workspace([MISSING])
    await cycle(supervised)
    expect((await cycle(supervised, 'manual')).attempts).toHaveLength(1)
  })

  it('does not back off for a gate that did start: it may lack something the agent is about to install', async () => {
    const supervised = await workspace([gate('unavailable')])
    for (let again = 0; again < 2; again += 1) expect((await cycle(supervised)).attempts).toHaveLength(1)
    expect(supervised.ports.ledger.state.backoff).toBeNull()
  })
})
