import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EventOf } from '../../../core/record/events.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import { createVerifier } from '../../verifier/verifier.ts'
import { report, type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'
import { runCycle } from './run-cycle.ts'
import { type SweptTask, sweepNow } from './sweep.ts'

const toml = '[probes.mail]\nfile = "mail.txt"\nparse = "number"\n'
const running = new AbortController().signal

interface Swept {
  readonly workspace: SupervisedWorkspace
  readonly ports: WorkspacePorts
  readonly config: WorkspaceConfig
  sweep(signal?: AbortSignal): Promise<readonly SweptTask[]>
  sweeps(): Promise<readonly EventOf<'blocked-swept'>[]>
  write(file: string, text: string): Promise<void>
}

/** A workspace whose tasks with `max_attempts: 1` are blocked after one cycle, with the real verifier over its folder. */
async function blocked(...lines: string[]): Promise<Swept> {
  const workspace = await supervise({
    contract: `## Tasks\n${lines.join('\n')}\n`,
    toml,
    runs: [{ stdout: lines.map((line) => report(line.slice(6, 7), { status: 'failed' })).join('') }],
  })
  await runCycle(workspace.ports, { trigger: 'manual', dueAt: null }, running)
  const trust = await workspace.ports.refreshTrust()
  if (trust.kind !== 'approved') throw new Error('the configuration is approved')
  const { directory, clock, log, ledger } = workspace.ports
  const ports: WorkspacePorts = {
    ...workspace.ports,
    createVerifier: (config) => createVerifier({ directory, config, clock, log }),
  }
  return {
    workspace,
    ports,
    config: trust.config,
    sweep: (signal = running) => sweepNow(ports, trust.config, signal),
    sweeps: async () => (await ledger.read(1, 1000)).filter((event) => event.type === 'blocked-swept'),
    write: (file, text) => writeFile(join(directory, file), text),
  }
}

it('measures the checks of blocked tasks, and records new results', async () => {
  const { workspace, sweep, sweeps, write } = await blocked(
    '- [ ] a | Count | verify: mail > 2 | max_attempts: 1',
    '- [ ] b | Write | verify: exists("out.txt") | max_attempts: 1',
    '- [ ] c | Not blocked yet | verify: exists("out.txt")',
  )
  await write('mail.txt', '1')
  const first = [
    { taskId: 'a', holds: false, reason: '`mail > 2` fails' },
    { taskId: 'b', holds: false, reason: '`exists("out.txt")` fails' },
  ]
  expect(await sweep()).toEqual(first)
  expect(await sweep()).toEqual(first)
  expect((await sweeps()).map(({ results }) => results)).toEqual([first])

  await write('out.txt', 'done')
  const done = { taskId: 'b', holds: true, reason: '`exists("out.txt")` passes now' }
  expect(await sweep()).toEqual([first[0], done])
  expect((await sweeps()).map(({ results }) => results)).toEqual([first, [done]])
  expect(workspace.ledger.state.tasks).toMatchObject({
    a: { swept: { holds: false } },
    b: { swept: { holds: true } },
  })
  expect(workspace.ledger.state.progress.tasks.b).toMatchObject({ status: 'failed' })
  expect(workspace.prompts).toHaveLength(3)
})

it.each([
  ['mail', '`mail` cannot be measured without a claim to compare it with'],
  ['task_completed', '`task_completed` measures nothing: it is judged by what the agent did'],
  ['!changed("*.txt")', '`!changed("*.txt")` can only be checked during an attempt'],
  ['mail > 2', '`mail > 2` could not be measured: '],
  ['mail > > 2', '`mail > > 2` cannot be measured: '],
])('says why it cannot measure `%s`', async (hint, reason) => {
  const { sweep } = await blocked(`- [ ] a | Count | verify: ${hint} | max_attempts: 1`)
  expect(await sweep()).toEqual([{ taskId: 'a', holds: null, reason: expect.stringContaining(reason) }])
})

it('calls a task done only if its criteria pass too', async () => {
  const { sweep, write } = await blocked(
    '- [ ] a | Write | verify: exists("out.txt") | max_attempts: 1\n  - [ ] with a list | verify: exists("list.txt")',
  )
  await write('out.txt', 'done')
  expect(await sweep()).toEqual([
    { taskId: 'a', holds: false, reason: 'criterion "with a list": `exists("list.txt")` fails' },
  ])
  await write('list.txt', 'one')
  expect(await sweep()).toMatchObject([{ taskId: 'a', holds: true }])
})

it('finds nothing to do if no task is blocked, and records nothing', async () => {
  const { sweep, sweeps } = await blocked('- [ ] a | Count | verify: mail > 2')
  expect(await sweep()).toEqual([])
  expect(await sweeps()).toEqual([])
})

it('records nothing once it is stopped', async () => {
  const { sweep, sweeps } = await blocked('- [ ] a | Count | verify: mail > 2 | max_attempts: 1')
  await sweep(AbortSignal.abort())
  expect(await sweeps()).toEqual([])
})

it('says that the contract cannot be read', async () => {
  const { ports, config } = await blocked('- [ ] a | Count')
  const unreadable = { ...ports, readContract: async () => ({ ok: false as const, reason: 'It is gone.' }) }
  await expect(sweepNow(unreadable, config, running)).rejects.toMatchObject({
    kind: 'unprocessable',
    message: 'It is gone.',
  })
})
