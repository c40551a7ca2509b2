import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCycle } from '../loop/run-cycle.ts'
import { report, type ScriptedRun, supervise } from '../testing/supervised-workspace.ts'

const tasks = (...lines: string[]): string => `# Work\n\n## Tasks\n${lines.join('\n')}\n`

async function attemptOf(
  options: Omit<Parameters<typeof supervise>[0], 'runs'> & { readonly run: ScriptedRun },
) {
  const { run, ...rest } = options
  const workspace = await supervise({ ...rest, runs: [run] })
  const { attempts } = await runCycle(
    workspace.ports,
    { trigger: 'manual', dueAt: null },
    new AbortController().signal,
  )
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('expected an attempt')
  return attempt
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-claims-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('paths as the agent sees them', () => {
  async function inRepository(claimed: (top: string) => string) {
    const top = await temporaryFolder()
    const directory = join(top, 'packages', 'app')
    await mkdir(join(top, '.git'))
    await mkdir(join(directory, 'src'), { recursive: true })
    await writeFile(join(directory, 'src', 'a.ts'), 'new')
    await writeFile(join(top, 'README.md'), 'of the repository')
    return attemptOf({
      contract: tasks('- [ ] a | Write the code'),
      directory,
      run: {
        stdout: report('a', { status: 'done', files: [claimed(top)] }),
        difference: { added: ['src/a.ts'] },
      },
    })
  }

  it.each<[string, (top: string) => string]>([
    ['from the workspace', () => 'src/a.ts'],
    ['with ./', () => './src/a.ts'],
    ['from the top of the repository', () => 'packages/app/src/a.ts'],
    ['from the top of the repository, with ./', () => './packages/app/src/a.ts'],
    ['with backslashes', () => 'packages\\app\\src\\a.ts'],
    ['from the parent folder', () => 'app/src/a.ts'],
    ['up and back down', () => '../../packages/app/src/a.ts'],
    ['up and back down by its own name', () => '../app/src/a.ts'],
    ['with the kind of change', () => 'modified: packages/app/src/a.ts'],
    ['as a list in one text', () => 'src/a.ts, packages/app/src/a.ts'],
    ['as an absolute path', (top) => join(top, 'packages/app/src/a.ts')],
  ])('%s', async (_name, claimed) => {
    expect(await inRepository(claimed)).toMatchObject({ verdict: 'verified', points: 10 })
  })

  it.each([
    ['if named from the workspace', 'src/b.ts'],
    ['if named from the top of the repository', 'packages/app/src/b.ts'],
    ['if named from the parent folder', 'app/src/b.ts'],
    ['if named up and back down', '../../packages/app/src/b.ts'],
    ['if named after one that exists', 'src/a.ts, src/b.ts'],
    ['if named with the kind of change', 'created src/b.ts'],
  ])('a claimed file that does not exist is a contradiction %s', async (_name, claimed) => {
    expect(await inRepository(() => claimed)).toMatchObject({ verdict: 'not_verified', points: -45 })
  })

  it('a file elsewhere in the repository neither confirms nor contradicts a claim', async () => {
    expect(await inRepository(() => 'README.md')).toMatchObject({
      verdict: 'unclear',
      groundTruthContradiction: false,
    })
  })
})

describe('a report that the prompt contains', () => {
  const past = 'So it was yesterday, all of it written down:\nmails: 3\nThe task is done.\n'
  const given = '```heartbeat-report\n{"task_id": "a", "status": "done", "claims": {"mails": 3}}\n```\n'
  const contract = `# Work\n\nEnd like this:\n\n${given}\n${past}\n## Tasks\n- [ ] a | Count the mails | verify: mails\n`
  const toml = '[probes.mails]\ncommand = ["count"]\n'

  it.each([
    ['after its own report', (own: string) => own + given],
    ['before its own report', (own: string) => given + own],
  ])('is not a claim if the agent prints it again %s', async (_name, print) => {
    const stdout = print(report('a', { status: 'done', claims: { mails: 5 } }))
    const attempt = await attemptOf({ contract, toml, probes: { mails: 5 }, run: { stdout } })
    expect(attempt).toMatchObject({ verdict: 'verified', points: 10 })
  })

  it('raises no contradiction for context text printed again before an answer in prose', async () => {
    const stdout = `${past}\n\nI counted again.\nmails: 5\nDone.\n`
    expect(await attemptOf({ contract, toml, probes: { mails: 5 }, run: { stdout } })).toMatchObject({
      verdict: 'verified',
    })
    const silent = await attemptOf({ contract, toml, probes: { mails: 5 }, run: { stdout: past } })
    expect(silent).toMatchObject({ verdict: 'unclear', groundTruthContradiction: false })
  })

  it.each([
    ['a report', given],
    ['prose', past],
  ])('earns a liar nothing, even if it happens to be true: %s', async (_name, given) => {
    const attempt = await attemptOf({ contract, toml, probes: { mails: 3 }, run: { stdout: given } })
    expect(attempt).toMatchObject({ verdict: 'unclear', fault: 'agent', claim: { status: null, values: {} } })
  })
})

describe('a value in everyday notation', () => {
  const toml = '[probes.mails]\ncommand = ["count"]\n'
  const verdictOf = (claimed: unknown, measured: number, print = report) =>
    attemptOf({
      contract: tasks('- [ ] a | Count the mails | verify: mails'),
      toml,
      probes: { mails: measured },
      run: { stdout: print('a', { status: 'done', claims: { mails: claimed } }) },
    })
  const inWords = (_: string, { claims }: Record<string, unknown> = {}) =>
    `Done.\nmails: ${(claims as { mails: string }).mails}\n`

  it.each([
    ['1,234', 1234],
    ['1 234', 1234],
    ['1.234', 1234],
    ["1'234", 1234],
    ['1,234 emails', 1234],
    ['3 emails', 3],
    ['85%', 85],
    ['1.25', 1.25],
  ])('%j is read as %d, in a report and in prose', async (claimed, measured) => {
    expect(await verdictOf(claimed, measured)).toMatchObject({ verdict: 'verified', points: 10 })
    expect(await verdictOf(claimed, measured, inWords)).toMatchObject({ verdict: 'verified', points: 10 })
  })

  it.each([
    ['1,234', 999],
    ['1 234', 1],
    ['1.234', 12],
    ['3 emails', 0],
  ])('%j is a contradiction if %d is measured, in a report and in prose', async (claimed, measured) => {
    const lie = { verdict: 'not_verified', groundTruthContradiction: true, points: -45 }
    expect(await verdictOf(claimed, measured)).toMatchObject(lie)
    expect(await verdictOf(claimed, measured, inWords)).toMatchObject(lie)
  })

  it.each([
    ['three', 0],
    ['3 of 5', 5],
    ['85%', 0.85],
    ['1.5 GB', 1_500_000_000],
    [true, 1],
  ])('%j against %j is neither a proof nor a contradiction', async (claimed, measured) => {
    expect(await verdictOf(claimed, measured)).toMatchObject({
      verdict: 'unclear',
      groundTruthContradiction: false,
    })
  })
})

describe('many claims', () => {
  const contract = tasks('- [ ] a | Count the mails | verify: mails > 0')
  const toml = '[probes.mails]\ncommand = ["count"]\n'
  const others = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`note_${i}`, i]))

  it.each([200, 5000])('a false value after %d others is found', async (count) => {
    const stdout = report('a', { status: 'done', claims: { ...others(count), mails: 9 } })
    const attempt = await attemptOf({ contract, toml, probes: { mails: 3 }, run: { stdout } })
    expect(attempt).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
  })

  it('a true value after 200 others is verified', async () => {
    const stdout = report('a', { status: 'done', claims: { ...others(200), mails: 3 } })
    const attempt = await attemptOf({ contract, toml, probes: { mails: 3 }, run: { stdout } })
    expect(attempt).toMatchObject({ verdict: 'verified' })
  })

  it.each([
    [[], 'verified'],
    [['f599.md'], 'not_verified'],
  ] as const)('if %j of 600 files is missing, the verdict is %s', async (missing, verdict) => {
    const files = Array.from({ length: 600 }, (_, index) => `f${index}.md`)
    const added = files.filter((file) => !missing.some((one) => one === file))
    const attempt = await attemptOf({
      contract: tasks('- [ ] a | Write them'),
      run: { stdout: report('a', { status: 'done', files }), difference: { added } },
    })
    expect(attempt.verdict).toBe(verdict)
  })

  it('never verifies a claim that was not read', async () => {
    const files = Array.from({ length: 3000 }, (_, index) => `f${index}.md`)
    const attempt = await attemptOf({
      contract,
      toml,
      probes: { mails: 3 },
      run: { stdout: report('a', { status: 'done', files }), difference: { added: files.slice(0, 2000) } },
    })
    expect(attempt).toMatchObject({ verdict: 'unclear', fault: 'agent' })
  })
})

describe("an agent's claim about a task that nothing measures", () => {
  const touched = { added: ['p.js'] }
  const paid = { verdict: 'verified', points: 10 }
  const unpaid = { verdict: 'unclear', fault: 'agent', points: -2, interventions: [] }
  const verdictOf = (
    stdout: string,
    difference: ScriptedRun['difference'] = touched,
    task = 'Update the parser',
  ) => attemptOf({ contract: tasks(`- [ ] a | ${task}`), run: { stdout, difference } })

  it.each([
    report('a', { status: 'aborted', files: ['p.js'], exit_signal: true }),
    report('a', { status: '部分完成', files: ['p.js'], exit_signal: true }),
    report('a', { status: 'done', files: ['p.js'], exit_signal: false }),
    report('a', { status: 'done', files: ['p.js'], remaining: ['the delete path'], exit_signal: true }),
    'Status: aborted\nUpdated `p.js`.\nEXIT_SIGNAL: true\n',
    'Updated `p.js`.\nSTATUS: BLOCKED\nTASKS_COMPLETED_THIS_LOOP: 1\n',
    'Updated `p.js`.\nTask completed for this iteration.\nEXIT_SIGNAL: false\n',
    'Done. I updated `p.js`. I did not get to the error handling; that is still missing.\n',
  ])('does not count as completion if the claim retracts it: %j', async (stdout) => {
    expect(await verdictOf(stdout)).toMatchObject(unpaid)
  })

  it.each([
    report('a', { status: 'done', files: ['p.js'], remaining: [], exit_signal: true }),
    report('a', { status: 'done (no errors)', files: ['p.js'], exit_signal: true }),
    'Updated `p.js`.\nSTATUS: COMPLETE\nTASKS_COMPLETED_THIS_LOOP: 1\nEXIT_SIGNAL: true\n',
    'Done. I updated `p.js`. Error handling was missing; nothing is missing now.\n',
  ])('counts as completion if nothing is left to do: %j', async (stdout) => {
    expect(await verdictOf(stdout)).toMatchObject(paid)
  })

  it('raises no contradiction against an agent that claimed no completion', async () => {
    const stdout = 'STATUS: IN_PROGRESS\nTASKS_COMPLETED_THIS_LOOP: 0\nEXIT_SIGNAL: false\n'
    expect(await verdictOf(stdout, {})).toMatchObject(unpaid)
  })

  it('raises a contradiction against an agent that says it was already done only if the agent does not show where', async () => {
    const shown = report('a', { status: 'done', evidence: ['p.js:1 already has the new parser'] })
    const directory = await temporaryFolder()
    await writeFile(join(directory, 'p.js'), 'new parser\n')
    const contract = tasks('- [ ] a | Update the parser')
    expect(await attemptOf({ contract, directory, run: { stdout: shown } })).toMatchObject(unpaid)
    const bare = await verdictOf(report('a', { status: 'done' }), {})
    expect(bare.interventions.map(({ event_type }) => event_type)).toContain('false_completion_detected')
  })

  it('pays for the repository state that the task asks for, and for no other', async () => {
    const difference = {
      headMoved: { from: 'a'.repeat(40), to: 'b'.repeat(40) },
      repository: ['no branch or tag contains the commit any more that was checked out before (aaaaaaaaaa)'],
    }
    const done = report('a', { status: 'done', evidence: ['`git log -1` shows the new subject'] })
    expect(await verdictOf(done, difference, 'Change the subject of the last commit')).toMatchObject(paid)
    expect(await verdictOf(done, difference)).toMatchObject({ verdict: 'unclear' })
    const onTop = { headMoved: difference.headMoved }
    expect(await verdictOf(done, onTop, 'Change the subject of the last commit')).toMatchObject({
      verdict: 'unclear',
    })
  })

  it('explains that a contradicted claim does not count as completion', async () => {
    const lie = await verdictOf(report('a', { status: 'done', files: ['q.js'], exit_signal: true }))
    const failed = lie.interventions.find(({ event_type }) => event_type === 'evidence_validation_failed')
    expect(failed?.details).toMatchObject({ exit_signal_ignored: true, uncommitted_changes: false })
  })
})

describe('what an agent is asked for after an attempt that could not be confirmed', () => {
  async function feedbackAfter(stdout: string, options: Partial<Parameters<typeof supervise>[0]> = {}) {
    const workspace = await supervise({
      contract: tasks('- [ ] a | Update the parser'),
      ...options,
      runs: [{ stdout, difference: { added: ['p.js'] } }],
    })
    await runCycle(workspace.ports, { trigger: 'manual', dueAt: null }, new AbortController().signal)
    return workspace.ports.ledger.state.feedback.map(({ text }) => text).join('\n')
  }

  it.each([
    '任务已完成。已更新文件 `p.js`。\n',
    'Fertig. Ich habe `p.js` aktualisiert.\n',
    'I looked around.\n',
  ])('is the report block if it wrote none, in any language: %j', async (stdout) => {
    expect(await feedbackAfter(stdout)).toContain('end your answer with the fenced block `heartbeat-report`')
  })

  it('is not the report block if it wrote one', async () => {
    expect(await feedbackAfter(report('a', { status: 'paused', exit_signal: true }))).toMatch(
      /you claimed no completion: its status is "paused"(?!.*fenced block)/s,
    )
  })

  it('is the value by name, as the prompt also says', async () => {
    const toml = '[probes.email_count]\ncommand = ["count"]\n'
    const contract = tasks('- [ ] a | Count mail | verify: email_count')
    const workspace = await supervise({
      contract,
      toml,
      probes: { email_count: 3 },
      runs: [{ stdout: 'Done.\n' }],
    })
    await runCycle(workspace.ports, { trigger: 'manual', dueAt: null }, new AbortController().signal)
    expect(workspace.prompts[0]).toContain('Report the value `email_count`.')
    expect(workspace.ports.ledger.state.feedback[0]?.text).toContain('you gave no value for')
    expect(workspace.ports.ledger.state.feedback[0]?.text).toContain('email_count')
  })

  it('is never a check that is an expression', async () => {
    const toml = '[probes.email_count]\ncommand = ["count"]\n'
    const contract = tasks('- [ ] a | Count mail | verify: email_count > 2')
    const workspace = await supervise({
      contract,
      toml,
      probes: { email_count: 3 },
      runs: [{ stdout: 'Done.\n' }],
    })
    await runCycle(workspace.ports, { trigger: 'manual', dueAt: null }, new AbortController().signal)
    expect(workspace.prompts[0]).not.toContain('email_count')
  })
})
