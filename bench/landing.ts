import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
// @ts-expect-error -- a plain script, which has no types
import { ensureBuilt } from '../scripts/ensure-built.mjs'
import { findTarget, openRepository } from '../src/main/landing/repository.ts'
import { landOnce } from '../src/main/landing/testing/land-once.ts'
import { createTreePool } from '../src/main/landing/tree-pool.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import { installed, timed } from './command.ts'
import { type Figure, holds, ratioOf } from './figure.ts'

const FILES_PER_FOLDER = 100
const log = { info: () => {}, warn: console.error, error: console.error }
const OPTIONS = {
  files: { type: 'string', default: '10000' },
  installed: { type: 'string', default: '50000' },
  rounds: { type: 'string', default: '7' },
} as const

interface Size {
  readonly files: number
  readonly installed: number
  readonly rounds: number
}

/** Measures with real trees, a real queue with a judge that does nothing, and the built command with agents that do nothing. */
export const landing: Benchmark = {
  question: 'What do a tree for an attempt and the landing of its work cost in addition to agent and checks?',
  options: '[--files 10000] [--installed 50000] [--rounds 7]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const [files = 0, installed = 0, rounds = 1] = [values.files, values.installed, values.rounds].map(Number)
    const rows = (await measureLanding({ files, installed, rounds })).map((figure) => [
      figure.name,
      `${figure.value.toFixed(0)} ${figure.unit}`,
      figure.reference === null ? '' : `${figure.reference.name}: ${figure.reference.value.toFixed(0)}`,
      ratioOf(figure)?.toFixed(2) ?? '',
      `${figure.goal ?? ''}${holds(figure) === false ? ' (missed)' : ''}`,
    ])
    console.log(markdownTable(['', 'measured', 'beside', 'ratio', 'at most'], rows))
  },
  measure: () => measureLanding({ files: 10_000, installed: 50_000, rounds: 7 }),
}

async function measureLanding(size: Size): Promise<readonly Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-bench-landing-'))
  try {
    const top = makeRepository(join(root, 'work'), size)
    return [
      ...(await measureTrees(root, top, size)),
      await measureQueue(root, top, size),
      await measureParallel(root),
    ]
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function git(top: string, ...words: string[]): string {
  const identity = ['-c', 'user.name=o', '-c', 'user.email=o@example.invalid']
  return execFileSync('git', [...identity, ...words], {
    cwd: top,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }).trim()
}

function makeRepository(top: string, { files, installed }: Size): string {
  fill(join(top, 'src'), files)
  fill(join(top, 'node_modules', 'package'), installed)
  writeFileSync(join(top, '.gitignore'), 'node_modules/\n')
  git(top, 'init', '--quiet', '--initial-branch=main')
  git(top, 'config', 'gc.auto', '0')
  git(top, 'add', '.')
  git(top, 'commit', '--quiet', '--message', 'Start')
  return top
}

function fill(folder: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const place = join(folder, String(Math.floor(index / FILES_PER_FOLDER)))
    if (index % FILES_PER_FOLDER === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file-${index % FILES_PER_FOLDER}.js`), `export default ${index}\n`.repeat(20))
  }
}

/** Measures trees from a cold and a warm pool, after an attempt that changed a file, and how much disk space a tree takes. */
async function measureTrees(root: string, top: string, { rounds }: Size): Promise<readonly Figure[]> {
  const repository = await openRepository(top)
  if ('reason' in repository) throw new Error(repository.reason)
  const target = await findTarget(repository, 'main')
  const directory = join(root, 'trees')
  const pool = createTreePool({ directory, limit: () => 1, log, clearCaches: async () => {} })
  const request = {
    commit: git(top, 'rev-parse', 'main'),
    target,
    copy: [],
    ports: 0,
    signal: new AbortController().signal,
  }
  const take = async (): Promise<number> => {
    const begunMs = performance.now()
    const tree = await pool.take(repository, request)
    const tookMs = performance.now() - begunMs
    await writeFile(join(tree.directory, 'src/0/file-0.js'), 'changed\n')
    await tree.release()
    return tookMs
  }
  const cold = await take()
  const warm: number[] = []
  for (let round = 0; round < rounds; round += 1) warm.push(await take())
  const kib = (path: string): number =>
    Number.parseInt(execFileSync('du', ['-sk', path], { encoding: 'utf8' }), 10)
  const ms = { bench: 'landing', unit: 'ms', reference: null } as const
  return [
    { ...ms, name: 'a tree, pool warm', value: median(warm), goal: 300 },
    { ...ms, name: 'a tree, pool cold', value: cold, goal: 3000 },
    {
      bench: 'landing',
      name: 'disk of a tree',
      value: kib(directory),
      unit: 'KiB',
      reference: { name: 'your folder', value: kib(top) },
      goal: null,
    },
  ]
}

/** Measures one landing after the other, from hand-in until it is read back, with the target checked out and without opening the record. */
async function measureQueue(root: string, top: string, { rounds }: Size): Promise<Figure> {
  const all: number[] = []
  const status: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const base = git(top, 'rev-parse', 'main')
    writeFileSync(join(top, `work-${round}.txt`), 'work\n')
    git(top, 'add', '--all')
    const tree = git(top, 'write-tree')
    git(top, 'reset', '--quiet', '--hard')
    const beganStatus = performance.now()
    git(top, 'status', '--porcelain')
    status.push(performance.now() - beganStatus)
    const one = { directory: top, ledgerDirectory: join(root, 'ledger'), target: 'main' }
    const openedMs = performance.now()
    await landOnce(one)
    const begunMs = performance.now()
    const landed = await landOnce({ ...one, work: { tree, base, attemptId: `${round}-1-abcd` } })
    all.push(performance.now() - begunMs - (begunMs - openedMs))
    if (landed?.state !== 'landed') throw new Error(`It should have landed: ${landed?.because}`)
  }
  return {
    bench: 'landing',
    name: 'a landing, without its checks',
    value: median(all),
    unit: 'ms',
    reference: { name: 'git status', value: median(status) },
    goal: 5,
  }
}

const TASKS = 4
const PARALLEL_ROUNDS = 3

/** Measures `run --once` of the built command with one task, then with four tasks in parallel. */
async function measureParallel(root: string): Promise<Figure> {
  const repository = join(import.meta.dirname, '..')
  await ensureBuilt(repository)
  const times: Record<'one' | 'four', number[]> = { one: [], four: [] }
  const data = join(root, 'data')
  const program = await installed(root)
  for (const [name, tasks] of [
    ['one', 1],
    ['four', TASKS],
  ] as const) {
    const top = join(root, name)
    mkdirSync(top)
    writeFileSync(
      join(top, 'HEARTBEAT.md'),
      `## Tasks\n${Array.from({ length: tasks }, (_, at) => `- [ ] t${at} | Do ${at} | required | verify: exists("HEARTBEAT.md")\n`).join('')}`,
    )
    writeFileSync(
      join(top, 'pulseward.toml'),
      `[agent]\ncommand = ["true"]\n[workspace]\nisolation = "worktree"\nparallel = ${TASKS}\n[landing]\nmode = "auto"\n`,
    )
    git(top, 'init', '--quiet', '--initial-branch=main')
    git(top, 'add', '.')
    git(top, 'commit', '--quiet', '--message', 'Start')
    await timed([program, 'add', top, '--trust', '--data-dir', data])
    const words = [program, 'run', '--once', '--workspace', top, '--data-dir', data]
    // Warms the pool.
    await timed(words)
    for (let round = 0; round < PARALLEL_ROUNDS; round += 1) times[name].push(await timed(words))
  }
  return {
    bench: 'landing',
    name: `${TASKS} parallel tasks that do nothing`,
    value: median(times.four),
    unit: 'ms',
    reference: { name: 'one', value: median(times.one) },
    goal: 1.5,
  }
}
