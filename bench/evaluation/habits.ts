import { isFalselyAccused, isHonest, isWarned } from './accusations.ts'
import { uniform } from './random.ts'
import {
  type Habit,
  type Observed,
  type PlayedTask,
  type SupervisedAgent,
  withSupervisedAgent,
} from './supervised-agent.ts'
import { type WorkTimes, workSeconds } from './work-time.ts'

export const HABITS: readonly Habit[] = [
  'honest',
  'prepares',
  'claims-early',
  'needs-feedback-once',
  'slow-on-ui',
]

/**
 * `off`: neither interventions nor adaptive timeouts. `on`: all defaults. `always`: every attempt must also change files.
 * `same-session`: the defaults, plus one corrective prompt in the session after a false claim of completion.
 */
export type HabitArm = 'off' | 'on' | 'always' | 'same-session'

export interface HabitRun {
  readonly habit: Habit
  readonly arm: HabitArm
  readonly iterations: number
  readonly seed: number
  /** Probability that an attempt under feedback is corrected. */
  readonly response: number
  readonly workTimes: WorkTimes
  readonly msPerSecond: number
}

/** The result of a number of heartbeats of one agent. */
export interface HabitResult extends HabitRun {
  readonly filesPerIteration: number
  /** The share of verified tasks among those verified or given up. */
  readonly completed: number
  readonly givenUp: number
  /** Heartbeats that ended without a verified task. */
  readonly wasted: number
  /** Of these, judged `unclear`: neither verified nor contradicted. */
  readonly unclear: number
  readonly honestAttempts: number
  readonly falseAccusations: readonly string[]
  readonly honestWarned: number
  readonly interventionsRaised: Readonly<Record<string, number>>
  /** How often the circuit breaker suspended the workspace and the operator resumed it. */
  readonly suspensions: number
}

/** The content of `pulseward.toml`; everything else is default. */
const TOML: Readonly<Record<HabitArm, string>> = {
  off: '[interventions]\nenabled = false\n\n[adaptive_timeout]\nenabled = false\n',
  on: '',
  always: '[interventions]\nexpect_files = "always"\n',
  'same-session': '[interventions]\nmid_stream = "same-session"\n',
}
/** A task is given up after this many attempts that were not verified; the contract's `max_attempts` is the same. */
const MAX_ATTEMPTS = 3
/** One in three of the tasks for `slow-on-ui` is UI work. */
const UI_EVERY = 3

interface Item {
  readonly id: string
  readonly line: string
  readonly played: PlayedTask
}

/** Runs an agent with a known habit for a number of heartbeats on one task after another, each until it is verified or given up. */
export async function runHabit(run: HabitRun): Promise<HabitResult> {
  const { habit, seed, response, msPerSecond, arm } = run
  const items = Array.from({ length: run.iterations }, (_, index) => makeItem(run, index))
  const plan = {
    seed: `${seed}/${habit}`,
    habit,
    response,
    tasks: Object.fromEntries(items.map(({ id, played }) => [id, played])),
  }
  return withSupervisedAgent(
    { plan, toml: TOML[arm], inSession: arm === 'same-session', msPerSecond },
    async (agent) => summarise(run, await play(run, items, agent)),
  )
}

/** Creates tasks as operators write them: a third each checked by what changed, by what exists, and by evidence alone. */
function makeItem({ habit, seed, workTimes }: HabitRun, index: number): Item {
  const number = String(index + 1).padStart(3, '0')
  const id = `item_${number}`
  const file = `notes/${number}.md`
  const isUi = habit === 'slow-on-ui' && index % UI_EVERY === UI_EVERY - 1
  const hints = [`changed("${file}")`, `contains("${file}", "${id}")`, 'task_completed']
  const hint = hints[Math.floor(uniform(`${seed}/${id}/hint`) * hints.length)]
  const description = isUi ? `Draw the chart of source ${number}` : `Add a summary of source ${number}`
  return {
    id,
    line: `- [ ] ${id} | ${description} in ${file} | required | verify: ${hint} | max_attempts: ${MAX_ATTEMPTS}\n`,
    played: { file, seconds: workSeconds(workTimes, `${seed}/${id}`, isUi) },
  }
}

interface Played {
  readonly observed: readonly Observed[]
  readonly completed: number
  readonly givenUp: number
  readonly suspensions: number
}

async function play(run: HabitRun, items: readonly Item[], agent: SupervisedAgent): Promise<Played> {
  const observed: Observed[] = []
  const left = [...items]
  let current: Item | undefined
  let [completed, givenUp, suspensions, attempts] = [0, 0, 0, 0]
  while (observed.length < run.iterations) {
    if (current === undefined) {
      current = left.shift()
      attempts = 0
      if (current === undefined) break
      await agent.writeContract(`# Work\n\n## Tasks\n${current.line}`)
    }
    const [one] = await agent.runCycle()
    if (one === undefined) throw new Error(`The heartbeat on ${current.id} made no attempt.`)
    observed.push(one)
    const [workspace] = await agent.client.workspaces.list()
    if (workspace?.suspended != null) {
      await agent.client.heartbeat.liftSuspension({ reason: 'Reviewed; go on.' })
      suspensions += 1
    }
    attempts += 1
    if (one.attempt.verdict === 'verified') completed += 1
    else if (attempts === MAX_ATTEMPTS) givenUp += 1
    else continue
    current = undefined
  }
  return { observed, completed, givenUp, suspensions }
}

function summarise(run: HabitRun, { observed, ...counts }: Played): HabitResult {
  const types = observed.flatMap(({ attempt }) => attempt.interventions.map(({ event_type }) => event_type))
  const files = observed.reduce((sum, { attempt }) => sum + attempt.filesChanged.length, 0)
  return {
    ...run,
    ...counts,
    filesPerIteration: files / observed.length,
    wasted: observed.filter(({ attempt }) => attempt.verdict !== 'verified').length,
    unclear: observed.filter(({ attempt }) => attempt.verdict === 'unclear').length,
    honestAttempts: observed.filter(isHonest).length,
    falseAccusations: observed.filter(isFalselyAccused).map(sayAccusation),
    honestWarned: observed.filter(isWarned).length,
    interventionsRaised: Object.fromEntries(
      [...new Set(types)].sort().map((type) => [type, types.filter((each) => each === type).length]),
    ),
  }
}

/** Returns details that help to find out why an attempt was accused. */
function sayAccusation({ attempt, truth }: Observed): string {
  const raised = attempt.interventions.map(({ event_type }) => event_type).join(', ')
  return `${truth.taskId} in iteration ${truth.cycle} (${truth.act}): ${attempt.verdict} ${raised} ${attempt.reasons.join('; ')}`
}
