import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createAgentTimes } from '../src/main/custody/agent-times.ts'
import { createRoomMaker, type RoomWay } from '../src/main/custody/clean-room.ts'
import { createDependencyCustody } from '../src/main/custody/dependency-custody.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { runProcess } from '../src/main/process/run-process.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'

const FILES_PER_FOLDER = 100
const PROTECTED = 20
const run = promisify(execFile)

const OPTIONS = {
  files: { type: 'string', default: '10000' },
  installed: { type: 'string', default: '50000' },
  rounds: { type: 'string', default: '15' },
} as const

/** Real clean rooms around a check that does nothing, compared with `git status` of the same tree. */
export const cleanRoom: Benchmark = {
  question: 'What do a clean room and a scan of installed files cost in addition to the check?',
  options: '[--files 10000] [--installed 50000] [--rounds 15]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const [files, installed, rounds] = [values.files, values.installed, values.rounds].map(Number)
    const root = await mkdtemp(join(tmpdir(), 'pulseward-clean-room-'))
    try {
      const top = await makeTree(join(root, 'w'), files ?? 0, installed ?? 0)
      const rows = await measure(root, top, rounds ?? 1)
      const status = rows.find(({ name }) => name === 'git status')?.ms ?? Number.NaN
      const cells = rows.map(({ name, ms }) => [name, ms.toFixed(0), `${(ms / status).toFixed(1)} ×`])
      console.log(`${files} files, ${installed} installed\n`)
      console.log(markdownTable(['', 'ms', 'git status'], cells))
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
}

async function makeTree(top: string, files: number, installed: number): Promise<string> {
  fill(join(top, 'src'), files)
  fill(join(top, 'node_modules', 'package'), installed)
  fill(join(top, 'tests'), PROTECTED)
  writeFileSync(join(top, '.gitignore'), 'node_modules/\n')
  const git = (...words: string[]) => run('git', words, { cwd: top, maxBuffer: 64 * 1024 * 1024 })
  await git('init', '--quiet')
  await git('add', '.')
  await git('-c', 'user.name=o', '-c', 'user.email=o@example.invalid', 'commit', '--quiet', '-m', 'Start')
  return top
}

function fill(folder: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const place = join(folder, String(Math.floor(index / FILES_PER_FOLDER)))
    if (index % FILES_PER_FOLDER === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file-${index % FILES_PER_FOLDER}.js`), `export default ${index}\n`.repeat(20))
  }
}

async function measure(root: string, top: string, rounds: number): Promise<{ name: string; ms: number }[]> {
  const times = createAgentTimes(join(root, 'data'), { warn: console.error })
  const installed = createDependencyCustody(join(root, 'data'), () => top, times, { warn: console.error })
  const folders = ['node_modules']
  const first = await took(() => installed.begin(folders))
  await times.starts('a')
  return [
    {
      name: 'git status',
      ms: await often(rounds, () => run('git', ['status', '--porcelain'], { cwd: top })),
    },
    { name: 'the check alone', ms: await often(rounds, () => check({ command: ['true'], directory: top })) },
    { name: 'a room by overlay, and its check', ms: await often(rounds, () => room(root, top, 'namespace')) },
    {
      name: 'a room by copy, and its check',
      ms: await often(1, () => room(root, top, 'copy')),
    },
    { name: 'installed files, first scan', ms: first },
    {
      name: 'installed files, at a verified attempt',
      ms: await often(rounds, () => installed.touched(folders, new Set())),
    },
  ]
}

async function room(root: string, top: string, way: RoomWay): Promise<void> {
  const maker = createRoomMaker({ directory: join(root, 'rooms'), clock: systemClock, ways: [way] })
  const write = Array.from({ length: PROTECTED }, (_, index) => ({
    path: `tests/0/file-${index}.js`,
    bytes: Buffer.from('base'),
    isExecutable: false,
  }))
  const { signal } = new AbortController()
  const opened = await maker.open({ top, directory: top, plan: { write, remove: [] }, signal })
  if (opened.kind === 'none') throw new Error(opened.reason)
  await check(opened.room.enter(['true']))
  await opened.room.close()
}

async function check(start: {
  readonly command: readonly string[]
  readonly directory: string
}): Promise<void> {
  const { signal } = new AbortController()
  await runProcess({ ...start, stdin: null, timeoutMs: 60_000, signal, maxBytes: 1000, clock: systemClock })
}

async function often(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let round = 0; round < rounds; round += 1) all.push(await took(work))
  return median(all)
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
