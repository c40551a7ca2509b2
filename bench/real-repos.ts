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
    'How often do the tests of a repository run per heartbeat, and what does it take besides the agent?',
  options: '[--repo PATH --command "npx vitest run" --parse vitest] [--heartbeats 5] [--world] [--sandbox]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const root = await mkdtemp(join(tmpdir(), 'pulseward-real-'))
    const directory = join(root, 'w')
    const command = splitCommand(values.command) ?? []
    try {
      if (values.repo === undefined) await generate(directory)
      else await cp(values.repo, directory, { recursive: true, verbatimSymlinks: true })
      const alone = median([1, 2, 3].map(() => runAlone(directory, command)))
      const rows = await heartbeats(root, { ...values, count: Number(values.heartbeats) }, command)
      console.log(`The check alone: ${alone.toFixed(0)} ms\n`)
      console.log(
        markdownTable(
          ['heartbeat', 'runs', 'without the agent', 'the check alone'],
          rows.map(({ runs, ms }, at) => [
            `${at + 1}`,
            `${runs}`,
            `${ms.toFixed(0)} ms`,
            `${(ms / alone).toFixed(2)} ×`,
          ]),
        ),
      )
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
}

/** A repository whose tests take about a second, and note beside it that they ran. */
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

interface Wanted {
  readonly count: number
  readonly parse: string
  /** Every check is run, as if it depended on more than files. */
  readonly world: boolean
  readonly sandbox: boolean
}

async function heartbeats(
  root: string,
  { count, parse, world, sandbox }: Wanted,
  command: readonly string[],
): Promise<readonly { runs: number; ms: number }[]> {
  const configuration = `[agent]
command = ["sh", "-c", "cat > /dev/null; date +%N >> notes.txt; printf '\`\`\`heartbeat-report\\\\n{\\"task_id\\":\\"work\\",\\"status\\":\\"failed\\"}\\\\n\`\`\`\\\\n'"]
${sandbox ? '' : 'sandbox = "off"\n'}[interventions]
threshold_no_files = 1000
[probes.tests]
command = ${JSON.stringify(command)}
parse = "${parse}"
${world ? 'reads = "world"\n' : ''}`
  const contract =
    '## Tasks\n\n- [ ] work | Improve it | required | verify: tests.passed > 1000000 | max_attempts: 1000\n'
  const host = await temporaryHost({ w: { contract, configuration } }, { root, drawn: () => false })
  const rows: { runs: number; ms: number }[] = []
  try {
    for (let at = 0; at < count; at += 1) {
      await rm(join(root, 'runs'), { force: true })
      const begunMs = performance.now()
      const { attempts } = (await host.client.heartbeat.run({ wait: true })) as RunReport
      const ms = performance.now() - begunMs
      const [attempt] = attempts
      if (attempt?.costs == null) throw new Error('The task did not run')
      const counted = attempt.costs.byCheck.reduce((sum, { runs }) => sum + runs, 0)
      // Where the tests could note it themselves.
      const noted = existsSync(join(root, 'runs')) ? readFileSync(join(root, 'runs')).length : counted
      rows.push({ runs: Math.max(noted, counted), ms: ms - attempt.costs.agentMs })
    }
  } finally {
    await host.stop()
  }
  return rows
}
