import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { pathOf } from '../e2e/agents/support/path-of.ts'
import { REAL_AGENTS, type RealAgent, setupOf, whyMissing } from '../e2e/agents/support/programs.ts'
import { writeFiles } from '../e2e/support/files.ts'
import type { WorkspaceRuntime } from '../src/main/host/workspace-runtime.ts'
import { startOutside } from '../src/main/scripted-model/outside.ts'
import { act, say, write } from '../src/main/scripted-model/script.ts'
import { startModelServer } from '../src/main/scripted-model/server.ts'
import { surroundings } from '../src/main/scripted-model/surroundings.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import { openTimedWorkspace } from './timed-workspace.ts'

const ROUNDS = 5

/** Milliseconds of one round. */
interface Round {
  /** The program alone, with the prompt and arguments that Pulseward gives it. */
  readonly bare: number
  /** The same under supervision, until its last process is gone. */
  readonly agent: number
  /** The attempt without the program's own run: snapshots, measuring, judging, the ledger. */
  readonly supervision: number
}

/** Runs each installed agent program on one task with a scripted model, bare and supervised in turn. */
export const agentStart: Benchmark = {
  question:
    'What does an attempt cost compared with the bare agent program? Supervision should add some tens of milliseconds.',
  options: `[--rounds ${ROUNDS}] [--agents claude,codex,gemini,opencode] [--json]`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: String(ROUNDS) },
        agents: { type: 'string', default: 'claude,codex,gemini,opencode' },
        json: { type: 'boolean', default: false },
      },
    })
    const results: { agent: string; medians: Round }[] = []
    for (const agent of REAL_AGENTS.filter(({ mode }) => mode === 'print')) {
      if (!values.agents.split(',').includes(agent.preset)) continue
      const missing = whyMissing(agent)
      if (missing === null)
        results.push({ agent: agent.preset, medians: await measure(agent, Number(values.rounds)) })
      else console.log(`SKIPPED: ${agent.preset}: ${missing}`)
    }
    console.log(values.json ? JSON.stringify(results, null, 2) : table(results))
  },
}

const done =
  'I am done.\n\n```heartbeat-report\n{"task_id": "job", "status": "done", "files": ["out/made.txt"], "exit_signal": true}\n```\n'

async function measure(agent: RealAgent, rounds: number): Promise<Round> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-agents-')))
  const outside = await startOutside()
  const model = await startModelServer({ prompts: [[act(write('out/made.txt', 'made\n')), say(done)]] })
  const before = { ...process.env }
  try {
    const home = join(root, 'home')
    const setup = setupOf(agent, model.url)
    await writeFiles(home, { ...setup.files, 'tmp/.keep': '', 'codex/.keep': '' })
    Object.assign(process.env, surroundings(home, outside.url), setup.keys, { PATH: pathOf(root, agent) })
    const directory = await writeFiles(join(root, 'job'), {
      'HEARTBEAT.md':
        '## Tasks\n- [ ] job | Make the file out/made.txt | required | verify: exists("out/made.txt") | max_attempts: 1000\n',
      'pulseward.toml': `[agent]\npreset = "${agent.preset}"\nenv = ${tomlTable(setup.env)}\n`,
    })
    return await runRounds(root, directory, rounds)
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
    await model.close()
    await outside.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function tomlTable(values: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ')} }`
}

/** Runs one more round than is counted, because the programs set up their home folders in the first. */
async function runRounds(root: string, directory: string, rounds: number): Promise<Round> {
  const { runtime, spans } = await openTimedWorkspace(root, 'job', directory)
  try {
    const measured: Round[] = []
    for (let round = 0; round <= rounds; round += 1) {
      await rm(join(directory, 'out'), { recursive: true, force: true })
      const bare = await timeBare(runtime, directory)
      await rm(join(directory, 'out'), { recursive: true, force: true })
      spans.clear()
      const { attempts } = await runtime.loop.runNow()
      if (attempts[0]?.verdict !== 'verified')
        throw new Error(`The attempt failed: ${JSON.stringify(attempts[0]?.reasons)}`)
      const of = (name: string) => spans.get(name) ?? 0
      if (round > 0) measured.push({ bare, agent: of('agent'), supervision: of('attempt') - of('agent') })
    }
    const of = (key: keyof Round) => median(measured.map((round) => round[key]))
    return { bare: of('bare'), agent: of('agent'), supervision: of('supervision') }
  } finally {
    await runtime.stop()
  }
}

/** Times the command that Pulseward runs, in its folder and with its variables, until it exits. */
async function timeBare({ loop }: WorkspaceRuntime, directory: string): Promise<number> {
  const agent = loop.config?.agent
  const [program = '', ...args] = agent?.command ?? []
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...process.env, ...agent?.env, PWD: directory },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end('Make the file out/made.txt')
  await once(child, 'exit')
  return performance.now() - start
}

function table(results: readonly { agent: string; medians: Round }[]): string {
  const rows = results.map(({ agent, medians: { bare, agent: supervised, supervision } }) => [
    agent,
    ...[bare, supervised, supervision].map((value) => value.toFixed(0)),
    `${((supervised + supervision) / bare).toFixed(2)} ×`,
  ])
  const headings = ['program', 'bare', 'supervised', 'supervision', 'ratio']
  return `Medians in ms per attempt\n\n${markdownTable(headings, rows)}`
}
