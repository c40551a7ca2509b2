import { describe, expect, it } from 'vitest'
import type { AgentActivity } from '../../../core/activity/types.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import { runCycle } from '../loop/run-cycle.ts'
import {
  report,
  type ScriptedRun,
  type SupervisedWorkspace,
  supervise,
} from '../testing/supervised-workspace.ts'

const contract = '# Work\n\n## Tasks\n- [ ] a | Write a note | verify: changed("*.md")\n'

const activity: AgentActivity = {
  sessionId: 's',
  model: null,
  version: null,
  usage: null,
  calls: [
    {
      kind: 'permission',
      tool: 'edit',
      target: 'a.md',
      decision: 'denied',
      by: 'program',
      grant: 'edit',
    },
  ],
  omittedCalls: 0,
  unknownEvents: {},
  final: { status: 'success', reason: 'it ended its turn' },
}

const refused: Partial<AgentRun> = {
  outcome: 'denied',
  reason: 'It was denied a tool: edit a.md.',
  remedy: 'Add "edit" to allow under [agent] in pulseward.toml.',
  activity,
}

async function attemptOf(run: ScriptedRun) {
  const workspace = await supervise({ contract, runs: [run] })
  const { attempts } = await runCycle(
    workspace.ports,
    { trigger: 'manual', dueAt: null },
    new AbortController().signal,
  )
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('expected an attempt')
  return { workspace, attempt }
}

describe('an agent that was refused a tool', () => {
  it('is not scored if it had no result, and the operator is told once what to grant', async () => {
    const { attempt, workspace } = await attemptOf({
      stdout: report('a', { status: 'done', exit_signal: true }),
      run: refused,
    })
    expect(attempt).toMatchObject({ outcome: 'denied', verdict: null, fault: 'environment', points: 0 })
    expect(attempt.remedy).toContain('Add "edit" to allow')
    expect(attempt.interventions).toMatchObject([
      {
        event_type: 'permission_denied',
        severity: 'warning',
        details: { refused: ['edit a.md'], missing_grants: ['edit'], remedy: refused.remedy },
      },
    ])
    expect(workspace.ledger.state.backoff).not.toBeNull()
    expect(workspace.notifications).toHaveLength(1)
  })

  it('is judged by its work if it found another way, and the refusal is reported anyway', async () => {
    const { attempt, workspace } = await attemptOf({
      stdout: report('a', { status: 'done', files: ['a.md'] }),
      difference: { added: ['a.md'] },
      run: refused,
    })
    expect(attempt).toMatchObject({ outcome: 'completed', verdict: 'verified', fault: null })
    expect(attempt.interventions.map(({ event_type }) => event_type)).toEqual(['permission_denied'])
    expect(workspace.ledger.state.backoff).toBeNull()
  })

  it('is held to its claim of a file that does not exist', async () => {
    const { attempt } = await attemptOf({
      stdout: report('a', { status: 'done', files: ['a.md'] }),
      run: refused,
    })
    expect(attempt).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
  })
})

describe('an agent that is silent for a long time', () => {
  const isStalled = ({ ledger }: SupervisedWorkspace): boolean =>
    JSON.stringify(ledger.state.interventions).includes('"stalled"')

  async function runSilently(stallMinutes: number) {
    let end = (): void => {}
    const until = new Promise<void>((resolve) => {
      end = resolve
    })
    const workspace = await supervise({
      contract,
      toml: `[interventions]\nstall_minutes = ${stallMinutes}\n`,
      runs: [
        { until, stdout: report('a', { status: 'done', files: ['a.md'] }), difference: { added: ['a.md'] } },
      ],
    })
    const cycle = runCycle(workspace.ports, { trigger: 'manual', dueAt: null }, new AbortController().signal)
    await workspace.agentStarted
    return { workspace, end, cycle }
  }

  it('is reported once while it runs, and not stopped', async () => {
    const { workspace, end, cycle } = await runSilently(0.0005)
    await expect.poll(() => isStalled(workspace)).toBe(true)
    end()
    const { attempts } = await cycle
    expect(attempts).toMatchObject([{ outcome: 'completed', verdict: 'verified' }])
    const raised = workspace.ledger.state.interventions.filter(
      ({ intervention }) => intervention.event_type === 'stalled',
    )
    expect(raised).toMatchObject([{ taskId: 'a', intervention: { severity: 'warning' } }])
  })

  it('is not reported before that', async () => {
    const { workspace, end, cycle } = await runSilently(10)
    end()
    await cycle
    expect(isStalled(workspace)).toBe(false)
  })
})
