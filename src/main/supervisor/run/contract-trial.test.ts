import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { RequestProblem } from '../../../api/request-problem.ts'
import { parseWorkspaceConfig } from '../../config/parse-config.ts'
import { systemClock } from '../../host/system-clock.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import { createVerifier } from '../../verifier/verifier.ts'
import { runCycle } from '../loop/run-cycle.ts'
import { report, supervise } from '../testing/supervised-workspace.ts'
import { createContractTrial } from './contract-trial.ts'

function configOf(toml: string): WorkspaceConfig {
  const parsed = parseWorkspaceConfig(`[agent]\ncommand = ["agent"]\n${toml}`)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

const node = JSON.stringify(process.execPath)
const never = new AbortController().signal

/** A real verifier in a temporary folder with these probes, over a contract with these task lines. */
async function trialOf(toml: string, contract: string, stopping: AbortSignal = never) {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-trial-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const { ports } = await supervise({ contract, runs: [{}], directory })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const real = {
    ...ports,
    clock: systemClock,
    createVerifier: (config: WorkspaceConfig) =>
      createVerifier({ directory, config, clock: systemClock, log }),
  }
  return { directory, trial: createContractTrial(real, () => configOf(toml), stopping), ledger: ports.ledger }
}

it('measures a check with real probes, from a text that is not saved, and records nothing', async () => {
  const toml = `[probes.mail]\ncommand = [${node}, "-p", "1 + 2"]\nparse = "number"\n`
  const { trial, ledger } = await trialOf(toml, '## Tasks\n- [ ] other | Other\n')
  const before = ledger.state
  const text = '## Tasks\n\n- [ ] inbox | Empty it | verify: mail == 0\n'
  await expect(trial.tryHint('inbox', text)).resolves.toMatchObject({
    taskId: 'inbox',
    line: 3,
    hint: { kind: 'expression', source: 'mail == 0' },
    probes: [{ name: 'mail', value: '3', reason: null }],
    holds: false,
    finding: '`mail == 0` fails now.',
    problem: null,
  })
  expect(ledger.state).toBe(before)
})

it('does not run a command that is not approved', async () => {
  const { directory, trial } = await trialOf('', '## Tasks\n- [ ] a | A | verify: succeeds("touch ran")\n')
  const result = await trial.tryHint('a', undefined)
  expect(result).toMatchObject({ holds: null, problem: expect.any(String) })
  expect(result.finding).toContain('touch ran')
  expect(existsSync(join(directory, 'ran'))).toBe(false)
})

it('reports every task in a dry run, including broken ones, in the order of the contract', async () => {
  const contract = [
    '## Tasks',
    '- [ ] there | There | verify: exists("report.md")',
    '- [ ] words | Words | verify: it looks fine',
    '- [ ] broken | Broken | verify: exists("report.md"',
    '- [ ] unknown | Unknown | verify: nothing_here',
    '- [ ] there | The same id again | verify: true',
  ].join('\n')
  const { directory, trial } = await trialOf('', contract)
  await writeFile(join(directory, 'report.md'), 'done\n')
  const { tasks } = await trial.dryRun(undefined)
  expect(tasks.map(({ taskId, holds, problem }) => [taskId, holds, problem !== null])).toEqual([
    ['there', true, false],
    ['words', null, false],
    ['broken', null, true],
    ['unknown', null, true],
  ])
})

it('ends a hanging probe with the supervisor', async () => {
  const toml = `[probes.slow]\ncommand = [${node}, "-e", "require('fs').writeFileSync('started', ''); setInterval(() => {}, 1000)"]\nparse = "text"\n`
  const stopping = new AbortController()
  const { directory, trial } = await trialOf(toml, '## Tasks\n- [ ] a | A | verify: slow\n', stopping.signal)
  const result = trial.tryHint('a', undefined)
  await expect.poll(() => existsSync(join(directory, 'started'))).toBe(true)
  stopping.abort()
  await expect(result).resolves.toMatchObject({ holds: null, probes: [{ name: 'slow', value: null }] })
})

it('previews exactly the prompt that the next attempt gets', async () => {
  const contract =
    '# Rules\n\nBe kind.\n\n## Tasks\n\n- [ ] write | Write it | optional | verify: n > 0\n  - [ ] in ink\n- [ ] read | Read it | verify: n > 0\n'
  const workspace = await supervise({
    contract,
    runs: [{ stdout: report('write') }, { stdout: report('read') }],
    toml: '[probes.n]\nfile = "n"\n',
  })
  const { ports } = workspace
  const config = configOf('[heartbeat]\ntimezone = "Europe/Berlin"\n[probes.n]\nfile = "n"\n')
  const trial = createContractTrial(ports, () => config, never)
  const first = await trial.preview('write', undefined)
  await runCycle(ports, { trigger: 'manual', dueAt: null }, never)
  expect(first).toMatchObject({ prompt: workspace.prompts[0], taskIds: ['write'] })
  // The first attempt has failed: the second prompt contains its feedback and the next attempt number.
  const second = await trial.preview('write', undefined)
  await runCycle(ports, { trigger: 'manual', dueAt: null }, never)
  expect(second.prompt).toBe(workspace.prompts[2])
  expect(second.prompt).not.toBe(first.prompt)
})

it('previews all open tasks if one run does all of them', async () => {
  const contract = '## Tasks\n- [ ] a | A\n- [x] b | B\n- [ ] c | C\n'
  const { ports } = await supervise({ contract, runs: [{}] })
  const trial = createContractTrial(ports, () => configOf('[heartbeat]\nsession = "cycle"\n'), never)
  await expect(trial.preview('c', undefined)).resolves.toMatchObject({ taskIds: ['a', 'c'] })
  await expect(trial.preview('b', undefined)).resolves.toMatchObject({ taskIds: ['a', 'b', 'c'] })
})

it('reports a task that is missing from the text, or a configuration that is not approved, with that reason', async () => {
  const { ports } = await supervise({ contract: '## Tasks\n- [ ] a | A\n', runs: [{}] })
  const trial = createContractTrial(ports, () => configOf(''), never)
  await expect(trial.preview('b', undefined)).rejects.toMatchObject({ kind: 'not-found' })
  const refused = createContractTrial(
    ports,
    () => {
      throw new RequestProblem('conflict', 'Not approved yet.')
    },
    never,
  )
  await expect(refused.tryHint('a', undefined)).rejects.toMatchObject({ kind: 'conflict' })
})
