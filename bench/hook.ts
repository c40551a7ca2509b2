import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
// @ts-expect-error -- a plain script, which has no types
import { ensureBuilt } from '../scripts/ensure-built.mjs'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import type { Figure } from './figure.ts'
import { thisMachine } from './machine.ts'

const ROUNDS = 31
const root = join(import.meta.dirname, '..')
/** The maximum cost of the hook compared with a Node.js process that does nothing, in a folder without a workspace. */
const GOAL_MS = 30
/** The same for a stop that is answered from an earlier measurement, or that needs no answer. */
const ANSWERED_MS = 50
const AGENT = 'claude'

/** Runs the session hook where it has little to do, and `node -e 0`, in turn. */
export const hook: Benchmark = {
  question: `What does the session hook cost compared with \`node -e 0\`? At most ${GOAL_MS} ms in a folder without a workspace, ${ANSWERED_MS} ms for a stop that is answered from what was measured.`,
  options: `[--rounds ${ROUNDS}]`,
  run: async (args) => {
    const options = { rounds: { type: 'string', default: String(ROUNDS) } } as const
    const { values } = parseArgs({ args: [...args], options })
    const figures = await measureHook(Number(values.rounds))
    console.log(`Load of the last minute: ${thisMachine().load}\n`)
    console.log(
      markdownTable(
        ['hook', 'ms over node -e 0', 'goal'],
        figures.map(({ name, value, goal }) => [name, value.toFixed(1), goal === null ? '' : String(goal)]),
      ),
    )
  },
  measure: () => measureHook(ROUNDS),
}

async function measureHook(rounds: number): Promise<readonly Figure[]> {
  await ensureBuilt(root)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-hook-bench-')))
  try {
    return [...(await measureElsewhere(folder, rounds)), ...(await measureTurns(folder, rounds))]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const figure = (name: string, value: number, goal: number | null): Figure => ({
  ...{ bench: 'hook', name, value, unit: 'ms', reference: null, goal },
})
const over = (times: readonly number[], nothing: readonly number[]): number => median(times) - median(nothing)

/** Measures in folders that have nothing to do with Pulseward. */
async function measureElsewhere(folder: string, rounds: number): Promise<readonly Figure[]> {
  const [empty, data] = [join(folder, 'empty'), join(folder, 'data')]
  for (const one of [empty, data, join(folder, 'here'), join(folder, 'there')]) mkdirSync(one)
  const script = join(data, 'hook.js')
  copyFileSync(join(root, 'out/main/hook.js'), script)
  execFileSync('git', ['init', '--quiet', join(folder, 'here')])
  const workspaces = [{ id: 'there', directory: join(folder, 'there'), common: null, prefix: '' }]
  writeFileSync(join(data, 'hook-index.json'), JSON.stringify({ version: 1, workspaces }))
  const input = { session_id: 's', cwd: join(folder, 'here'), last_assistant_message: 'Done.' }
  const call = (dataDirectory: string) => [script, 'stop', '--agent', AGENT, '--data-dir', dataDirectory]
  const nothing: number[] = []
  const without: number[] = []
  const elsewhere: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    nothing.push(timed(['-e', '0'], input))
    without.push(timed(call(empty), input))
    elsewhere.push(timed(call(data), input))
  }
  return [
    figure('the session hook where no workspace is known', over(without, nothing), GOAL_MS),
    figure('the session hook in a folder of no workspace', over(elsewhere, nothing), GOAL_MS),
  ]
}

/** Measures in a workspace, against the host of the built command, with a check that does nothing. */
async function measureTurns(folder: string, rounds: number): Promise<readonly Figure[]> {
  const [workspace, data] = [join(folder, 'workspace'), join(folder, 'workspace-data')]
  mkdirSync(workspace)
  const command = (...args: string[]) => [join(root, 'bin/pulseward'), ...args, '--data-dir', data]
  const git = (...args: string[]) => execFileSync('git', ['-C', workspace, ...args])
  const files = {
    'HEARTBEAT.md': '## Tasks\n',
    'pulseward.toml': '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["node", "-e", "0"]]\n',
    'work.txt': '0\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text)
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '--quiet', '--message', 'first')
  execFileSync(process.execPath, command('add', workspace, '--trust'))
  const host = spawn(process.execPath, command('serve', '--port', '0'), {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await once(host.stdout, 'data')
    const script = join(root, 'out/main/hook.js')
    const call = (event: string, session: string, more: object = {}): number =>
      timed([script, event, '--agent', AGENT, '--data-dir', data], {
        session_id: session,
        cwd: workspace,
        ...more,
      })
    const stop = (session: string, message: string): number =>
      call('stop', session, { last_assistant_message: message })
    const times: Record<'idle' | 'nothing' | 'judged' | 'cached' | 'silent' | 'prompt', number[]> = {
      ...{ idle: [], nothing: [], judged: [] },
      ...{ cached: [], silent: [], prompt: [] },
    }
    call('start', 'working')
    for (let round = 0; round < rounds; round += 1) {
      times.nothing.push(timed(['-e', '0'], {}))
      times.prompt.push(call('prompt', 'working', { prompt: 'Go on.' }))
      writeFileSync(join(workspace, 'work.txt'), `${round + 1}\n`)
      times.judged.push(stop('working', 'Done. All tests pass.'))
      // Another prompt, to which the agent gives the same answer with the same files.
      call('prompt', 'working', { prompt: 'Are you sure?' })
      times.cached.push(stop('working', 'Done. All tests pass.'))
    }
    call('start', 'idle')
    for (let round = 0; round < rounds; round += 1) {
      times.idle.push(timed(['-e', '0'], {}))
      call('prompt', 'idle', { prompt: 'What does it do?' })
      times.silent.push(stop('idle', 'It counts.'))
    }
    const ledgers = readdirSync(join(data, 'workspaces'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\d+\.jsonl$/.test(file))
      .map((file) => readFileSync(join(data, 'workspaces', file), 'utf8'))
    const turns = ledgers
      .join('')
      .split('\n')
      .filter((line) => line.includes('"type":"turn-judged"'))
    const cached = turns.filter((line) => line.includes('"cached":true'))
    if (turns.length !== 2 * rounds || cached.length !== rounds)
      throw new Error(
        `${turns.length} turns were judged, ${cached.length} from what was measured, instead of ${2 * rounds} and ${rounds}`,
      )
    return [
      figure('`node -e 0` itself, in the same rounds', median(times.nothing), null),
      figure('a prompt', over(times.prompt, times.nothing), ANSWERED_MS),
      figure('a stop answered from what was measured', over(times.cached, times.nothing), ANSWERED_MS),
      figure('a stop of a session in which nothing changed', over(times.silent, times.idle), ANSWERED_MS),
      // The check's own time, which is another `node -e 0`, is subtracted too.
      figure(
        'the verdict on a turn, beyond its check',
        over(times.judged, times.nothing) - median(times.nothing),
        null,
      ),
    ]
  } finally {
    const ended = once(host, 'exit')
    host.kill()
    await ended
  }
}

function timed(args: readonly string[], input: object): number {
  const startedMs = performance.now()
  const { status } = spawnSync(process.execPath, args, {
    input: JSON.stringify(input),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  return performance.now() - startedMs
}
