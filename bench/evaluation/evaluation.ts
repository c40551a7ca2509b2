import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import type { Benchmark } from '../benchmark.ts'
import { calculateQueue } from './calculated-queue.ts'
import { type CalculatedRow, calculatedReport } from './calculated-report.ts'
import { HABITS, type HabitArm, type HabitResult, runHabit } from './habits.ts'
import { keptReport, measureKept } from './kept-work.ts'
import { type QueueResult, runQueue } from './queue.ts'
import { habitsReport, queueReport } from './report.ts'
import type { Habit } from './supervised-agent.ts'
import { FIELD_WORK_TIMES, type WorkTimes } from './work-time.ts'

/** A variation of the queue, to see how much the figures depend on the assumptions. */
interface Workload {
  readonly name: string
  readonly workTimes: WorkTimes
  readonly maxAttempts: number
  readonly keptShare01?: number
  readonly parts?: number
  readonly uiKeywords?: readonly string[]
}

/** Three attempts, as ordered and by default. */
const FIELD: Workload = {
  name: 'as in the field, three attempts',
  workTimes: FIELD_WORK_TIMES,
  maxAttempts: 3,
}

/** With two attempts, 12 blocked tasks are 24 of 55 attempts: the 44 % that were wasted in the field. */
const FIELD_OF_TWO: Workload = { ...FIELD, name: 'as in the field, two attempts', maxAttempts: 2 }

/**
 * The same queues with an agent that works in parts and continues from those that a stopped attempt left (`--only kept`
 * measures how much that keeps). For calculated queues only.
 */
const goesOn = (parts: number): readonly Workload[] =>
  [FIELD, FIELD_OF_TWO].map((workload) => ({
    ...workload,
    name: `${workload.name}, goes on in ${parts} parts`,
    parts,
  }))

const VARIATIONS: readonly Workload[] = [
  { ...FIELD, name: 'UI work 5 times longer', workTimes: { ...FIELD_WORK_TIMES, uiFactor: [5, 5] } },
  { ...FIELD, name: 'UI work 10 times longer', workTimes: { ...FIELD_WORK_TIMES, uiFactor: [10, 10] } },
  { ...FIELD, name: 'work times alike (σ 0.4)', workTimes: { ...FIELD_WORK_TIMES, sigma: 0.4 } },
  { ...FIELD, name: 'work times far apart (σ 1.2)', workTimes: { ...FIELD_WORK_TIMES, sigma: 1.2 } },
  {
    ...FIELD,
    name: 'all work twice as long',
    workTimes: { ...FIELD_WORK_TIMES, medianSeconds: 2 * FIELD_WORK_TIMES.medianSeconds },
  },
]

/** Nothing is kept with real processes, so these have calculated figures only. */
const WORK_KEPT: readonly Workload[] = [
  { ...FIELD, name: 'half the work of an ended attempt is kept', keptShare01: 0.5 },
  { ...FIELD, name: 'all the work of an ended attempt is kept', keptShare01: 1 },
]

/** Keywords that an operator might add after reading the queue: they identify the three UI tasks that the default words miss. */
const OWN_WORDS: readonly Workload[] = [FIELD, FIELD_OF_TWO, ...goesOn(8)].map((workload) => ({
  ...workload,
  name: `${workload.name}, own keywords for UI work`,
  uiKeywords: ['screen', 'editor', 'tray'],
}))

/** Enough seeds to show the effect of a variation. */
const VARIATION_SEEDS = 3

/** Probability that an attempt under feedback is corrected, or is not, for habits that respond at random. */
const RESPONSE = 0.6
const OTHER_RESPONSES = [0.3, 0.9]
const ANSWERING_HABITS: readonly Habit[] = ['prepares', 'claims-early']

const CLAIMING_HABITS: readonly Habit[] = ['claims-early', 'needs-feedback-once']

const OPTIONS = {
  json: { type: 'boolean', default: false },
  only: { type: 'string' },
  seeds: { type: 'string', default: '5' },
  'first-seed': { type: 'string', default: '1' },
  calculated: { type: 'boolean', default: false },
  iterations: { type: 'string', default: '100' },
  sensitivity: { type: 'boolean', default: false },
  'ms-per-second': { type: 'string', default: '20' },
  parallel: { type: 'string', default: '4' },
} as const

/** Runs a real host and real agent processes, with time scaled down. Method and assumptions are in docs/evaluation.md. */
export const evaluation: Benchmark = {
  question:
    'Do interventions and adaptive timeouts make agents finish more and waste less, and do they accuse honest agents?',
  options:
    '[--only habits|queue|kept] [--seeds 5] [--first-seed 1] [--calculated] [--iterations 100] [--sensitivity] [--ms-per-second 20] [--parallel 4] [--json]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const setting = {
      msPerSecond: wholeNumber('ms-per-second', values['ms-per-second']),
      seeds: Array.from(
        { length: wholeNumber('seeds', values.seeds) },
        (_, index) => index + wholeNumber('first-seed', values['first-seed']),
      ),
      iterations: wholeNumber('iterations', values.iterations),
      sensitivity: values.sensitivity,
      limit: withProgress(pLimit(wholeNumber('parallel', values.parallel))),
    }
    if (values.calculated) {
      console.log(calculatedReport(calculateQueues(setting)))
      return
    }
    if (values.only === 'kept') {
      console.log(keptReport(await measureKept(setting)))
      return
    }
    const [habits, queues] = await Promise.all([
      values.only === 'queue' ? [] : evaluateHabits(setting),
      values.only === 'habits' ? [] : evaluateQueues(setting),
    ])
    if (values.json)
      console.log(JSON.stringify({ setting: { ...setting, limit: undefined }, habits, queues }, null, 2))
    else
      console.log(
        [habitsReport(habits), ...queues.map(({ name, results }) => queueReport(name, results))].join('\n\n'),
      )
  },
}

interface Setting {
  readonly msPerSecond: number
  readonly seeds: readonly number[]
  readonly iterations: number
  readonly sensitivity: boolean
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
}

async function evaluateHabits(setting: Setting): Promise<readonly HabitResult[]> {
  const { msPerSecond, iterations, sensitivity, limit } = setting
  const cases = [
    ...HABITS.map((habit) => ({ habit, response: RESPONSE })),
    ...(sensitivity ? [{ habit: 'leaves-what-is-done' as const, response: RESPONSE }] : []),
    ...(sensitivity ? OTHER_RESPONSES : []).flatMap((response) =>
      ANSWERING_HABITS.map((habit) => ({ habit, response })),
    ),
  ]
  return Promise.all(
    cases.flatMap((each) =>
      armsOf(each.habit, sensitivity).map((arm) =>
        limit(() =>
          runHabit({
            ...each,
            arm,
            iterations,
            msPerSecond,
            seed: setting.seeds[0] ?? 1,
            workTimes: FIELD_WORK_TIMES,
          }),
        ),
      ),
    ),
  )
}

/** Returns the settings to compare. `always` only matters for attempts that write nothing, honest or not. */
function armsOf(habit: Habit, sensitivity: boolean): readonly HabitArm[] {
  // A correction in the session follows a false claim of completion, so it only applies to habits that make them.
  const inSession: readonly HabitArm[] = CLAIMING_HABITS.includes(habit) ? ['same-session'] : []
  const writesAlways = !(habit === 'honest' || habit === 'prepares' || habit === 'leaves-what-is-done')
  return writesAlways || !sensitivity ? ['off', 'on', ...inSession] : ['off', 'on', 'always', ...inSession]
}

async function evaluateQueues({
  msPerSecond,
  seeds,
  sensitivity,
  limit,
}: Setting): Promise<readonly { readonly name: string; readonly results: readonly QueueResult[] }[]> {
  const workloads = workloadsOf(sensitivity)
  return Promise.all(
    workloads.map(async ({ name, workTimes, maxAttempts }, index) => {
      const runs = (index < 2 ? seeds : seeds.slice(0, VARIATION_SEEDS)).flatMap((seed) =>
        (['fixed', 'adaptive'] as const).map((timeouts) =>
          limit(() => runQueue({ timeouts, seed, workTimes, maxAttempts, msPerSecond })),
        ),
      )
      return { name, results: await Promise.all(runs) }
    }),
  )
}

function workloadsOf(sensitivity: boolean): readonly Workload[] {
  return sensitivity ? [FIELD, FIELD_OF_TWO, ...VARIATIONS] : [FIELD, FIELD_OF_TWO]
}

/** Calculates the same for more seeds than real processes could run. */
function calculateQueues({ seeds, sensitivity }: Setting): readonly CalculatedRow[] {
  const workloads = [
    ...workloadsOf(sensitivity),
    ...goesOn(8),
    ...(sensitivity ? [...goesOn(4), ...goesOn(16), ...WORK_KEPT, ...OWN_WORDS] : []),
  ]
  return workloads.map(({ name, ...workload }) => ({
    name,
    results: seeds.flatMap((seed) =>
      (['fixed', 'adaptive'] as const).map((timeouts) =>
        calculateQueue({ ...workload, timeouts, seed, msPerSecond: 1 }),
      ),
    ),
  }))
}

/** Reports progress on stderr. */
function withProgress(limit: Setting['limit']): Setting['limit'] {
  let [begun, done] = [0, 0]
  return async (work) => {
    begun += 1
    const result = await limit(work)
    done += 1
    process.stderr.write(`${done} of ${begun} runs\n`)
    return result
  }
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${name} is ${value}; expected a whole number of at least 1.`)
}
