import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs, promisify } from 'node:util'
import { extractClaims } from '../src/core/claims/extract.ts'
import { approve, readTrust } from '../src/main/config/trust.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { openWorkspace } from '../src/main/host/workspace-runtime.ts'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { finishedAttempt } from '../src/main/ledger/testing/sample-events.ts'
import type { Log, Tracer } from '../src/main/ports.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'

const SIZES = [10_000, 100_000] as const
const FILES_PER_FOLDER = 100
const ROUNDS = 15
const WARM_UP = 2

/** Milliseconds of one attempt. */
interface Round {
  readonly gitStatus: number
  /** The attempt without the agent's own run: what the supervisor costs. */
  readonly overhead: number
  /** Before and after, with the difference. */
  readonly snapshots: number
  readonly verify: number
  readonly detect: number
  /** By itself, outside the attempt: what the agent printed, read for claims. */
  readonly claims: number
  /** By itself, outside the attempt: its start and its end, appended and synced. */
  readonly ledger: number
}

/** Real attempts of a real workspace in a git repository, each beside a `git status` of the same files. */
export const overhead: Benchmark = {
  question:
    'What does supervision cost per attempt, beside `git status`? It should be under 100 ms on 10,000 files.',
  options: `[--files ${SIZES.join(',')}] [--rounds ${ROUNDS}] [--json]`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        files: { type: 'string', default: SIZES.join(',') },
        rounds: { type: 'string', default: String(ROUNDS) },
        json: { type: 'boolean', default: false },
      },
    })
    const results = []
    for (const size of values.files.split(',').map(Number)) {
      results.push({ files: size, medians: medians(await measure(size, Number(values.rounds))) })
    }
    console.log(values.json ? JSON.stringify(results, null, 2) : table(results))
  },
}

const log: Log = { info: () => {}, warn: console.error, error: console.error }

async function measure(files: number, rounds: number): Promise<readonly Round[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-overhead-'))
  try {
    const directory = join(root, 'workspace')
    await makeRepository(directory, files)
    return await runAttempts(root, directory, rounds)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function runAttempts(root: string, directory: string, rounds: number): Promise<readonly Round[]> {
  const id = 'overhead'
  const dataDirectory = join(root, 'data')
  await approveConfig(directory, join(dataDirectory, 'workspaces', id))
  const spans = new Map<string, number>()
  const runtime = await openWorkspace(
    { id, name: id, path: directory, addedAt: new Date().toISOString() },
    {
      dataDirectory,
      clock: systemClock,
      log,
      tracer: stopwatch(spans),
      notifier: { notify: () => {} },
      emit: () => {},
      withSlot: (work) => work(),
      scheduled: false,
    },
  )
  const ledger = await openLedger({
    directory: join(root, 'ledger'),
    clock: systemClock,
    log,
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
  })
  const measured: Round[] = []
  try {
    for (let round = 0; round < rounds + WARM_UP; round += 1) {
      const gitStatus = await timed(() => git(directory, '--no-optional-locks', 'status', '--porcelain'))
      spans.clear()
      const { attempts } = await runtime.loop.runNow()
      if (attempts[0]?.verdict !== 'verified')
        throw new Error(`The attempt went wrong: ${JSON.stringify(attempts)}`)
      const claims = await timed(async () => extractClaims(OUTPUT, { taskIds: ['write'], probeNames: [] }))
      const [started, finished] = [finishedAttempt(`${round}-started`), finishedAttempt(`${round}-finished`)]
      const appended = await timed(async () => {
        await ledger.append(started)
        await ledger.append(finished)
      })
      const of = (name: string) => spans.get(name) ?? 0
      if (round < WARM_UP) continue
      measured.push({
        gitStatus,
        overhead: of('attempt') - of('agent'),
        snapshots: of('snapshot'),
        verify: of('verify'),
        detect: of('detect'),
        claims,
        ledger: appended,
      })
    }
  } finally {
    await ledger.close()
    await runtime.stop()
  }
  return measured
}

async function approveConfig(directory: string, dataDirectory: string): Promise<void> {
  const trust = await readTrust(directory, dataDirectory)
  if (trust.kind === 'unapproved') await approve(directory, dataDirectory, trust.currentHash)
}

/** Adds up the time of spans by name. */
function stopwatch(spans: Map<string, number>): Tracer {
  return {
    span: async (name, _attributes, work) => {
      const start = performance.now()
      try {
        return await work({ set: () => {} })
      } finally {
        spans.set(name, (spans.get(name) ?? 0) + performance.now() - start)
      }
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** What the agent prints: 64 KiB of work in words, then its report. */
const OUTPUT = `${'Read src/00001/file-0042.txt:12 and compared its total with the one before.\n'.repeat(860)}
\`\`\`heartbeat-report
{"task_id": "write", "status": "done", "files": ["notes.md", "src/00000/file-0000.txt"], "evidence": ["notes.md:1-2 the totals", "src/00000/file-0000.txt:1"], "exit_signal": true}
\`\`\`
`

const CONTRACT = `# Work

## Tasks
- [ ] write | Add the totals | required | verify: changed("notes.md") && exists("notes.md")
`

/** A repository with one commit, some work in progress, and an agent that changes two files. */
async function makeRepository(directory: string, files: number): Promise<void> {
  for (let folder = 0; folder * FILES_PER_FOLDER < files; folder += 1) {
    const path = join(directory, 'src', String(folder).padStart(5, '0'))
    await mkdir(path, { recursive: true })
    await Promise.all(
      Array.from({ length: FILES_PER_FOLDER }, (_, index) =>
        writeFile(
          join(path, `file-${String(index).padStart(4, '0')}.txt`),
          `${folder} ${index}\n`.repeat(20),
        ),
      ),
    )
  }
  await writeFile(join(directory, '.gitignore'), 'agent/\n')
  await git(directory, 'init', '--quiet')
  await git(directory, 'config', 'gc.auto', '0')
  await git(directory, 'add', '.')
  const author = ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.invalid']
  await git(directory, ...author, 'commit', '--quiet', '-m', 'Start')
  for (let index = 1; index <= 10; index += 1)
    await writeFile(
      join(directory, 'src', '00000', `file-${String(index).padStart(4, '0')}.txt`),
      'in progress\n',
    )
  await mkdir(join(directory, 'agent'))
  await writeFile(join(directory, 'agent', 'output.txt'), OUTPUT)
  await writeFile(
    join(directory, 'agent', 'agent.sh'),
    'cat > /dev/null\necho "$$ $(date)" >> notes.md\necho "$$" >> src/00000/file-0000.txt\ncat agent/output.txt\n',
  )
  await writeFile(join(directory, 'HEARTBEAT.md'), CONTRACT)
  await writeFile(join(directory, 'pulseward.toml'), '[agent]\ncommand = ["sh", "agent/agent.sh"]\n')
}

function git(directory: string, ...args: string[]): Promise<unknown> {
  return promisify(execFile)('git', args, { cwd: directory, maxBuffer: 64 * 1024 * 1024 })
}

function medians(rounds: readonly Round[]): Round {
  const keys = Object.keys(rounds[0] ?? {}) as (keyof Round)[]
  return Object.fromEntries(
    keys.map((key) => [key, median(rounds.map((round) => round[key]))]),
  ) as unknown as Round
}

function table(results: readonly { readonly files: number; readonly medians: Round }[]): string {
  const rows = results.map(({ files, medians: { overhead: total, ...parts } }) => [
    files.toLocaleString('en'),
    ms(parts.gitStatus),
    `**${ms(total)}**`,
    `${(total / parts.gitStatus).toFixed(1)} ×`,
    ...[parts.snapshots, parts.verify, parts.detect, parts.claims, parts.ledger].map(ms),
  ])
  const headings = [
    'files',
    'git status',
    'overhead',
    'ratio',
    'snapshots',
    'verify',
    'detect',
    'claims',
    'ledger',
  ]
  return `Medians in ms per attempt\n\n${markdownTable(headings, rows)}`
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}
