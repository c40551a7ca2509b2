import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AttemptResult } from '../../../core/record/events.ts'
import { NO_WEIGHT } from '../../../core/verification/test-weight.ts'
import { runCycle } from '../loop/run-cycle.ts'
import { report, type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'

const tasks = (...lines: string[]): string => `# Work\n\n## Tasks\n${lines.join('\n')}\n`
const PROBE = '[probes.mails]\ncommand = ["count"]\n'

async function cycle(workspace: SupervisedWorkspace): Promise<readonly AttemptResult[]> {
  const trigger = { trigger: 'manual', dueAt: null } as const
  return (await runCycle(workspace.ports, trigger, new AbortController().signal)).attempts
}

const typesOf = (attempts: readonly AttemptResult[]): string[] =>
  attempts.flatMap(({ interventions }) => interventions.map(({ event_type }) => event_type))

describe('a contradiction', () => {
  it('of a value is reported once, with both values, and never as unwritten files', async () => {
    const stdout = report('a', { status: 'done', claims: { mails: 3 } })
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count the mails | verify: mails'),
      toml: PROBE,
      probes: { mails: 0 },
      runs: [{ stdout }],
    })
    const first = await cycle(workspace)
    expect(first).toMatchObject([{ verdict: 'not_verified', groundTruthContradiction: true, points: -45 }])
    expect(first[0]?.interventions).toMatchObject([{ event_type: 'claim_refuted', severity: 'critical' }])
    await cycle(workspace)
    expect(workspace.prompts[1]).toContain('you gave mails = 3; 0 was measured')
    expect(workspace.prompts[1]).not.toContain('NO FILES')
  })

  it('of something that is not a value is reported with the given words', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count the mails | verify: mails'),
      toml: PROBE,
      probes: { mails: 4 },
      runs: [{ stdout: report('a', { status: 'done', claims: { mails: 'many' } }) }],
    })
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'unclear', fault: 'agent', points: -2 }])
    await cycle(workspace)
    expect(workspace.prompts[1]).toContain('you gave mails = many, which cannot be compared')
  })

  it('cannot be dodged by touching any file, and counts for the breaker', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Mail them | verify: mails > 0 | max_attempts: 9'),
      toml: PROBE,
      probes: { mails: 0 },
      runs: [{ stdout: report('a'), difference: { added: ['scratch.md'] } }],
    })
    expect(typesOf(await cycle(workspace))).toEqual(['claim_refuted'])
    expect(workspace.ledger.state.feedback[0]?.text).toContain('measured mails = 0')
    expect(workspace.ledger.state.feedback[0]?.text).not.toContain('mails > 0')
    expect(typesOf(await cycle(workspace))).toEqual(['claim_refuted', 'agent_reinforced'])
    expect(workspace.ledger.state.profiles.agent?.breaker.state ?? 'open').toBe('open')
    await cycle(workspace)
    expect(workspace.ledger.state.suspended).not.toBeNull()
  })

  it('of a check by an agent that changed nothing says what was measured, and that no files were written', async () => {
    const workspace = await supervise({
      contract: `${tasks('- [ ] a | Mail them | verify: mails > 0')}  - [ ] twice | verify: boxes > 0\n`,
      toml: `${PROBE}[probes.boxes]\ncommand = ["count"]\n`,
      probes: { mails: 1, boxes: 0 },
      runs: [{ stdout: report('a') }],
    })
    expect(typesOf(await cycle(workspace))).toEqual(['no_files_detected', 'false_completion_detected'])
    await cycle(workspace)
    const prompt = workspace.prompts[1] ?? ''
    expect(prompt).toContain('In iteration 1, you claimed completion but wrote NO FILES.')
    expect(prompt).toContain('measured boxes = 0')
    expect(prompt).not.toContain('boxes > 0')
  })

  it('cannot be dodged by changing the contract alone', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Write the notes'),
      runs: [{ stdout: report('a'), difference: { modified: ['HEARTBEAT.md'] } }],
    })
    const attempts = await cycle(workspace)
    expect(attempts).toMatchObject([{ verdict: 'not_verified' }])
    expect(typesOf(attempts)).toEqual(['no_files_detected', 'false_completion_detected'])
  })

  it('does not affect an agent whose task is the contract', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Add a section to HEARTBEAT.md'),
      runs: [
        {
          stdout: report('a', { status: 'done', files: ['HEARTBEAT.md'] }),
          difference: { modified: ['HEARTBEAT.md'] },
        },
      ],
    })
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'verified' }])
  })
})

describe('tests removed by one run for several tasks', () => {
  it('are reported for each task whose check executes something, and to the operator once', async () => {
    const workspace = await supervise({
      contract: tasks(
        '- [ ] a | Write the notes',
        '- [ ] b | Mail them | verify: mails > 0',
        '- [ ] c | Mail all | verify: mails > 1',
      ),
      toml: `${PROBE}[heartbeat]\nsession = "cycle"\n`,
      probes: { mails: 2 },
      runs: [
        {
          stdout: ['a', 'b', 'c'].map((id) => report(id)).join('\n'),
          difference: { deleted: ['mail.test.js'] },
        },
      ],
    })
    const { snapshotter } = workspace.ports
    const protectedChanges = async () => [
      { path: 'mail.test.js', before: { ...NO_WEIGHT, tests: 3 }, after: null },
    ]
    const attempts = await cycle({
      ...workspace,
      ports: { ...workspace.ports, snapshotter: { ...snapshotter, protectedChanges } },
    })
    const told = attempts.map(({ interventions }) =>
      interventions.some(({ event_type }) => event_type === 'protected_files_changed'),
    )
    expect(told).toEqual([false, true, true])
    const notified = workspace.notifications.filter(({ about }) => about === 'contractWeakened')
    expect(notified).toHaveLength(1)
  })
})

describe('what is not the agent’s fault costs it nothing', () => {
  it('a probe whose value changes by itself', async () => {
    let seen = 0
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count the mails | verify: mails'),
      toml: PROBE,
      probes: { mails: () => seen++ },
      runs: [{ stdout: report('a', { status: 'done', claims: { mails: 40 } }) }],
    })
    expect(await cycle(workspace)).toMatchObject([
      { verdict: 'unclear', fault: 'contract', points: 0, interventions: [] },
    ])
    expect(workspace.ledger.state.progress.tasks.a?.attempts).toBe(0)
  })

  describe('a probe that changes every second, even if it reads the same twice in a row', () => {
    const readings = async (values: readonly number[], claimed: number) => {
      let next = 0
      const workspace = await supervise({
        contract: tasks('- [ ] a | Say how long it is up | verify: mails'),
        toml: PROBE,
        probes: { mails: () => values[Math.min(next++, values.length - 1)] ?? 0 },
        runs: [{ stdout: report('a', { status: 'done', claims: { mails: claimed } }) }],
      })
      const ended = cycle(workspace)
      let isOver = false
      void ended.finally(() => {
        isOver = true
      })
      while (!isOver) await Promise.race([ended, workspace.clock.advance(1200)])
      return ended
    }

    it('gets time to show that it changes by itself', async () => {
      expect(await readings([3800, 3803, 3804], 3801)).toMatchObject([
        { verdict: 'unclear', fault: 'contract', points: 0 },
      ])
    })

    it('does not excuse an agent whose work changed its value and who reported a wrong number', async () => {
      expect(await readings([3, 5, 5], 4)).toMatchObject([
        { verdict: 'not_verified', groundTruthContradiction: true, points: -45 },
      ])
    })
  })

  it('an undefined name, until the third time in a row: then the task waits without a run', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count the mails | verify: email_count'),
      runs: [{ stdout: report('a', { status: 'done', claims: { email_count: 3 } }) }],
    })
    for (let round = 0; round < 3; round += 1)
      expect(await cycle(workspace)).toMatchObject([
        { verdict: 'unclear', fault: 'contract', points: 0, interventions: [] },
      ])
    expect(await cycle(workspace)).toEqual([])
    expect(workspace.ledger.state.progress.tasks.a).toMatchObject({ status: 'pending', waiting: 'fix_gate' })
    workspace.contract = tasks('- [ ] a | Count the mails | verify: exists("count.md")')
    expect(await cycle(workspace)).toHaveLength(1)
  })

  it('but a liar who claims such a name is still caught by its files', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Count the mails | verify: email_count'),
      runs: [{ stdout: report('a', { status: 'done', files: ['count.md'] }) }],
    })
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'not_verified', points: -45 }])
  })
})

describe('an agent that is stopped at its limit', () => {
  async function endedAfter(quietSeconds: number, runs = 1) {
    const directory = await mkdtemp(join(tmpdir(), 'pulseward-limit-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'draft.draft'), 'half')
    const workspace = await supervise({
      contract: tasks('- [ ] a | Fix the notes | verify: changed("*.md") | max_attempts: 9'),
      directory,
      runs: [
        {
          difference: { added: ['draft.draft'] },
          run: { outcome: 'timeout', exitCode: null, durationMs: 120_000 },
        },
      ],
    })
    const results: AttemptResult[] = []
    for (let round = 0; round < runs; round += 1) {
      // When the run ended, which supposedly took two minutes.
      const written = new Date(Date.now() + 120_000 - quietSeconds * 1000)
      await utimes(join(directory, 'draft.draft'), written, written)
      results.push(...(await cycle(workspace)))
    }
    return { workspace, results }
  }

  it('is not blamed if it was at work, and gets more time', async () => {
    const { workspace, results } = await endedAfter(2)
    expect(results).toMatchObject([{ verdict: 'unclear', fault: 'limit', points: 0, interventions: [] }])
    expect(workspace.ledger.state.progress.tasks.a).toMatchObject({ status: 'pending', attempts: 1 })
    const [next] = await cycle(workspace)
    expect(next?.timeoutSeconds).toBeGreaterThan(results[0]?.timeoutSeconds ?? 0)
  })

  it('is blamed after a long silence', async () => {
    expect((await endedAfter(100)).results).toMatchObject([
      { verdict: 'not_verified', fault: 'agent', points: -15 },
    ])
  })

  it('is blamed the third time in a row', async () => {
    const { results } = await endedAfter(2, 3)
    expect(results.map(({ fault }) => fault)).toEqual(['limit', 'limit', 'agent'])
  })
})

describe('work that was done earlier', () => {
  async function written(...runs: Parameters<typeof supervise>[0]['runs']) {
    const directory = await mkdtemp(join(tmpdir(), 'pulseward-done-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    await writeFile(join(directory, 'notes.md'), 'the notes')
    const long = new Date(Date.now() - 3_600_000)
    await utimes(join(directory, 'notes.md'), long, long)
    const workspace = await supervise({ contract: tasks('- [ ] a | Write the notes'), directory, runs })
    return { directory, workspace }
  }
  const done = report('a', { status: 'done', files: ['notes.md'] })
  const nothingNew = report('a', { status: 'done', evidence: ['notes.md:1 is there'] })

  it('remains verified, and is not paid twice', async () => {
    const { workspace } = await written(
      { stdout: done, difference: { added: ['notes.md'] } },
      { stdout: nothingNew },
    )
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'verified', points: 10 }])
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'verified', points: 0, heldBefore: true }])
  })

  it('no longer counts once someone else has changed it', async () => {
    const { directory, workspace } = await written(
      { stdout: done, difference: { added: ['notes.md'] } },
      { stdout: nothingNew },
    )
    await cycle(workspace)
    await writeFile(join(directory, 'notes.md'), 'torn up')
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'not_verified' }])
  })

  it('may be named again without a contradiction, unlike a file that was never written', async () => {
    const { workspace } = await written(
      { stdout: done, difference: { added: ['notes.md'] } },
      { stdout: done },
      { stdout: report('a', { status: 'done', files: ['other.md'] }) },
    )
    await cycle(workspace)
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'verified', points: 0 }])
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'not_verified', points: -45 }])
  })

  it.each([
    ['reported nothing and crashed', { outcome: 'error', exitCode: 1 } as const, ''],
    ['reported honestly that it is not done', {}, report('a', { status: 'failed' })],
  ])('by an attempt that %s is neither a contradiction nor a proof when named', async (_how, run, stdout) => {
    const { workspace } = await written(
      { stdout, run, difference: { added: ['notes.md'] } },
      { stdout: done },
    )
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'not_verified', points: -15 }])
    expect(await cycle(workspace)).toMatchObject([
      { verdict: 'unclear', fault: 'agent', groundTruthContradiction: false, points: -2 },
    ])
  })

  it('is a contradiction again if the attempt that wrote it claimed more than was there', async () => {
    const { workspace } = await written(
      {
        stdout: report('a', { status: 'done', files: ['notes.md', 'never.md'] }),
        difference: { added: ['notes.md'] },
      },
      { stdout: done },
    )
    await cycle(workspace)
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'not_verified', points: -45 }])
  })
})

describe('a task that used up its attempts without a verdict', () => {
  it('is blocked, and a tighter check is suggested', async () => {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Tidy up | max_attempts: 2'),
      runs: [{ stdout: 'I looked at it.', difference: { added: ['x.md'] } }],
    })
    for (let round = 0; round < 2; round += 1)
      expect(await cycle(workspace)).toMatchObject([{ verdict: 'unclear', fault: 'agent', points: -2 }])
    expect(await cycle(workspace)).toEqual([])
    expect(workspace.ledger.state.feedback.at(-1)?.text).toContain('COULD NOT BE CONFIRMED')
  })
})

describe('criteria with their own checks', () => {
  const contract = tasks(
    '- [ ] a | Mail them | verify: mails > 0',
    '  - [ ] nobody is left out | verify: left > 0',
    '  - [ ] politely',
  )
  const run = { stdout: report('a'), difference: { added: ['log.md'] } }

  it('hold the task back, by name, and stay out of the prompt', async () => {
    const workspace = await supervise({ contract, toml: PROBE, probes: { mails: 1, left: 0 }, runs: [run] })
    const [attempt] = await cycle(workspace)
    expect(attempt).toMatchObject({ verdict: 'not_verified' })
    expect(attempt?.reasons.join()).toContain('criterion "nobody is left out"')
    expect(workspace.prompts[0]).toContain('- [ ] nobody is left out\n')
    expect(workspace.prompts[0]).not.toContain('left > 0')
  })

  it('count as met by measurement, whichever boxes are checked', async () => {
    const boxed = contract.replace('- [ ] nobody', '- [x] nobody')
    const met = async (left: number) => {
      const workspace = await supervise({
        contract: boxed,
        toml: PROBE,
        probes: { mails: 1, left },
        runs: [run],
      })
      return (await cycle(workspace))[0]?.criteria
    }
    expect(await met(0)).toEqual({ met: 0, total: 2 })
    expect(await met(1)).toEqual({ met: 1, total: 2 })
  })

  it('let the task pass if all of them pass', async () => {
    const workspace = await supervise({ contract, toml: PROBE, probes: { mails: 1, left: 2 }, runs: [run] })
    expect(await cycle(workspace)).toMatchObject([{ verdict: 'verified', points: 10 }])
  })
})
