import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { ApiClient } from '../../src/api/client.ts'
import type { AgentUsage } from '../../src/core/activity/types.ts'
import type { RunReport } from '../../src/core/read-model/attempt.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { createHost } from '../../src/main/host.ts'
import { type Benchmark, markdownTable } from '../benchmark.ts'

type Attempt = RunReport['attempts'][number] & { readonly usage: AgentUsage | null }

const OPTIONS = {
  preset: { type: 'string', default: 'claude' },
  command: { type: 'string' },
  model: { type: 'string' },
  tasks: { type: 'string', default: '20' },
  'tokens-per-attempt': { type: 'string', default: '60000' },
  'usd-per-million': { type: 'string', default: '3' },
  yes: { type: 'boolean', default: false },
} as const

/** `off` and `on` mean the same as for the scripted agents. */
const ARMS = {
  off: '[interventions]\nenabled = false\n\n[adaptive_timeout]\nenabled = false\nmode_timeout = 120\n',
  on: '',
} as const
const MAX_ATTEMPTS = 3

/** Repeats the table of habits with a real program and a real model. Needs a login or a key, and costs money. */
export const realAgent: Benchmark = {
  question:
    'Do interventions and adaptive timeouts help a real agent with a real model? Costs money; says how much first.',
  options:
    '[--preset claude] [--command WORDS] [--model NAME] [--tasks 20] [--tokens-per-attempt 60000] [--usd-per-million 3] --yes',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const tasks = positive('tasks', values.tasks)
    const mostAttempts = tasks * MAX_ATTEMPTS * Object.keys(ARMS).length
    const tokens = mostAttempts * positive('tokens-per-attempt', values['tokens-per-attempt'])
    const usd = (tokens / 1e6) * positive('usd-per-million', values['usd-per-million'])
    console.error(
      `At most ${mostAttempts} attempts (${tasks} tasks, ${MAX_ATTEMPTS} attempts each, with and without interventions), about ${(tokens / 1e6).toFixed(1)} million tokens: at most about ${usd.toFixed(2)} USD. An agent that succeeds at once needs a third of it.`,
    )
    if (!values.yes) {
      console.error('Nothing was run. Add --yes to spend it.')
      return
    }
    const agent = agentToml(values)
    const rows: (readonly string[])[] = []
    for (const arm of ['off', 'on'] as const) rows.push(rowOf(arm, await runArm(agent, ARMS[arm], tasks)))
    console.log(
      markdownTable(
        [
          'interventions',
          'files per iteration',
          'tasks completed',
          'wasted iterations',
          'interventions per 100 iterations',
          'tokens',
          'USD',
        ],
        rows,
      ),
    )
  },
}

function agentToml({
  preset,
  command,
  model,
}: {
  preset: string
  command?: string | undefined
  model?: string | undefined
}): string {
  const program =
    command === undefined
      ? [
          `preset = ${JSON.stringify(preset)}`,
          ...(model === undefined ? [] : [`model = ${JSON.stringify(model)}`]),
        ]
      : [`command = ${JSON.stringify(command.split(' '))}`]
  return ['[agent]', 'id = "real"', ...program, ''].join('\n')
}

/** Returns the content of a source file that the agent must sum up: different for each, so that no answer fits two. */
function sourceText(number: number): string {
  const lines = Array.from(
    { length: 12 },
    (_, line) => `- measurement ${line + 1}: ${(number * 37 + line * 101) % 997}`,
  )
  return `# Source ${number}\n\n${lines.join('\n')}\n`
}

function taskLine(number: number): string {
  const id = `item_${String(number).padStart(3, '0')}`
  const file = `notes/${id}.md`
  const hints = [`changed("${file}")`, `contains("${file}", "largest")`, 'task_completed']
  return `- [ ] ${id} | Sum up sources/${number}.md in ${file}: how many measurements there are, the largest and the smallest | required | verify: ${hints[number % hints.length]} | max_attempts: ${MAX_ATTEMPTS}\n`
}

async function runArm(agent: string, toml: string, tasks: number): Promise<readonly Attempt[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-real-agent-'))
  try {
    const directory = join(root, 'workspace')
    await mkdir(join(directory, 'sources'), { recursive: true })
    await writeFile(join(directory, 'HEARTBEAT.md'), '# Work\n\n## Tasks\n')
    await writeFile(join(directory, 'pulseward.toml'), `${agent}\n${toml}`)
    for (let number = 1; number <= tasks; number += 1)
      await writeFile(join(directory, 'sources', `${number}.md`), sourceText(number))
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: directory })
    await git('init', '--quiet')
    await git('add', '.')
    await git(
      '-c',
      'user.name=Operator',
      '-c',
      'user.email=operator@example.invalid',
      'commit',
      '--quiet',
      '-m',
      'Start',
    )
    const host = await createHost({
      dataDirectory: join(root, 'data'),
      version: '0.0.0',
      clock: systemClock,
      log: { info: () => {}, warn: () => {}, error: console.error },
      notifier: { notify: () => {} },
      pageDirectory: null,
      sampleDirectory: root,
      port: 0,
      scheduled: false,
    })
    try {
      await host.client.workspaces.add({ path: directory, trust: true })
      return await play(host.client, tasks)
    } finally {
      await host.stop()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function play(client: ApiClient, tasks: number): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = []
  for (let number = 1; number <= tasks; number += 1) {
    const { hash } = await client.contract.get({})
    await client.contract.put({ text: `# Work\n\n## Tasks\n${taskLine(number)}`, hash })
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      const [attempt] = (await client.heartbeat.run({ wait: true }))?.attempts ?? []
      if (attempt === undefined) break
      if (attempt.fault === 'environment')
        throw new Error(`The agent could not run, so this measures nothing: ${attempt.reasons.join('; ')}`)
      const { activity } = await client.attempts.get({ id: attempt.attemptId })
      attempts.push({ ...attempt, usage: activity?.usage ?? null })
      process.stderr.write(`${attempt.taskId}: ${attempt.verdict}\n`)
      const [workspace] = await client.workspaces.list()
      if (workspace?.suspended != null) await client.heartbeat.liftSuspension({ reason: 'Reviewed; go on.' })
      if (attempt.verdict === 'verified') break
    }
  }
  return attempts
}

function rowOf(arm: string, attempts: readonly Attempt[]): readonly string[] {
  const all = new Set(attempts.map(({ taskId }) => taskId)).size
  const done = attempts.filter(({ verdict }) => verdict === 'verified').length
  const files = attempts.reduce((sum, { filesChanged }) => sum + filesChanged.length, 0)
  const raised = attempts
    .flatMap(({ interventions }) => interventions)
    .filter(({ event_type }) => event_type !== 'agent_reinforced')
  const usage = attempts.flatMap(({ usage }) => usage ?? [])
  const sum = (figures: readonly (number | null)[]) =>
    figures.reduce<number>((total, each) => total + (each ?? 0), 0)
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`
  return [
    arm,
    (files / Math.max(1, attempts.length)).toFixed(2),
    `${share(done, all)} (${done} of ${all})`,
    share(attempts.length - done, attempts.length),
    ((100 * raised.length) / Math.max(1, attempts.length)).toFixed(0),
    String(
      sum(usage.map(({ inputTokens }) => inputTokens)) + sum(usage.map(({ outputTokens }) => outputTokens)),
    ),
    sum(usage.map(({ costUsd }) => costUsd)).toFixed(2),
  ]
}

function positive(name: string, value: string): number {
  const number = Number(value)
  if (number > 0) return number
  throw new Error(`--${name} is ${value}; expected a number above 0.`)
}
