import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ChangePart } from '../src/core/change/types.ts'
import { verifyHere } from '../src/main/change/open-verify.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'

const FILES_PER_FOLDER = 100
const OPTIONS = {
  files: { type: 'string', default: '10000' },
  changed: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '7' },
} as const

/** Judges a change of many files with the real command's own function, next to `git status` of the same tree. */
export const verify: Benchmark = {
  question: 'What does `pulseward verify` cost in addition to the checks that it runs?',
  options: '[--files 10000] [--changed 100] [--rounds 7]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const [files = 0, changed = 0, rounds = 1] = [values.files, values.changed, values.rounds].map(Number)
    const root = mkdtempSync(join(tmpdir(), 'pulseward-bench-verify-'))
    try {
      const work = makeRepository(join(root, 'work'), files, changed)
      const git = (): void => void execFileSync('git', ['status', '--porcelain'], { cwd: work })
      const judge = (part: ChangePart) => () => verifyWith(work, join(root, 'data'), part)
      await judge('all')()
      const rows = [
        ['git status', await timed(rounds, async () => git())],
        ['custody', await timed(rounds, judge('custody'))],
        ['all, checks that do nothing, warm base', await timed(rounds, judge('all'))],
      ] as const
      console.log(
        `${files} files, ${changed} changed; at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB\n`,
      )
      console.log(
        markdownTable(
          ['', 'ms'],
          rows.map(([name, ms]) => [name, ms.toFixed(0)]),
        ),
      )
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
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

async function verifyWith(directory: string, dataDirectory: string, part: ChangePart): Promise<void> {
  const verdict = await verifyHere({
    ...{
      directory,
      dataDirectory,
      part,
      base: undefined,
      head: undefined,
      worktree: false,
      taskIds: [],
      claims: '',
      config: undefined,
    },
    ...{
      useCache: true,
      consents: async () => true,
      installation: process.cwd(),
      version: 'bench',
      signal: new AbortController().signal,
    },
  })
  if (verdict.verdict !== 'verified') throw new Error(`It should be verified: ${verdict.reasons.join('; ')}`)
}

async function timed(rounds: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return median(times)
}
