import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localDay, timestamp } from '../src/core/pacing/schedule.ts'
import type { AttemptResult, EventBody } from '../src/core/record/events.ts'
import { cycleStarted } from '../src/core/record/testing/sample-events.ts'
import { addWorkspace } from '../src/main/config/registry.ts'
import { approve, readTrust } from '../src/main/config/trust.ts'
import { openLedger } from '../src/main/ledger/ledger.ts'
import { finishedAttempt } from '../src/main/ledger/testing/sample-events.ts'
import type { Ledger } from '../src/main/ports/ledger.ts'

/*
 * Creates a data folder as it looks after months: many workspaces, many tasks, a long history. The events are appended to real
 * ledgers, with a clock that runs through the days; only the agents are left out. Deterministic except for the last day.
 */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const TASKS_PER_CYCLE = 5
const AGENTS = ['claude', 'codex', 'gemini', 'opencode']
const NAMES = [
  'backend',
  'inbox',
  'release-notes',
  'billing-service-with-a-name-that-nobody-could-fit-anywhere',
  'بريد-العملاء',
  'docs',
  'mobile',
  'design-system',
]

interface Size {
  readonly workspaces: number
  /** The number of tasks in the first workspace; the others have five. */
  readonly tasks: number
  /** The least number of heartbeats in the first workspace; the others have about 250. */
  readonly events: number
  /** Epoch ms; the last heartbeat ended shortly before. */
  readonly nowMs: number
}

/** Fills `dataDirectory` with workspaces whose folders are created below `folders`. Returns their ids. */
export async function fillDataFolder(dataDirectory: string, folders: string, size: Size): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < size.workspaces; index += 1) {
    const name = NAMES[index] ?? `service-${String(index + 1).padStart(2, '0')}`
    const tasks = taskNames(index === 0 ? size.tasks : TASKS_PER_CYCLE)
    const directory = join(folders, name)
    const agent = AGENTS[index % AGENTS.length] ?? 'claude'
    await writeFolder(directory, agent, tasks)
    const { id } = await addWorkspace(dataDirectory, directory, size.nowMs - 100 * DAY + index)
    const workspaceData = join(dataDirectory, 'workspaces', id)
    const trust = await readTrust(directory, workspaceData)
    if (trust.kind !== 'unapproved') throw new Error(`${directory} has been used before`)
    await approve(directory, workspaceData, trust.currentHash)
    await writeHistory(workspaceData, {
      approvedHash: trust.currentHash,
      agent,
      tasks,
      events: index === 0 ? size.events : 250,
      cyclesPerDay: index === 0 ? 90 : 4,
      // From far below zero to far above the target, so that every standing occurs.
      goal: index === 0 ? 88 : 110 - ((index * 37) % 170),
      blocked: index % 3 === 0 ? 2 : 0,
      nowMs: size.nowMs,
    })
    ids.push(id)
  }
  return ids
}

function taskNames(count: number): string[] {
  const verbs = ['check', 'write', 'update', 'review', 'test', 'sweep']
  const things = ['email', 'report', 'changelog', 'dashboard_view', 'parser', 'fixtures', 'invoices']
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length]
    const round = Math.floor(index / (verbs.length * things.length))
    return `${verb}_${things[index % things.length]}${round === 0 ? '' : `_${round + 1}`}`
  })
}

async function writeFolder(directory: string, agent: string, tasks: readonly string[]): Promise<void> {
  await mkdir(directory, { recursive: true })
  const lines = tasks.map((task, index) => {
    const what = task.replaceAll('_', ' ')
    return `- [ ] ${task} | ${what[0]?.toUpperCase()}${what.slice(1)}, and write down what was found | ${index % 3 === 2 ? 'optional' : 'required'} | verify: changed("notes/${task}.md")`
  })
  await writeFile(
    join(directory, 'HEARTBEAT.md'),
    `# Work\n\nBe brief and exact.\n\n## Tasks\n\n${lines.join('\n')}\n`,
  )
  await writeFile(
    join(directory, 'pulseward.toml'),
    `[agent]\nid = "${agent}"\ncommand = ["${agent}", "-p"]\n\n[probes.email_count]\nfile = "count.txt"\nparse = "number"\n`,
  )
}

interface History {
  readonly approvedHash: string
  readonly agent: string
  readonly tasks: readonly string[]
  readonly events: number
  readonly cyclesPerDay: number
  /** Approximate points of a day. */
  readonly goal: number
  /** How many of the last tasks have used up their attempts. */
  readonly blocked: number
  readonly nowMs: number
}

async function writeHistory(directory: string, history: History): Promise<void> {
  const cycles = Math.ceil(history.events / (2 * TASKS_PER_CYCLE + 2))
  const stepMs = Math.floor(DAY / history.cyclesPerDay)
  let nowMs = history.nowMs - cycles * stepMs - 4 * MINUTE
  const ledger = await openLedger({
    directory,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: async () => {} },
    localDay: (ms) => localDay(ms, 'local'),
    timestamp: (ms) => timestamp(ms, 'local'),
    log: { info: () => {}, warn: console.error, error: console.error },
  })
  const hash = createHash('sha256').update(directory).digest('hex')
  await ledger.append(
    { type: 'configuration-approved', hash: history.approvedHash },
    { type: 'contract-read', hash, tasks: history.tasks.map(recordedTask) },
  )
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    nowMs += stepMs
    await ledger.append(...cycleEvents(ledger, history, { cycle, cycles, hash, startedMs: nowMs }))
  }
  await ledger.close()
}

function recordedTask(id: string, index: number) {
  return {
    id,
    description: `${id.replaceAll('_', ' ')}, and write down what was found`,
    required: index % 3 !== 2,
    verify: `changed("notes/${id}.md")`,
    maxAttempts: 3,
    checked: false,
    criteria: [],
    line: 7 + index,
  }
}

interface Cycle {
  readonly cycle: number
  readonly cycles: number
  readonly hash: string
  readonly startedMs: number
}

function cycleEvents(
  ledger: Ledger,
  history: History,
  { cycle, cycles, hash, startedMs }: Cycle,
): EventBody[] {
  const { tasks, blocked } = history
  // The tasks that will be blocked are tried in only three heartbeats, which uses up their three attempts.
  const usual = tasks.slice(0, tasks.length - blocked)
  const last = cycle > cycles - 13 && cycle <= cycles - 10 ? tasks.slice(tasks.length - blocked) : []
  const first = (cycle * TASKS_PER_CYCLE) % usual.length
  const turn = [...usual, ...usual].slice(first, first + TASKS_PER_CYCLE - last.length)
  const { score: scores, progress } = ledger.state
  let score = scores.today.score
  const attempts = [...turn, ...last].flatMap((taskId, index): EventBody[] => {
    const isBlocked = last.includes(taskId)
    const attempt = attemptOf(history, {
      cycle,
      index,
      taskId,
      isBlocked,
      isLast: (progress.tasks[taskId]?.attempts ?? 0) >= 2,
      score,
      startedMs,
    })
    score += attempt.points
    return [
      {
        type: 'attempt-started',
        attemptId: attempt.attemptId,
        cycle,
        taskId,
        agentId: history.agent,
        timeoutSeconds: 180,
        required: attempt.required,
      },
      { type: 'attempt-finished', result: attempt },
    ]
  })
  return [
    cycleStarted(cycle, { dueAt: timestamp(startedMs, 'local'), contractHash: hash }),
    ...attempts,
    { type: 'cycle-finished', cycle, ending: 'completed' },
  ]
}

interface Turn {
  readonly cycle: number
  readonly index: number
  readonly taskId: string
  readonly isBlocked: boolean
  /** True if one more failure would block the task. */
  readonly isLast: boolean
  /** The day's points before this attempt. */
  readonly score: number
  readonly startedMs: number
}

/** Returns a verified attempt as long as the day is below its goal, otherwise one of the ways to fail. */
function attemptOf({ agent, goal }: History, turn: Turn): AttemptResult {
  const { cycle, index, taskId, isBlocked, isLast, score, startedMs } = turn
  const roll = (cycle * 31 + index * 17) % 100
  const required = index % 3 !== 2
  const isVerified = !isBlocked && (isLast || (score < goal && (goal < 0 || roll < 88)))
  const isContradiction = !isVerified && roll % 7 === 0
  const isUnclear = !isVerified && !isContradiction && roll % 3 === 1
  const durationMs = 20_000 + roll * 900
  const verdict = isVerified ? 'verified' : isUnclear ? 'unclear' : 'not_verified'
  const points = isVerified ? (required ? 10 : 5) : isUnclear ? -2 : isContradiction ? -45 : -15
  const file = `notes/${taskId}.md`
  return {
    ...finishedAttempt(`${cycle}-${index + 1}-full`).result,
    cycle,
    taskId,
    description: `${taskId.replaceAll('_', ' ')}, and write down what was found`,
    agentId: agent,
    startedAt: timestamp(startedMs + index * 40_000, 'local'),
    durationMs: isBlocked ? 180_000 : durationMs,
    timeoutSeconds: 180,
    outcome: isBlocked ? 'timeout' : 'completed',
    exitCode: isBlocked ? null : 0,
    required,
    verdict,
    groundTruthContradiction: isContradiction,
    fault: isVerified ? null : 'agent',
    points,
    verify: `changed("${file}")`,
    reasons: [
      isVerified
        ? `${file} was written`
        : isContradiction
          ? `Claimed ${file} written, and it was not`
          : isUnclear
            ? 'Nothing could be confirmed or refuted'
            : isBlocked
              ? 'The agent ran into its timeout of 180 s'
              : `changed("${file}") fails`,
    ],
    comparisons: [
      {
        subject: file,
        claimed: 'written',
        measured: isVerified ? 'written' : 'not written',
        agrees: isVerified,
      },
    ],
    filesChanged: isVerified ? [file] : [],
    filesChangedCount: isVerified ? 1 : 0,
    interventions: isContradiction
      ? [
          {
            event_type: 'evidence_validation_failed',
            severity: 'warning',
            details: { claimed_files: [file], missing: [file] },
          },
        ]
      : [],
  }
}
