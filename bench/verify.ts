import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
// @ts-expect-error -- a plain script, which has no types
import { ensureBuilt } from '../scripts/ensure-built.mjs'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import { installed } from './command.ts'
import type { Figure } from './figure.ts'

const FILES_PER_FOLDER = 100
const OPTIONS = {
  files: { type: 'string', default: '10000' },
  changed: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '7' },
  npx: { type: 'boolean', default: false },
} as const
const root = join(import.meta.dirname, '..')
const CUSTODY_GOAL_MS = 1000
const MEMORY_GOAL_KIB = 300 * 1024
const NPX_GOAL_MS = 3000

/** Judges a change of many files with the built command, in turn with `git status` of the same tree. */
export const verify: Benchmark = {
  question: 'What does `pulseward verify` cost in addition to the checks that it runs?',
  options: '[--files 10000] [--changed 100] [--rounds 7] [--npx]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const [files = 0, changed = 0, rounds = 1] = [values.files, values.changed, values.rounds].map(Number)
    await ensureBuilt(root)
    const folder = mkdtempSync(join(tmpdir(), 'pulseward-bench-verify-'))
    try {
      const work = makeRepository(join(folder, 'work'), files, changed)
      const figures = [
        ...measureVerify(work, await installed(folder), join(folder, 'data'), rounds),
        ...(values.npx ? measureNpx(work, folder, rounds) : []),
      ]
      const rows = figures.map(({ name, value, unit, goal }) => [
        name,
        `${value.toFixed(0)} ${unit}`,
        goal === null ? '' : goal.toFixed(0),
      ])
      console.log(`${files} files, ${changed} of them changed; checks that do nothing\n`)
      console.log(markdownTable(['', 'measured', 'goal'], rows))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function measureVerify(work: string, program: string, data: string, rounds: number): readonly Figure[] {
  const judge = (...more: string[]) =>
    run(work, [program, 'verify', '--base', 'main', '--trust', '--data-dir', data, ...more])
  judge()
  const status: number[] = []
  const [custody, all, cold]: [Run[], Run[], Run[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    execFileSync('git', ['status', '--porcelain'], { cwd: work })
    status.push(performance.now() - startedMs)
    custody.push(judge('--part', 'custody'))
    all.push(judge())
    cold.push(judge('--no-cache'))
  }
  const time = (runs: readonly Run[]): number => median(runs.map(({ ms }) => ms))
  const figure = (name: string, value: number, goal: number | null = null): Figure => ({
    ...{ bench: 'verify', name, value, unit: 'ms', reference: null, goal },
  })
  return [
    figure('`git status`', median(status)),
    figure('custody', time(custody), CUSTODY_GOAL_MS),
    figure('measuring, beyond custody, the base known', time(all) - time(custody), 3 * median(status) + 300),
    figure('measuring, beyond custody, the base unknown', time(cold) - time(custody)),
    {
      ...figure('memory', Math.max(...[...custody, ...all, ...cold].map(({ kib }) => kib)), MEMORY_GOAL_KIB),
      unit: 'KiB',
    },
  ]
}

/** Measures `npx` running this package from its tarball and npm's cache, in turn with `npx` of an empty package. */
function measureNpx(work: string, folder: string, rounds: number): readonly Figure[] {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"name":"empty","version":"1.0.0","bin":{"empty":"run"}}')
  writeFileSync(join(empty, 'run'), '#!/usr/bin/env node\n', { mode: 0o755 })
  const pack = (directory: string): string => {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    const output = execFileSync('npm', args, { cwd: directory, encoding: 'utf8' }).trim()
    return join(folder, output.split('\n').at(-1) ?? '')
  }
  const packages = { empty: pack(empty), pulseward: pack(root) }
  let folders = 0
  const npx = (name: keyof typeof packages, ...words: string[]): number => {
    // Remove what npx installed before; only npm's cache of downloaded packages is reused.
    const env = { ...process.env, HOME: join(folder, `home-${folders++}`), npm_config_cache: cache }
    rmSync(join(cache, '_npx'), { recursive: true, force: true })
    const startedMs = performance.now()
    execFileSync('npx', ['--yes', `--package=${packages[name]}`, name, ...words], { cwd: work, env })
    return performance.now() - startedMs
  }
  const cache = join(folder, 'npm-cache')
  const verdict = ['verify', '--base', 'main', '--part', 'custody']
  npx('pulseward', ...verdict)
  const beyond = Array.from({ length: rounds }, () => npx('pulseward', ...verdict) - npx('empty'))
  const name = '`npx pulseward verify --part custody`, beyond `npx` of an empty package'
  return [{ bench: 'verify', name, value: median(beyond), unit: 'ms', reference: null, goal: NPX_GOAL_MS }]
}

function makeRepository(work: string, files: number, changed: number): string {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: work })
  mkdirSync(work)
  git('init', '-q', '-b', 'main')
  for (const [name, value] of [
    ['user.name', 'a'],
    ['user.email', 'a@example.org'],
  ] as const)
    git('config', name, value)
  const pathOf = (index: number): string =>
    join(work, `src/${Math.floor(index / FILES_PER_FOLDER)}/file-${index}.ts`)
  for (let index = 0; index < files; index += FILES_PER_FOLDER)
    mkdirSync(join(pathOf(index), '..'), { recursive: true })
  for (let index = 0; index < files; index += 1)
    writeFileSync(pathOf(index), `export const value = ${index}\n`)
  writeFileSync(join(work, 'Makefile'), 'test:\n\t@true\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'base')
  git('checkout', '-q', '-b', 'feature')
  const step = Math.max(1, Math.floor(files / Math.max(1, changed)))
  for (let index = 0; index < changed; index += 1)
    writeFileSync(pathOf(index * step), 'export const value = -1\n')
  git('commit', '-q', '-a', '-m', 'change')
  return work
}

interface Run {
  readonly ms: number
  /** The peak memory of the command itself. */
  readonly kib: number
}

const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>console.error("KiB "+process.resourceUsage().maxRSS))'

function run(work: string, words: readonly string[]): Run {
  const startedMs = performance.now()
  const args = ['--import', TELL_MEMORY, ...words]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8' })
  const ms = performance.now() - startedMs
  const kib = /^KiB (\d+)$/m.exec(stderr)?.[1]
  if (!stdout.startsWith('Verified') || kib === undefined)
    throw new Error(`It should be verified:\n${stdout}${stderr}`)
  return { ms, kib: Number(kib) }
}
