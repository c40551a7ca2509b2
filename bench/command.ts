import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
// @ts-expect-error -- a plain script, which has no types
import { ensureBuilt } from '../scripts/ensure-built.mjs'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import type { Figure } from './figure.ts'
import { configure, git, makeRepository } from './overhead-workspace.ts'

const ROUNDS = 15
const root = join(import.meta.dirname, '..')

/** The goals, relative to a Node.js process that does nothing. */
const GOALS: Readonly<Record<string, number>> = { '--version': 1.5, status: 2.5 }

/** Runs the built command and `node -e 0` in turn; `status` asks a running host. */
export const command: Benchmark = {
  question:
    'How long do `--version` and `status` take compared with `node -e 0`? At most 1.5 and 2.5 times as long.',
  options: `[--rounds ${ROUNDS}]`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: 'string', default: String(ROUNDS) } },
    })
    const figures = await measureCommand(Number(values.rounds))
    const rows = figures.map(({ name, value, reference }) => [
      name,
      value.toFixed(0),
      (reference?.value ?? Number.NaN).toFixed(0),
      (value / (reference?.value ?? Number.NaN)).toFixed(2),
    ])
    console.log(markdownTable(['command', 'ms', 'node -e 0', 'ratio'], rows))
  },
  measure: () => measureCommand(ROUNDS),
}

/** One heartbeat without a host, compared with its parts. */
export const runOnce: Benchmark = {
  question:
    'What does `run --once` take on 10,000 files with an agent that does nothing? At most `node -e 0` + 2.2 × `git status` + 0.1 s.',
  options: '',
  run: async () => console.log(JSON.stringify(await measureRun(RUN_ROUNDS), null, 2)),
  measure: async () => [await measureRun(RUN_ROUNDS)],
}

const RUN_ROUNDS = 9
const RUN_FILES = 10_000

/** Measures `run --once` with an agent that does nothing and no running host, in turn with its parts. */
async function measureRun(rounds: number): Promise<Figure> {
  await ensureBuilt(root)
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-run-'))
  try {
    const program = await installed(folder)
    const [data, workspace] = [join(folder, 'data'), join(folder, 'workspace')]
    await makeRepository(workspace, RUN_FILES)
    await configure(workspace, 'idle', false)
    await timed([program, 'add', workspace, '--trust', '--data-dir', data])
    const words = [program, 'run', '--once', '--workspace', workspace, '--data-dir', data]
    // Warms the caches.
    await timed(words)
    const parts: number[] = []
    const runs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const nothing = await timed(['-e', '0'])
      const begunMs = performance.now()
      await git(workspace, '--no-optional-locks', 'status', '--porcelain')
      parts.push(nothing + 2.2 * (performance.now() - begunMs) + 100)
      runs.push(await timed(words))
    }
    return {
      bench: 'run-once',
      name: `pulseward run --once, ${RUN_FILES.toLocaleString('en')} files, an agent that does nothing`,
      value: median(runs),
      unit: 'ms',
      reference: { name: 'node -e 0 + 2.2 × git status + 100 ms', value: median(parts) },
      goal: 1,
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measureCommand(rounds: number): Promise<readonly Figure[]> {
  await ensureBuilt(root)
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-command-'))
  const program = await installed(folder)
  const data = join(folder, 'data')
  const host = spawn(process.execPath, [program, 'serve', '--port', '0', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await firstLine(host)
    const workspace = await makeWorkspace(folder)
    await timed([program, 'add', workspace, '--trust', '--data-dir', data])
    const asked = Object.entries({
      '--version': [program, '--version'],
      status: [program, 'status', '--workspace', workspace, '--data-dir', data],
    })
    const nothing: number[] = []
    const times = new Map<string, number[]>(asked.map(([name]) => [name, []]))
    for (let round = 0; round < rounds; round += 1) {
      nothing.push(await timed(['-e', '0']))
      for (const [name, words] of asked) times.get(name)?.push(await timed(words))
    }
    return asked.map(([name]) => ({
      bench: 'command',
      name: `pulseward ${name}`,
      value: median(times.get(name) ?? []),
      unit: 'ms',
      reference: { name: 'node -e 0', value: median(nothing) },
      goal: GOALS[name] ?? null,
    }))
  } finally {
    host.kill('SIGTERM')
    if (host.exitCode === null && host.signalCode === null) await once(host, 'exit')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Returns the built command as an installation has it; a checkout first checks whether its sources are newer. */
export async function installed(folder: string): Promise<string> {
  const program = join(folder, 'installed/bin/pulseward')
  await mkdir(join(folder, 'installed/bin'), { recursive: true })
  await copyFile(join(root, 'bin/pulseward'), program)
  await copyFile(join(root, 'package.json'), join(folder, 'installed/package.json'))
  for (const name of ['out', 'resources'])
    await symlink(join(root, name), join(folder, 'installed', name), 'junction')
  return program
}

async function makeWorkspace(folder: string): Promise<string> {
  const workspace = join(folder, 'workspace')
  await mkdir(workspace)
  await writeFile(
    join(workspace, 'HEARTBEAT.md'),
    '## Tasks\n\n- [ ] x | X | required | verify: exists("x")\n',
  )
  await writeFile(join(workspace, 'pulseward.toml'), '[agent]\ncommand = ["true"]\n')
  return workspace
}

export async function timed(words: readonly string[]): Promise<number> {
  const begunMs = performance.now()
  await promisify(execFile)(process.execPath, words).catch((error: { code?: unknown }) => {
    // A task that was not done is a valid answer too.
    if (error.code !== 1) throw error
  })
  return performance.now() - begunMs
}

async function firstLine({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('The host was started without a pipe.')
  for await (const _line of createInterface({ input: stdout })) return
  throw new Error('The host exited without output.')
}
