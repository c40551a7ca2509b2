import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { extractClaims } from '../src/core/claims/extract.ts'
import { createAgentsAtWork } from '../src/main/custody/agents-at-work.ts'
import { approveConfiguration } from '../src/main/host/approve-configuration.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import { openWorkspace, type WorkspaceRuntime } from '../src/main/host/workspace-runtime.ts'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { finishedAttempt } from '../src/main/ledger/testing/sample-events.ts'
import type { Ledger } from '../src/main/ports/ledger.ts'
import type { Log } from '../src/main/ports/log.ts'
import type { Tracer } from '../src/main/ports/tracer.ts'
import { createParkingLot } from '../src/main/supervisor/parking-lot.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import { type Agent, configure, git, makeRepository, output } from './overhead-workspace.ts'

const SIZES = [10_000, 100_000] as const
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
    const results: Result[] = []
    for (const size of values.files.split(',').map(Number)) {
      results.push(...(await measure(size, Number(values.rounds))))
    }
    console.log(values.json ? JSON.stringify(results, null, 2) : table(results))
  },
}

const log: Log = { info: () => {}, warn: console.error, error: console.error }

interface Result {
  readonly files: number
  readonly agent: Agent
  readonly isChecked: boolean
  readonly medians: Round
}

/** With a check that is run, custody looks at what it goes by: 500 files of tests and its script, none of them changed. */
const SCENES = [
  ['honest', false],
  ['lying', false],
  ['honest', true],
] as const

async function measure(files: number, rounds: number): Promise<readonly Result[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-overhead-'))
  try {
    const directory = join(root, 'workspace')
    await makeRepository(directory, files)
    const results: Result[] = []
    for (const [agent, isChecked] of SCENES) {
      const measured = await runAttempts(root, directory, agent, isChecked, rounds)
      results.push({ files, agent, isChecked, medians: medians(measured) })
    }
    return results
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function runAttempts(
  root: string,
  directory: string,
  agent: Agent,
  isChecked: boolean,
  rounds: number,
): Promise<readonly Round[]> {
  const id = isChecked ? `${agent}-checked` : agent
  const dataDirectory = join(root, 'data')
  await configure(directory, agent, isChecked)
  const spans = new Map<string, number>()
  const runtime = await openWorkspace(
    { id, name: id, path: directory, addedAt: new Date().toISOString() },
    {
      dataDirectory,
      clock: systemClock,
      log,
      version: '0.0.0',
      tracer: stopwatch(spans),
      notifier: { notify: () => {} },
      operator: { ask: async () => 'unattended', waiting: () => [] },
      reportServer: null,
      sandbox: null,
      emit: () => {},
      parking: createParkingLot(systemClock),
      withSlot: (work) => work(),
      scheduled: false,
      agentsAtWork: createAgentsAtWork(),
      leftBehind: async () => null,
    },
  )
  if (runtime.loop.trust.kind === 'unapproved')
    await approveConfiguration(runtime, runtime.loop.trust.currentHash)
  const ledger = await openLedger({
    directory: join(root, 'ledger', id),
    clock: systemClock,
    log,
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
  })
  const measured: Round[] = []
  try {
    for (let round = 0; round < rounds + WARM_UP; round += 1) {
      const one = await runAttempt({ directory, agent, runtime, ledger, spans })
      if (round >= WARM_UP) measured.push(one)
    }
  } finally {
    await ledger.close()
    await runtime.stop()
  }
  return measured
}

interface Parts {
  readonly directory: string
  readonly agent: Agent
  readonly runtime: WorkspaceRuntime
  /** Another one than the runtime's, to time appending by itself. */
  readonly ledger: Ledger
  /** Milliseconds by span of the attempt that ran last. */
  readonly spans: Map<string, number>
}

async function runAttempt({ directory, agent, runtime, ledger, spans }: Parts): Promise<Round> {
  const gitStatus = await timed(() => git(directory, '--no-optional-locks', 'status', '--porcelain'))
  spans.clear()
  const { attempts } = await runtime.loop.runNow()
  if (attempts[0]?.verdict !== (agent === 'honest' ? 'verified' : 'not_verified'))
    throw new Error(`The attempt went wrong: ${JSON.stringify(attempts)}`)
  const of = (name: string) => spans.get(name) ?? 0
  return {
    gitStatus,
    overhead: of('attempt') - of('agent'),
    snapshots: of('snapshot'),
    verify: of('verify'),
    detect: of('detect'),
    claims: await timed(async () => extractClaims(output(agent), { taskIds: ['write'], probeNames: [] })),
    ledger: await timed(async () => {
      await ledger.append(finishedAttempt('its start'))
      await ledger.append(finishedAttempt('its end'))
    }),
  }
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

function medians(rounds: readonly Round[]): Round {
  const keys = Object.keys(rounds[0] ?? {}) as (keyof Round)[]
  return Object.fromEntries(
    keys.map((key) => [key, median(rounds.map((round) => round[key]))]),
  ) as unknown as Round
}

function table(results: readonly Result[]): string {
  const rows = results.map(({ files, agent, isChecked, medians: { overhead: total, ...parts } }) => [
    `${files.toLocaleString('en')}, ${agent} agent${isChecked ? ', checked' : ''}`,
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
