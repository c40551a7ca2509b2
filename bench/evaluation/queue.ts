import { isFalselyAccused } from './accusations.ts'
import { type Observed, type SupervisedAgent, withSupervisedAgent } from './supervised-agent.ts'
import { type WorkTimes, workSeconds } from './work-time.ts'

export interface QueueRun {
  readonly timeouts: 'fixed' | 'adaptive'
  readonly seed: number
  readonly workTimes: WorkTimes
  /** Attempts until a task is blocked. */
  readonly maxAttempts: number
  readonly msPerSecond: number
  /** The share of a stopped attempt's work that the next one need not repeat; 0 unless given. For calculated queues only. */
  readonly keptShare01?: number
  /**
   * The agent works in this many parts and continues from those that exist; the part in progress is lost. For calculated queues
   * only.
   */
  readonly parts?: number
  /** Words for UI work that the operator has added to `[adaptive_timeout.complexity.ui_heavy]`. For calculated queues only. */
  readonly uiKeywords?: readonly string[]
  /** How many of the queue's 43 tasks to leave out, for a short run; 0 runs all. */
  readonly skip?: number
}

/** State of the queue after some heartbeats; `ui`: of tasks 22 to 43. */
export interface QueueFigures {
  readonly attempts: number
  /** Attempts that did not verify their task. */
  readonly wasted: number
  readonly blocked: number
  readonly uiBlocked: number
  readonly uiCompleted: number
  readonly uiTasks: number
  readonly falseAccusations: number
  /** Time of the field spent in agents, in seconds. */
  readonly agentSeconds: number
}

export interface QueueResult extends QueueRun {
  /** When nothing is open any more: each task is verified or blocked, without manual work. */
  readonly byItself: QueueFigures
  /** After the operator's only `retry-blocked`, when nothing is open again. */
  readonly afterRetry: QueueFigures
}

export interface QueueTask {
  readonly id: string
  readonly description: string
  readonly file: string
  readonly isUi: boolean
}

const FIXED = '[adaptive_timeout]\nenabled = false\n'
const FIRST_UI_TASK = 22

/** A typical queue for a small app: 21 ordinary tasks, then 22 UI-heavy ones, 3 of which no keyword identifies. */
const DESCRIPTIONS = [
  'Fix the rounding of totals in reports',
  'Add a field for notes to the record',
  'Update the license headers',
  'Refactor the loader into small functions',
  'Write a test for empty input',
  'Add a fixture with a hundred records',
  'Make the importer skip blank lines',
  'Write a parser for the old export format',
  'Fix the time zone of due dates',
  'Mock the mail service in the tests',
  'Add a command that prints the version',
  'Rename the settings keys to snake case',
  'Update the changelog for the release',
  'Fix the crash on a missing folder',
  'Sort records by date, newest first',
  'Refactor the storage interface',
  'Add retries to the uploader',
  'Write a test for the retry limit',
  'Let the CLI read from standard input',
  'Update the names of the error codes',
  'Fix the spelling in all messages',
  'Build the main View with its sidebar',
  'Draw the bar Chart of the last seven days',
  'Lay out the Dashboard for wide windows',
  'Build the settings View with live checks',
  'Port the list rows to SwiftUI',
  'Add zoom and pan to the timeline Chart',
  'Build the UI of the import assistant',
  'Polish the onboarding screens',
  'Animate the opening of the detail View',
  'Add a dark theme to the whole UI',
  'Build the Dashboard of blocked tasks',
  'Make every View usable by keyboard alone',
  'Draw the line Chart with target and floor',
  'Build the editor with its live preview',
  'Fix the layout of the UI on small windows',
  'Build the search View with highlighting',
  'Show empty, loading and error states in each View',
  'Redesign the tray menu and its icons',
  'Add drag and drop to the task list UI',
  'Build the print View of a report',
  'Port the calendar to SwiftUI',
  'Add tooltips to every Chart',
]

/** More heartbeats than any queue needs, because each attempt brings a task closer to its end. */
const MAX_CYCLES = 50

/** Runs the queue until every task is verified or blocked, then once more after `retry-blocked`. */
export async function runQueue(run: QueueRun): Promise<QueueResult> {
  const { seed, workTimes, msPerSecond, timeouts } = run
  const tasks = queueTasks().slice(run.skip ?? 0)
  const plan = {
    seed: `${seed}`,
    habit: 'slow-on-ui' as const,
    response: 0,
    tasks: Object.fromEntries(
      tasks.map(({ id, file, isUi }) => [
        id,
        { file, seconds: workSeconds(workTimes, `${seed}/${id}`, isUi) },
      ]),
    ),
  }
  const toml = timeouts === 'fixed' ? FIXED : ''
  return withSupervisedAgent({ plan, toml, inSession: false, msPerSecond }, async (agent) => {
    const observed: Observed[] = []
    await agent.writeContract(contract(run, tasks, new Set()))
    await workOff(run, tasks, agent, observed)
    const byItself = await figures(tasks, agent, observed)
    await agent.client.tasks.retryBlocked({})
    await workOff(run, tasks, agent, observed)
    return { ...run, byItself, afterRetry: await figures(tasks, agent, observed) }
  })
}

/** Returns the 43 tasks, in order. */
export function queueTasks(): readonly QueueTask[] {
  return DESCRIPTIONS.map((description, index) => {
    const number = String(index + 1).padStart(2, '0')
    return { id: `task_${number}`, description, file: `work/${number}.txt`, isUi: index + 1 >= FIRST_UI_TASK }
  })
}

/** Runs one heartbeat after another. Between them the operator checks off what is verified, so that it is not repeated. */
async function workOff(
  run: QueueRun,
  tasks: readonly QueueTask[],
  agent: SupervisedAgent,
  observed: Observed[],
): Promise<void> {
  for (let cycle = 0; cycle < MAX_CYCLES; cycle += 1) {
    const attempts = await agent.runCycle()
    if (attempts.length === 0) return
    observed.push(...attempts)
    await agent.writeContract(contract(run, tasks, completedIn(observed)))
  }
  throw new Error(`After ${MAX_CYCLES} heartbeats there are still open tasks.`)
}

function contract(run: QueueRun, tasks: readonly QueueTask[], completed: ReadonlySet<string>): string {
  const lines = tasks.map(
    ({ id, description, file }) =>
      `- [${completed.has(id) ? 'x' : ' '}] ${id} | ${description} | required | verify: contains("${file}", "${id}") | max_attempts: ${run.maxAttempts}\n`,
  )
  return `# The app\n\n## Tasks\n${lines.join('')}`
}

function completedIn(observed: readonly Observed[]): ReadonlySet<string> {
  const verified = observed.filter(({ attempt }) => attempt.verdict === 'verified')
  return new Set(verified.map(({ attempt }) => attempt.taskId))
}

async function figures(
  tasks: readonly QueueTask[],
  agent: SupervisedAgent,
  observed: readonly Observed[],
): Promise<QueueFigures> {
  const blocked = new Set((await agent.client.tasks.blocked({ suggest: false })).map(({ taskId }) => taskId))
  const completed = completedIn(observed)
  const ui = tasks.filter(({ isUi }) => isUi)
  return {
    attempts: observed.length,
    wasted: observed.filter(({ attempt }) => attempt.verdict !== 'verified').length,
    blocked: blocked.size,
    uiBlocked: ui.filter(({ id }) => blocked.has(id)).length,
    uiCompleted: ui.filter(({ id }) => completed.has(id)).length,
    uiTasks: ui.length,
    falseAccusations: observed.filter(isFalselyAccused).length,
    agentSeconds: observed.reduce((sum, { attempt }) => sum + attempt.durationMs, 0) / 1000,
  }
}
