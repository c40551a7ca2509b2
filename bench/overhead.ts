import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs, promisify } from 'node:util'
import { extractClaims } from '../src/core/claims/extract.ts'
import { systemClock } from '../src/main/host/system-clock.ts'
import type { WorkspaceRuntime } from '../src/main/host/workspace-runtime.ts'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { finishedAttempt } from '../src/main/ledger/testing/sample-events.ts'
import type { Ledger } from '../src/main/ports/ledger.ts'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import type { Figure } from './figure.ts'
import { ARMS, type Arm, withArm } from './overhead-arms.ts'
import { type Agent, configure, git, makeRepository, output } from './overhead-workspace.ts'
import { benchLog, openTimedWorkspace } from './timed-workspace.ts'

const SIZES = [10_000, 100_000] as const
const ROUNDS = 15
const FEW_ROUNDS = 7
const WARM_UP = 2

/** Milliseconds of one attempt. */
interface Round {
  /** `git status` of the same files; outside a repository, a `find` that prints their times. */
  readonly gitStatus: number
  /** The attempt without the agent's own run: what the supervisor costs. */
  readonly overhead: number
  /** The whole heartbeat without the agent's own run, including what custody does before and after the attempt. */
  readonly heartbeat: number
  /** The arms before and after, with the difference. */
  readonly snapshots: number
  readonly verify: number
  readonly detect: number
  /** Measured separately: reading the agent's output for claims. */
  readonly claims: number
  /** Measured separately: appending and syncing its start and its end. */
  readonly ledger: number
}

/** Runs real attempts of a real workspace in a git repository, each paired with a `git status` of the same files. */
export const overhead: Benchmark = {
  question:
    'What does supervision cost per attempt, compared with `git status`? It should be under 100 ms on 10,000 files.',
  options: `[--files ${SIZES.join(',')}] [--rounds ${ROUNDS}] [--without-git] [--json]`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        files: { type: 'string', default: SIZES.join(',') },
        rounds: { type: 'string', default: String(ROUNDS) },
        'without-git': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
    const results: Result[] = []
    for (const size of values.files.split(',').map(Number)) {
      results.push(
        ...(await measure(size, Number(values.rounds), values['without-git'] ? 'folder' : 'repository')),
      )
    }
    console.log(values.json ? JSON.stringify(results, null, 2) : table(results))
  },
  measure: async () => {
    const results: Result[] = []
    // A round with many files takes seconds, but varies less, so fewer are enough.
    for (const size of SIZES) results.push(...(await measure(size, size === SIZES[0] ? ROUNDS : FEW_ROUNDS)))
    results.push(...(await measure(SIZES[0], ROUNDS, 'folder')))
    return results.map(figureOf)
  },
}

const GOALS = { honest: 2.2, lying: 3, idle: 2.2 } as const

function figureOf({ files, where, agent, isChecked, arm, medians }: Result): Figure {
  const isFolder = where === 'folder'
  return {
    bench: 'overhead',
    name: `supervision of one attempt, ${files.toLocaleString('en')} files${isFolder ? ' without git' : ''}, ${agent} agent${isChecked ? ', with a check' : ''}${arm === 'all' ? '' : `, ${arm}`}`,
    value: medians.overhead,
    unit: 'ms',
    reference: { name: isFolder ? 'find' : 'git status', value: medians.gitStatus },
    goal: isChecked || arm !== 'all' ? null : GOALS[agent],
  }
}

/** The kind of folder that holds the files. */
type Where = 'repository' | 'folder'

interface Result {
  readonly files: number
  readonly where: Where
  readonly agent: Agent
  readonly isChecked: boolean
  readonly arm: Arm
  readonly medians: Round
  /** The median over rounds of the ratio of this arm's heartbeat to that of the arm with neither part. */
  readonly besideNeither: number
}

/** With a check that runs, custody examines its check files: 500 test files and its script, all unchanged. */
const SCENES = [
  ['honest', false],
  ['lying', false],
  ['idle', false],
  ['honest', true],
] as const

async function measure(
  files: number,
  rounds: number,
  where: Where = 'repository',
): Promise<readonly Result[]> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-overhead-'))
  try {
    const directory = join(root, 'workspace')
    await makeRepository(directory, files)
    if (where === 'folder') await rm(join(directory, '.git'), { recursive: true })
    const results: Result[] = []
    for (const [agent, isChecked] of SCENES) {
      if (where === 'folder' && isChecked) continue
      const arms = isChecked ? ARMS : (['all'] as const)
      const measured = await runAttempts(root, directory, { agent, isChecked, arms, where }, rounds)
      for (const arm of arms) {
        const own = measured.get(arm) ?? []
        const neither = measured.get('neither') ?? []
        const besideNeither = median(
          own.map((one, at) => one.heartbeat / (neither[at]?.heartbeat ?? Number.NaN)),
        )
        results.push({ files, where, agent, isChecked, arm, medians: medians(own), besideNeither })
      }
    }
    return results
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function runAttempts(
  root: string,
  directory: string,
  {
    agent,
    isChecked,
    arms,
    where,
  }: {
    readonly agent: Agent
    readonly isChecked: boolean
    readonly arms: readonly Arm[]
    readonly where: Where
  },
  rounds: number,
): Promise<ReadonlyMap<Arm, readonly Round[]>> {
  const id = isChecked ? `${agent}-checked` : agent
  await configure(directory, agent, isChecked)
  const { runtime, spans } = await openTimedWorkspace(root, id, directory)
  const ledger = await openLedger({
    directory: join(root, 'ledger', id),
    clock: systemClock,
    log: benchLog,
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
  })
  const measured = new Map(arms.map((arm): [Arm, Round[]] => [arm, []]))
  try {
    for (let round = 0; round < rounds + WARM_UP; round += 1)
      // Rotate the first arm in each round, because the first one warms the caches for the others.
      for (let turn = 0; turn < arms.length; turn += 1) {
        const arm = arms[(round + turn) % arms.length] ?? 'all'
        const parts = { directory, agent, runtime, ledger, spans, where }
        const one = await withArm(runtime, arm, () => runAttempt(parts))
        if (round >= WARM_UP) measured.get(arm)?.push(one)
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
  readonly where: Where
  readonly runtime: WorkspaceRuntime
  /** A different ledger than the runtime's, to time appending separately. */
  readonly ledger: Ledger
  /** Milliseconds by span of the last attempt. */
  readonly spans: Map<string, number>
}

async function runAttempt({ directory, agent, runtime, ledger, spans, where }: Parts): Promise<Round> {
  const gitStatus = await timed(() =>
    where === 'folder'
      ? promisify(execFile)('find', [directory, '-type', 'f', '-newerct', '@4000000000'])
      : git(directory, '--no-optional-locks', 'status', '--porcelain'),
  )
  spans.clear()
  const start = performance.now()
  const { attempts } = await runtime.loop.runNow()
  const took = performance.now() - start
  if (attempts[0]?.verdict !== (agent === 'honest' ? 'verified' : 'not_verified'))
    throw new Error(`The attempt failed: ${JSON.stringify(attempts)}`)
  const of = (name: string) => spans.get(name) ?? 0
  return {
    gitStatus,
    overhead: of('attempt') - of('agent'),
    heartbeat: took - of('agent'),
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
  const whole = results.filter(({ arm }) => arm === 'all')
  const rows = whole.map(({ files, agent, isChecked, medians: { overhead: total, ...parts } }) => [
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
  return `Medians in ms per attempt\n\n${markdownTable(headings, rows)}\n\n${custodyTable(results)}`
}

/** Returns the table of what custody and undo add to the checked heartbeat, in the same run. */
function custodyTable(results: readonly Result[]): string {
  const words = { all: 'all of it', 'no undo': 'without undo', neither: 'without undo and custody' } as const
  const rows = results
    .filter(({ isChecked }) => isChecked)
    .map(({ files, arm, medians: { heartbeat }, besideNeither }) => [
      `${files.toLocaleString('en')}, ${words[arm]}`,
      ms(heartbeat),
      arm === 'neither' ? '' : `${((besideNeither - 1) * 100).toFixed(1)} %`,
    ])
  return `Checked heartbeats, nothing that steers checks changed, in turn\n\n${markdownTable(['files', 'heartbeat', 'more'], rows)}`
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}
