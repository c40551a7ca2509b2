import { describe, expect, it } from 'vitest'
import type { AgentActivity, AgentEvent } from '../../../core/activity/types.ts'
import { runCycle } from '../loop/run-cycle.ts'
import { report, type ScriptedRun, supervise } from '../testing/supervised-workspace.ts'

const contract = '## Tasks\n- [ ] fix | Fix the parser | required | verify: changed("src/**")\n'
const claude = '[agent]\npreset = "claude"\n'

const activityOf = (...calls: AgentEvent[]): AgentActivity => ({
  sessionId: 's',
  model: null,
  version: null,
  usage: null,
  calls,
  omittedCalls: 0,
  unknownEvents: {},
  final: null,
})

const command = (line: string, exitCode: number): AgentEvent => ({
  kind: 'command',
  callId: line,
  tool: 'Bash',
  command: line,
  exitCode,
  status: exitCode === 0 ? 'succeeded' : 'failed',
})

const edit: AgentEvent = {
  kind: 'edit',
  callId: 'e',
  tool: 'Edit',
  path: 'src/parser.ts',
  change: 'modified',
  status: 'succeeded',
}

/** A run that changed what it should and says so, plus a further claim. */
function fixed(said: string, ...calls: AgentEvent[]): ScriptedRun {
  const stdout = `${said}\n\n${report('fix', { status: 'done', files: ['src/parser.ts'] })}`
  return {
    stdout,
    difference: { modified: ['src/parser.ts'] },
    run: { activity: activityOf(edit, ...calls) },
  }
}

async function attempt(toml: string, ...runs: ScriptedRun[]) {
  const workspace = await supervise({
    contract: contract.replace(
      'changed("src/**")',
      toml.includes('same-session') ? 'task_completed' : 'changed("src/**")',
    ),
    toml,
    runs,
    sessions: true,
    probes: {},
  })
  const { attempts } = await runCycle(
    workspace.ports,
    { trigger: 'manual', dueAt: null },
    new AbortController().signal,
  )
  const [result] = attempts
  if (result === undefined) throw new Error('Nothing was attempted.')
  return result
}

describe('the sources of an attempt', () => {
  it('that agree are stored side by side with the attempt', async () => {
    const result = await attempt(claude, fixed('All tests pass.', command('npm test', 0)))
    expect(result.reconciliation).toEqual({
      contradictions: [],
      rows: [
        {
          kind: 'file',
          subject: 'src/parser.ts',
          claimed: 'written',
          reported: 'edited',
          snapshot: 'changed',
          measured: null,
          agrees: true,
        },
        {
          kind: 'test-run',
          subject: 'tests',
          claimed: 'All tests pass',
          reported: 'npm test: exit code 0',
          snapshot: null,
          measured: null,
          agrees: null,
        },
      ],
    })
    expect(result.interventions).toEqual([])
  })

  it("that differ add a reason and a warning, but don't change the verdict", async () => {
    const result = await attempt(claude, fixed('All tests pass.', command('npm test', 1)))
    expect(result).toMatchObject({
      verdict: (await attempt(claude, fixed('', command('npm test', 1)))).verdict,
      groundTruthContradiction: false,
      reconciliation: { contradictions: [{ kind: 'command-failed', subject: 'npm test' }] },
      interventions: [
        {
          event_type: 'evidence_validation_failed',
          severity: 'warning',
          details: { contradictions: ['command-failed'] },
        },
      ],
    })
    expect(result.reasons.join('\n')).toContain('says “All tests pass”, but `npm test`')
  })

  it("raise no contradiction if the program's stream is not understood", async () => {
    const result = await attempt('[agent]\ncommand = ["own-agent"]\n', fixed('All tests pass.'))
    expect(result.reconciliation?.contradictions).toEqual([])
    expect(result.interventions).toEqual([])
  })

  it('cover both turns of a session', async () => {
    const first: ScriptedRun = {
      stdout: report('fix', { status: 'done', exit_signal: true }),
      run: { activity: activityOf(command('npm test', 0)) },
    }
    const toml = `${claude}[interventions]\nmid_stream = "same-session"\n`
    const result = await attempt(toml, first, fixed('All tests pass.'))
    expect(result.interventions.map(({ event_type }) => event_type)).toContain('mid_stream_prompt_injected')
    expect(result.activity?.calls).toHaveLength(2)
    expect(result.reconciliation?.contradictions).toEqual([])
  })
})
