import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { RunReport } from '../src/core/read-model/attempt.ts'
import { temporaryHost } from '../src/main/testing/temporary-host.ts'
import { splitCommand } from '../src/main/verifier/cel-functions.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import type { Figure } from './figure.ts'
import { git } from './overhead-workspace.ts'

const OPTIONS = {
  repo: { type: 'string' },
  command: { type: 'string', default: 'node --test --test-reporter=tap' },
  parse: { type: 'string', default: 'tap' },
  heartbeats: { type: 'string', default: '5' },
  world: { type: 'boolean', default: false },
  sandbox: { type: 'boolean', default: false },
} as const

/** Heartbeats over a repository with a real test suite, compared with the suite alone. */
export const realRepos: Benchmark = {
  question:
    'How long does a heartbeat take besides the agent, compared with the test suite alone? At most 2.2 × + 0.3 s in the first one, then 1.25 × + 0.3 s.',
  options: '[--repo PATH --command "npx vitest run" --parse vitest] [--heartbeats 5] [--world] [--sandbox]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const rows = await measureRows(values)
    const table = rows.map(({ runs, ms, aloneMs }, at) => [
      `${at + 1}`,
      `${runs}`,
      `${ms.toFixed(0)} ms`,
      `${aloneMs.toFixed(0)} ms`,
      `${(ms / aloneMs).toFixed(2)} ×`,
    ])
    console.log(markdownTable(['heartbeat', 'runs', 'without the agent', 'the check alone', 'ratio'], table))
    const figures = figuresOf(rows).map(({ name, value, reference }) => [
      name,
      `${value.toFixed(0)} ms`,
      `${(reference?.value ?? Number.NaN).toFixed(0)} ms`,
    ])
    console.log(`\n${markdownTable(['', 'median', 'at most'], figures)}`)
  },
  measure: async () => {
    const { values } = parseArgs({ args: ['--sandbox', '--heartbeats', '9'], options: OPTIONS })
    return figuresOf(await measureRows(values))
  },
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

/** One heartbeat. */
interface Row {
  /** How many times the check ran. */
  readonly runs: number
  /** Milliseconds without the agent's own time. */
  readonly ms: number
  /** Milliseconds that the check alone took right before. */
  readonly aloneMs: number
}

async function measureRows(values: Values): Promise<readonly Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-real-'))
  const directory = join(root, 'w')
  const { repo, command } = values
  try {
    await generate(join(root, 'warm'))
    if (repo === undefined) await generate(directory)
    else await cp(repo, directory, { recursive: true, verbatimSymlinks: true })
    return await heartbeats(root, values, splitCommand(command) ?? [])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Returns the figures. The first heartbeat has no earlier results to reuse; the median of the others is the steady state. */
function figuresOf([first, ...steady]: readonly Row[]): readonly Figure[] {
  if (first === undefined) return []
  const figure = (name: string, of: readonly Row[], times: number): Figure => ({
    bench: 'real-repos',
    name,
    value: median(of.map(({ ms }) => ms)),
    unit: 'ms',
    reference: {
      name: `${times} × the check alone + 300 ms`,
      value: times * median(of.map(({ aloneMs }) => aloneMs)) + 300,
    },
    goal: 1,
  })
  return [
    figure('first heartbeat without the agent, one check of a second, sandboxed', [first], 2.2),
    figure('each later heartbeat without the agent', steady, 1.25),
  ]
}

/** Creates a repository whose tests take about a second, and write a note each time they run. */
async function generate(directory: string): Promise<void> {
  await mkdir(join(directory, 'src'), { recursive: true })
  await mkdir(join(directory, 'test'))
  for (let at = 0; at < 200; at += 1)
    await writeFile(join(directory, 'src', `file-${at}.js`), `module.exports = ${at}\n`)
  await writeFile(
    join(directory, 'test', 'all.test.js'),
    `const { test } = require('node:test')
test('takes a while', async () => {
  try { require('node:fs').appendFileSync('../runs', '.') } catch {}
  await new Promise((done) => setTimeout(done, 800))
})
`,
  )
  await git(directory, 'init', '--quiet')
  await git(directory, 'add', '.')
  const author = ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.invalid']
  await git(directory, ...author, 'commit', '--quiet', '-m', 'Start')
}

function runAlone(directory: string, [program = '', ...words]: readonly string[]): number {
  const begunMs = performance.now()
  execFileSync(program, words, { cwd: directory, stdio: 'ignore' })
  return performance.now() - begunMs
}

/**
 * Runs heartbeats of one workspace, each after a run of the check alone: other work on the machine slows both. Another
 * workspace goes first, because the first heartbeat of a host also loads code and tries out sandboxes.
 */
async function heartbeats(
  root: string,
  { heartbeats: count, parse, world, sandbox }: Values,
  command: readonly string[],
): Promise<readonly Row[]> {
  const seed = (check: readonly string[], format: string) => ({
    contract:
      '## Tasks\n\n- [ ] work | Improve it | required | verify: tests.passed > 1000000 | max_attempts: 1000\n',
    configuration: `[agent]
command = ["sh", "-c", "cat > /dev/null; date +%N >> notes.txt; printf '\`\`\`heartbeat-report\\\\n{\\"task_id\\":\\"work\\",\\"status\\":\\"failed\\"}\\\\n\`\`\`\\\\n'"]
${sandbox ? '' : 'sandbox = "off"\n'}[interventions]
threshold_no_files = 1000
[probes.tests]
command = ${JSON.stringify(check)}
parse = "${format}"
${world ? 'reads = "world"\n' : ''}`,
  })
  const host = await temporaryHost(
    { warm: seed(['node', '--test', '--test-reporter=tap'], 'tap'), w: seed(command, parse) },
    { root, drawn: () => false },
  )
  const beat = async (name: string): Promise<Omit<Row, 'aloneMs'>> => {
    await rm(join(root, 'runs'), { force: true })
    const begunMs = performance.now()
    const { attempts } = (await host.client.heartbeat.run({
      workspace: host.id(name),
      wait: true,
    })) as RunReport
    const ms = performance.now() - begunMs
    const [attempt] = attempts
    if (attempt?.costs == null) throw new Error('The task did not run')
    const counted = attempt.costs.byCheck.reduce((sum, { runs }) => sum + runs, 0)
    // Use the note if the repository's tests write one.
    const noted = existsSync(join(root, 'runs')) ? readFileSync(join(root, 'runs')).length : counted
    return { runs: Math.max(noted, counted), ms: ms - attempt.costs.agentMs }
  }
  const rows: Row[] = []
  try {
    for (let at = 0; at < 2; at += 1) await beat('warm')
    for (let at = 0; at < Number(count); at += 1) {
      const aloneMs = runAlone(join(root, 'w'), command)
      rows.push({ aloneMs, ...(await beat('w')) })
    }
  } finally {
    await host.stop()
  }
  return rows
}
