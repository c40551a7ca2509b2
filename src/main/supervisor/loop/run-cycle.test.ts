import { describe, expect, it } from 'vitest'
import {
  report,
  type ScriptedRun,
  type SupervisedWorkspace,
  supervise,
} from '../testing/supervised-workspace.ts'
import type { IsolatedTree, WorkspacePorts } from '../workspace-ports.ts'
import { runCycle } from './run-cycle.ts'

const toml = '[probes.mail_count]\nfile = "mail"\nparse = "number"\n'
const running = new AbortController().signal
const cycle = (workspace: SupervisedWorkspace) =>
  runCycle(workspace.ports, { trigger: 'manual', dueAt: null }, running)
const tasks = (...lines: string[]): string => `# Work\n\nBe kind.\n\n## Tasks\n${lines.join('\n')}\n`

describe('runCycle', () => {
  it('runs the agent once on each open task and scores each verdict', async () => {
    const runs: ScriptedRun[] = [
      { stdout: report('a', { status: 'done', claims: { mail_count: 3 } }) },
      { stdout: report('b', { status: 'done', files: ['notes.md'] }), difference: { added: ['notes.md'] } },
      { stdout: report('c', { status: 'skipped' }) },
    ]
    const workspace = await supervise({
      contract: tasks(
        '- [ ] a | Count | required | verify: mail_count',
        '- [ ] b | Note | optional',
        '- [ ] c | Tidy | optional',
        '- [x] d | Checked',
      ),
      toml,
      probes: { mail_count: 3 },
      runs,
    })
    const { attempts } = await cycle(workspace)
    expect(
      attempts.map(({ taskId, verdict, points, skipped }) => ({ taskId, verdict, points, skipped })),
    ).toEqual([
      { taskId: 'a', verdict: 'verified', points: 10, skipped: false },
      { taskId: 'b', verdict: 'verified', points: 5, skipped: false },
      { taskId: 'c', verdict: null, points: 0, skipped: true },
    ])
    expect(workspace.ledger.state.score.today).toMatchObject({ score: 15, verifiedCount: 2 })
    expect(workspace.ledger.state.progress.tasks).toMatchObject({
      a: { status: 'verified' },
      c: { status: 'skipped' },
      d: { status: 'verified', attempts: 0 },
    })
    expect(workspace.prompts[0]).toContain('Be kind.')
    expect(workspace.prompts[0]).not.toContain('verify: mail_count')
  })

  it('puts all open tasks in one run if the session is the cycle', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | required | verify: mail_count', '- [ ] b | Note'),
      toml: `${toml}[heartbeat]\nsession = "cycle"\n`,
      probes: { mail_count: 0 },
      runs: [
        {
          stdout:
            report('a', { status: 'done', claims: { mail_count: 3 } }) + report('b', { status: 'failed' }),
        },
      ],
    })
    const { attempts } = await cycle(workspace)
    expect(workspace.prompts).toHaveLength(1)
    expect(attempts.map(({ taskId, points }) => ({ taskId, points }))).toEqual([
      { taskId: 'a', points: -45 },
      { taskId: 'b', points: -15 },
    ])
  })

  it('makes every task required while the standing demands it', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | optional | verify: mail_count'),
      toml,
      probes: { mail_count: 0 },
      runs: [
        { stdout: report('a', { status: 'done', claims: { mail_count: 3 } }) },
        { stdout: report('a', { status: 'skipped' }) },
      ],
    })
    await cycle(workspace)
    const { attempts } = await cycle(workspace)
    expect(attempts).toMatchObject([{ required: true, verdict: 'not_verified', points: -15, skipped: false }])
    // The prompt says so in the task itself, and nowhere says the opposite.
    const [free = '', forced = ''] = workspace.prompts.map((prompt) => prompt.split('## Task a')[1] ?? '')
    expect(free).toContain('\nOptional. Attempt 1 of 3.')
    expect(forced).toContain('\nRequired. Attempt 2 of 3.')
    expect(forced).not.toContain('Optional.')
  })

  it('reopens a checked task whose check fails, and notifies the operator', async () => {
    const workspace = await supervise({
      contract: tasks('- [x] a | Count | required | verify: mail_count > 0'),
      toml,
      probes: { mail_count: 0 },
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    const { attempts } = await cycle(workspace)
    expect(attempts).toHaveLength(1)
    expect(workspace.ledger.state.notices).toMatchObject([{ code: 'tick-contradicted', taskId: 'a' }])
  })

  it.each([
    ['opens a checked task whose criterion fails, even if its check passes', 'left > 0', 0, 1],
    ['leaves a checked task alone if its criterion passes', 'left > 0', 1, 0],
    [
      'leaves a checked task alone if its criterion needs an attempt’s changes',
      'left > 0 && changed("out.md")',
      0,
      0,
    ],
  ])('%s', async (_, hint, left, count) => {
    const workspace = await supervise({
      contract: tasks(
        '- [x] a | Count | required | verify: mail_count > 0',
        `  - [x] all of them | verify: ${hint}`,
      ),
      toml,
      probes: { mail_count: 1, left },
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    const { attempts } = await cycle(workspace)
    expect(attempts).toHaveLength(count)
    const told = workspace.ledger.state.notices.filter(({ code }) => code === 'tick-contradicted')
    expect(told).toHaveLength(count)
    for (const { message } of told)
      expect(message).toBe(
        'The box of a is checked in HEARTBEAT.md, but `left > 0` fails. The task is opened anyway.',
      )
  })

  it('does not blame the agent for what the operator loosened in the app during the run, but reports what the agent loosened', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | required | verify: mail_count > 0', '- [ ] b | Note'),
      toml,
      probes: { mail_count: 0 },
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    const { ports } = workspace
    const loosened = tasks('- [ ] a | Count | optional | verify: mail_count > 0', '- [ ] b | Note')
    const createAgent: typeof ports.createAgent = (config) => {
      const agent = ports.createAgent(config)
      return {
        run: async (request) => {
          workspace.contract = loosened
          await workspace.contractCustody.look('operator')
          workspace.contract = loosened.replace('[ ] b', '[x] b')
          return agent.run(request)
        },
      }
    }
    const { attempts } = await runCycle(
      { ...ports, createAgent },
      { trigger: 'manual', dueAt: null },
      running,
    )
    const told = attempts.flatMap(({ interventions }) =>
      interventions.filter(({ event_type }) => event_type === 'contract_weakened'),
    )
    expect(told).toMatchObject([{ details: { changes: ['Task "b": its box was checked.'] } }])
  })

  it('uses the contract it began with, and notifies once that the agent weakened it', async () => {
    const lines = ['- [ ] a | Count | required | verify: mail_count > 0', '- [ ] b | Note']
    const workspace = await supervise({
      contract: tasks(...lines),
      toml,
      probes: { mail_count: 0 },
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    const { ports } = workspace
    const createAgent: typeof ports.createAgent = (config) => {
      const agent = ports.createAgent(config)
      return {
        run: async (request) => {
          workspace.contract = tasks('- [x] a | Count | optional | verify: mail_count > 0')
          return agent.run(request)
        },
      }
    }
    const { attempts } = await runCycle(
      { ...ports, createAgent },
      { trigger: 'manual', dueAt: null },
      running,
    )
    expect(attempts[0]).toMatchObject({ verdict: 'not_verified', required: true })
    expect(
      attempts.flatMap(({ interventions }) =>
        interventions.map(({ event_type, severity }) => [event_type, severity]),
      ),
    ).toEqual([
      ['contract_weakened', 'critical'],
      // The next task's prompt says so.
      ['no_files_detected', 'critical'],
      ['agent_reinforced', 'info'],
    ])
    expect(attempts).toHaveLength(2)
    expect(workspace.notifications.filter(({ key }) => key.startsWith('contract-weakened'))).toHaveLength(1)
  })

  it('backs off when the environment stops the agent: nothing scored, no attempt counted, notified once', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count', '- [ ] b | Note'),
      runs: [
        {
          run: {
            outcome: 'unavailable',
            exitCode: null,
            reason: 'codex was not found on PATH.',
            remedy: 'Install it.',
          },
        },
      ],
    })
    const { attempts } = await cycle(workspace)
    expect(attempts).toMatchObject([
      { outcome: 'unavailable', verdict: null, fault: 'environment', points: 0, remedy: 'Install it.' },
    ])
    expect(workspace.ledger.state.backoff).toMatchObject({ step: 1 })
    expect(workspace.ledger.state.progress.tasks.a).toMatchObject({ status: 'pending', attempts: 0 })
    expect(workspace.notifications).toHaveLength(1)
    await cycle(workspace)
    expect(workspace.ledger.state.backoff).toMatchObject({ step: 2 })
  })

  it('notifies about a back-off again if the agent has run in between', async () => {
    const away: ScriptedRun = {
      run: { outcome: 'unavailable', exitCode: null, reason: 'codex is not logged in.', remedy: 'Log in.' },
    }
    const ran: ScriptedRun = { stdout: report('a', { status: 'failed' }) }
    const workspace = await supervise({ contract: tasks('- [ ] a | Count'), runs: [away, away, ran, away] })
    for (let cycles = 0; cycles < 4; cycles += 1) await cycle(workspace)
    const told = workspace.notifications.filter(({ about }) => about === 'agentUnavailable')
    expect(told.map(({ key }) => key)).toEqual(['environment:w:1', 'environment:w:4'])
  })

  it('notifies about a back-off once, even if the program repeats its failure with other numbers and ids', async () => {
    const refused = (id: string, seconds: number): ScriptedRun => ({
      run: {
        outcome: 'unavailable',
        exitCode: 1,
        reason: `the service of claude had an internal error: “API Error: 529 {"type":"overloaded_error","request_id":"${id}"} (after ${seconds} s)”.`,
        remedy: 'Nothing to fix here.',
      },
    })
    const login: ScriptedRun = {
      run: { outcome: 'unavailable', exitCode: 1, reason: 'claude is not logged in.', remedy: 'Log in.' },
    }
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count'),
      runs: [refused('req_011CSHoEeqs5C35K2UUqR7Fy', 7), refused('req_011CSJpAbq9zD46L3VVrS8Gz', 12), login],
    })
    for (let cycles = 0; cycles < 3; cycles += 1) await cycle(workspace)
    expect(workspace.notifications.map(({ key }) => key)).toEqual(['environment:w:1', 'environment:w:3'])
  })

  it('notifies about a lockdown when it starts, not while it lasts, and again after a recovery', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | required | max_attempts: 50'),
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    const lockdowns = () => workspace.notifications.filter(({ about }) => about === 'lockdown').length
    await cycle(workspace)
    expect(lockdowns()).toBe(1)
    await cycle(workspace)
    expect(lockdowns()).toBe(1)
    for (const { attemptId, taskId, day } of workspace.ledger.state.attempts) {
      await workspace.ledger.append({
        type: 'verdict-overruled',
        attemptId,
        taskId,
        attemptDay: day,
        from: 'not_verified',
        fromContradiction: false,
        to: 'verified',
        reason: 'It was there',
        pointsDelta: 25,
      })
    }
    expect(workspace.ledger.state.score.today.score).toBeGreaterThan(0)
    await cycle(workspace)
    await cycle(workspace)
    await cycle(workspace)
    expect(lockdowns()).toBe(2)
  })

  it('notifies once which tasks have used up their last attempt', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | max_attempts: 1', '- [ ] b | Note | max_attempts: 2'),
      runs: [{ stdout: report('a', { status: 'failed' }) + report('b', { status: 'failed' }) }],
    })
    for (let cycles = 0; cycles < 3; cycles += 1) await cycle(workspace)
    const blocked = workspace.notifications.filter(({ about }) => about === 'blockedTask')
    expect(blocked).toMatchObject([
      { taskId: 'a', title: 'w: a is blocked' },
      { taskId: 'b', title: 'w: b is blocked' },
    ])
  })

  it('calls a check hollow if it passed before the attempt in three cycles in a row with nothing changed', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | required | verify: mail_count > 0'),
      toml,
      probes: { mail_count: 3 },
      runs: [{ stdout: report('a', { status: 'done' }) }],
    })
    await cycle(workspace)
    await cycle(workspace)
    expect(workspace.ledger.state.notices).toEqual([])
    await cycle(workspace)
    expect(workspace.ledger.state.notices).toMatchObject([{ code: 'hollow-hint', taskId: 'a' }])
  })

  it('reports this once, even if another task runs while that one is not run', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | required | verify: mail_count > 0'),
      toml,
      probes: { mail_count: 3 },
      runs: [{ stdout: report('a', { status: 'done' }) + report('b', { status: 'done' }) }],
    })
    for (let number = 0; number < 3; number += 1) await cycle(workspace)
    workspace.contract = tasks(
      '- [ ] a | Count | required | verify: mail_count > 0 | when: mail_count > 5',
      '- [ ] b | Another',
    )
    await cycle(workspace)
    const told = (await workspace.ledger.read(1, 1000)).filter(
      (event) => event.type === 'diagnostic-raised' && event.code === 'hollow-hint',
    )
    expect(told).toHaveLength(1)
  })

  it('says once that tasks sharing the folder do not run in parallel', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count'),
      toml: '[workspace]\nparallel = 3\n',
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    await cycle(workspace)
    await cycle(workspace)
    const told = (await workspace.ledger.read(1, 1000)).filter(({ type }) => type === 'diagnostic-raised')
    expect(told).toMatchObject([
      { code: 'parallel-without-trees', message: expect.stringContaining('`parallel = 3` has no effect') },
    ])
  })

  it('says nothing about parallel tasks that have separate trees', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count'),
      toml: '[workspace]\nisolation = "worktree"\nparallel = 3\n',
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    await cycle(workspace)
    expect(workspace.ledger.state.notices).toEqual([])
  })

  it('skips a task that has no attempts left', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count | max_attempts: 1'),
      runs: [{ stdout: report('a', { status: 'failed' }) }],
    })
    await cycle(workspace)
    const { attempts } = await cycle(workspace)
    expect(attempts).toEqual([])
    expect(workspace.ledger.state.progress.tasks.a).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('refuses to begin without an approved configuration or a contract', async () => {
    const workspace = await supervise({ contract: tasks('- [ ] a | Count'), runs: [{}] })
    const begin = (over: Partial<typeof workspace.ports>) =>
      runCycle({ ...workspace.ports, ...over }, { trigger: 'manual', dueAt: null }, running)
    await expect(
      begin({
        refreshTrust: async () => ({ kind: 'unapproved', currentText: '', currentHash: '', problems: [] }),
      }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/not approved.*pulseward trust/),
    })
    await expect(
      begin({ readContract: async () => ({ ok: false, reason: 'HEARTBEAT.md is missing.' }) }),
    ).rejects.toMatchObject({
      kind: 'unprocessable',
    })
    expect(workspace.ledger.state.seq).toBe(0)
  })
})

describe('attempts in trees', () => {
  /** Returns ports whose trees are the folder itself; calls `take` for each. */
  function inTrees(
    workspace: SupervisedWorkspace,
    take: (count: number) => Promise<void> = async () => {},
  ): WorkspacePorts {
    const { ports } = workspace
    let count = 0
    return {
      ...ports,
      isolation: {
        begin: async () => {},
        take: async (config) => {
          count += 1
          await take(count)
          const tree = { ports: { ...ports, isolation: undefined }, config, tip: 'tip', left: () => null }
          return { ...tree, checkOut: async () => {}, release: async () => {} } as unknown as IsolatedTree
        },
        handIn: async () => {},
        land: async () => {},
      },
    }
  }
  const isolated = (session: 'task' | 'cycle'): string =>
    `[workspace]\nisolation = "worktree"\nparallel = 2\n[heartbeat]\nsession = "${session}"\n`
  const contract = tasks('- [ ] a | Count', '- [ ] b | Note')
  const begin = (ports: WorkspacePorts, signal = running) =>
    runCycle(ports, { trigger: 'manual', dueAt: null }, signal)

  it('have one task each, even if the session is the cycle: unverified work would land with the verified work', async () => {
    const runs = [{ stdout: report('a', { status: 'failed' }) }]
    const workspace = await supervise({ contract, toml: isolated('cycle'), runs })
    const { attempts } = await begin(inTrees(workspace))
    expect(attempts.map(({ taskId, tasksInRun }) => [taskId, tasksInRun]).toSorted()).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  it('that are running when another cannot begin are awaited and recorded before the heartbeat ends', async () => {
    let end = (): void => {}
    const until = new Promise<void>((resolve) => {
      end = resolve
    })
    const runs = [{ stdout: report('a', { status: 'failed' }), until }]
    const workspace = await supervise({ contract, toml: isolated('task'), runs })
    const ports = inTrees(workspace, async (count) => {
      if (count < 3) return
      await workspace.agentStarted
      setImmediate(end)
      throw new Error('the disk is full')
    })
    await expect(begin(ports)).rejects.toThrow('the disk is full')
    const types = (await workspace.ledger.read(1, 1000)).map(({ type }) => type)
    expect(types.slice(types.indexOf('attempt-started'))).toEqual(
      expect.arrayContaining(['attempt-finished', 'cycle-finished']),
    )
    expect(types.lastIndexOf('attempt-finished')).toBeLessThan(types.indexOf('cycle-finished'))
    expect(workspace.ledger.state.running).toBeNull()
  })

  it('that hit the same problem at the same time back off once', async () => {
    const away = {
      run: { outcome: 'unavailable', exitCode: null, reason: 'codex was not found.', remedy: 'Install it.' },
    } as const
    const workspace = await supervise({ contract, toml: isolated('task'), runs: [away] })
    await begin(inTrees(workspace))
    expect(workspace.ledger.state.backoff).toMatchObject({ step: 1 })
  })

  it('that are waiting for a tree when the heartbeat is stopped do not begin', async () => {
    const workspace = await supervise({ contract, toml: isolated('task'), runs: [] })
    const stopping = new AbortController()
    const ports = inTrees(workspace, async (count) => {
      if (count < 2) return
      stopping.abort()
      stopping.signal.throwIfAborted()
    })
    expect((await begin(ports, stopping.signal)).attempts).toEqual([])
    expect(workspace.ledger.state.running).toBeNull()
  })
})

describe('interventions', () => {
  const lazy: ScriptedRun = { stdout: report('a', { status: 'done', exit_signal: true }) }
  const contract = tasks('- [ ] a | Write the notes | max_attempts: 9')
  const events = (attempts: readonly { interventions: readonly { event_type: string }[] }[]): string[] =>
    attempts.flatMap(({ interventions }) => interventions.map(({ event_type }) => event_type))

  it('tells the agent once, in the next prompt, that its completion was false', async () => {
    const workspace = await supervise({ contract, runs: [lazy] })
    expect(events((await cycle(workspace)).attempts)).toEqual([
      'no_files_detected',
      'false_completion_detected',
    ])
    expect(workspace.prompts[0]).not.toContain('Previous Iteration Feedback')
    expect(events((await cycle(workspace)).attempts)).toEqual([
      'no_files_detected',
      'false_completion_detected',
      'agent_reinforced',
    ])
    expect(workspace.prompts[1]).toContain('## Previous Iteration Feedback (DO NOT IGNORE)')
    expect(workspace.prompts[1]).toContain('In iteration 1, you claimed completion but wrote NO FILES.')
  })

  it('sharpens the tone at the second contradiction, and suspends for review at the third', async () => {
    const workspace = await supervise({ contract, runs: [lazy] })
    await cycle(workspace)
    await cycle(workspace)
    expect(workspace.ledger.state.profiles.agent?.breaker.state).toBe('open')
    expect(workspace.ledger.state.suspended).toBeNull()
    await cycle(workspace)
    expect(workspace.prompts[2]).toContain('FINAL WARNING')
    expect(workspace.ledger.state.suspended).not.toBeNull()
    expect(workspace.notifications.map(({ title }) => title)).toContainEqual(
      expect.stringMatching(/^w: the agent said .+ was done; it was not\. Suspended for review\.$/),
    )
    await expect(cycle(workspace)).rejects.toMatchObject({ kind: 'conflict', message: /manual review/ })

    await workspace.ledger.append({ type: 'suspension-lifted', reason: 'looked at it' })
    await cycle(workspace)
    expect(workspace.ledger.state.profiles.agent?.breaker.state).toBe('closed')
  })

  it('says nothing if interventions are switched off', async () => {
    const workspace = await supervise({ contract, runs: [lazy], toml: '[interventions]\nenabled = false\n' })
    expect(events((await cycle(workspace)).attempts)).toEqual([])
    await cycle(workspace)
    expect(workspace.prompts[1]).not.toContain('Previous Iteration Feedback')
  })

  it('raises no contradiction against an agent that did the work', async () => {
    const honest = {
      stdout: report('a', { status: 'done', files: ['a.md'] }),
      difference: { modified: ['a.md'] },
    }
    const workspace = await supervise({ contract, runs: [honest] })
    expect(events((await cycle(workspace)).attempts)).toEqual([])
  })

  it('corrects an agent within its session if configured, and judges the result', async () => {
    const corrected = {
      stdout: report('a', { status: 'done', files: ['a.md'] }),
      difference: { added: ['a.md'] },
    }
    const toml = '[interventions]\nmid_stream = "same-session"\n'
    const workspace = await supervise({ contract, runs: [lazy, corrected], toml, sessions: true })
    const { attempts } = await cycle(workspace)
    expect(attempts).toMatchObject([{ verdict: 'verified', points: 10, durationMs: 2000 }])
    expect(events(attempts)).toEqual([
      'no_files_detected',
      'false_completion_detected',
      'mid_stream_prompt_injected',
    ])
    expect(workspace.prompts[1]).toContain('you claimed completion but wrote NO FILES')
  })

  it('waits for the next iteration if the agent has no sessions', async () => {
    const toml = '[interventions]\nmid_stream = "same-session"\n'
    const workspace = await supervise({ contract, runs: [lazy], toml })
    expect(events((await cycle(workspace)).attempts)).toEqual([
      'no_files_detected',
      'false_completion_detected',
    ])
    expect(workspace.prompts).toHaveLength(1)
  })
})
