import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type TemporaryHost, temporaryHost } from '../src/main/testing/temporary-host.ts'
import { type Benchmark, markdownTable } from './benchmark.ts'

const RESOLUTION_MS = 10

/** Programs for Node that leave behind what an agent might. */
const MESSES: Readonly<Record<string, string>> = {
  '40,000 equal files': manyFiles(40_000),
  '200,000 equal files': manyFiles(200_000),
  'a contract of 40,000 tasks': `append('HEARTBEAT.md', '\\n- [ ] x | y | required | verify: exists("q")'.repeat(40_000))`,
  'a contract of 20,000 different tasks': `append('HEARTBEAT.md', Array.from({ length: 20_000 }, (_, i) => '\\n- [x] x' + i + ' | y | required').join(''))`,
  'a 5 MB contract of marks': `append('HEARTBEAT.md', '\\n## Notes\\n' + '*a **b [c](d \`e'.repeat(300_000))`,
  '200 MB of output': `for (let i = 0; i < 200; i++) process.stdout.write(('x'.repeat(1000) + '\\n').repeat(1000))`,
  'a line of 100 MB': `process.stdout.write('x'.repeat(100e6))`,
  '20,000 reports': `process.stdout.write(('\\n\`\`\`heartbeat-report\\n{"task_id":"a","status":"done","claims":{"x":1},"files":["a.txt"]}\\n\`\`\`\\n').repeat(20_000))`,
  '100,000 claimed files': `console.log('I wrote ' + Array.from({ length: 100_000 }, (_, i) => 'src/f' + i + '.ts:12').join(', and created '))`,
  'files of 100 MB': `fs.writeFileSync('big.txt', 'line\\n'.repeat(20e6)); for (let i = 0; i < 20; i++) fs.writeFileSync('b' + i, ('line ' + i + '\\n').repeat(1e6))`,
  'two sparse files of 1 TB': `for (const name of ['sparse', 'a.test.ts']) { fs.writeFileSync(name, ''); fs.truncateSync(name, 1e12) }`,
  '10,000 new test files': `fs.mkdirSync('tests'); for (let i = 0; i < 10_000; i++) fs.writeFileSync('tests/t' + i + '.test.ts', 'test("x", () => { expect(' + i + ').toBe(1) })\\n'.repeat(20))`,
  '500 repositories within': `for (let i = 0; i < 500; i++) { fs.mkdirSync('r/' + i + '/.git/objects', { recursive: true }); fs.mkdirSync('r/' + i + '/.git/refs'); fs.writeFileSync('r/' + i + '/.git/HEAD', 'ref: refs/heads/x') }`,
}

function manyFiles(count: number): string {
  return `fs.mkdirSync('d', { recursive: true }); for (let i = 0; i < ${count}; i++) fs.writeFileSync('d/f' + i, 'same')`
}

interface Delay {
  readonly mess: string
  readonly where: string
  readonly p999Ms: number
  readonly worstMs: number
}

/** Runs a real host, inside and outside a repository, with an agent that leaves a mess; two heartbeats each. */
export const eventLoop: Benchmark = {
  question:
    'How long is the host blocked by what an agent leaves behind? p99.9 should stay at 50 ms, the worst under 1 s.',
  options: '[--only WORD] [--quiet-s 10] [--json]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', default: '' },
        'quiet-s': { type: 'string', default: '10' },
        json: { type: 'boolean', default: false },
      },
    })
    const results = await measureAll(values.only, Number(values['quiet-s']))
    console.log(values.json ? JSON.stringify(results, null, 2) : table(results))
  },
  // All benchmarks together have a quarter of an hour, so without a repository only the slow cases run.
  measure: async () =>
    (
      await measureAll('', 10, (mess, where) => where === 'repository' || mess.endsWith('equal files'))
    ).flatMap(({ mess, where, p999Ms, worstMs }) => {
      const figure = { bench: 'event-loop', unit: 'ms' as const, reference: null }
      return [
        { ...figure, name: `${mess}, ${where}: p99.9`, value: p999Ms, goal: 50 },
        { ...figure, name: `${mess}, ${where}: worst`, value: worstMs, goal: 1000 },
      ]
    }),
}

async function measureAll(
  only: string,
  quietS: number,
  isMeant = (_mess: string, _where: string): boolean => true,
): Promise<readonly Delay[]> {
  const results: Delay[] = []
  for (const [mess, program] of Object.entries(MESSES)) {
    if (!mess.includes(only)) continue
    for (const where of ['repository', 'folder'])
      if (isMeant(mess, where)) results.push(await measure(mess, program, where, quietS))
  }
  return results
}

async function measure(mess: string, program: string, where: string, quietS: number): Promise<Delay> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-mess-'))
  const script = join(folder, 'agent.cjs')
  await writeFile(
    script,
    `const fs = require('node:fs')\nconst append = (file, text) => fs.appendFileSync(file, text)\n${program}\n`,
  )
  const host = await temporaryHost(
    {
      w: {
        contract: '## Tasks\n\n- [ ] a | Do a | required | verify: exists("a.txt")\n',
        configuration: `[agent]\ncommand = [${JSON.stringify(process.execPath)}, ${JSON.stringify(script)}]\nsandbox = "off"\n`,
      },
    },
    { worker: join(import.meta.dirname, '../src/main/worker.ts') },
  )
  if (where === 'repository') {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: host.folder('w') })
    git('init', '--quiet')
    git('add', '--all')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'a')
  }
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  for (let heartbeat = 0; heartbeat < 2; heartbeat += 1) await runOnce(host)
  // A 99.9 % quantile needs some thousand samples.
  await delay(quietS * 1000)
  histogram.disable()
  await host.remove()
  await rm(folder, { recursive: true })
  // It measures from tick to tick; anything beyond one tick is delay.
  const delayMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  return { mess, where, p999Ms: delayMs(histogram.percentile(99.9)), worstMs: delayMs(histogram.max) }
}

async function runOnce(host: TemporaryHost): Promise<void> {
  await host.client.heartbeat.run({})
  for (;;) {
    await delay(100)
    const { workspaces } = await host.client.status()
    if (workspaces.every(({ running }) => running === null)) return
  }
}

function table(results: readonly Delay[]): string {
  const rows = results.map(({ mess, where, p999Ms, worstMs }) => [
    `${mess}, ${where}`,
    p999Ms.toFixed(0),
    worstMs.toFixed(0),
  ])
  return markdownTable(['left behind', 'p99.9 (ms)', 'worst (ms)'], rows)
}
