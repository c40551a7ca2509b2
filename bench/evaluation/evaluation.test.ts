import { expect, test } from 'vitest'
import { calculateQueue } from './calculated-queue.ts'
import { runHabit } from './habits.ts'
import { runQueue } from './queue.ts'
import { FIELD_WORK_TIMES } from './work-time.ts'

/*
 * Checks that the arms run end to end. Work takes almost no time here, or never ends, so that results don't depend on the
 * machine's speed.
 */
const NO_WORK = { ...FIELD_WORK_TIMES, medianSeconds: 0.001, sigma: 0 }
const ENDLESS_WORK = { ...FIELD_WORK_TIMES, medianSeconds: 1e6, sigma: 0 }

test.each(['off', 'on', 'always'] as const)(
  'runs an agent that needs feedback once for three heartbeats, interventions %s',
  async (arm) => {
    const result = await runHabit({
      habit: 'needs-feedback-once',
      arm,
      iterations: 3,
      seed: 1,
      response: 1,
      msPerSecond: 20,
      workTimes: NO_WORK,
    })
    expect(result).toMatchObject({ falseAccusations: [], completed: arm === 'off' ? 0 : 1 })
    expect(Object.hasOwn(result.interventionsRaised, 'agent_reinforced')).toBe(arm !== 'off')
  },
)

test('corrects an agent that needs feedback once in its session at each task', async () => {
  const result = await runHabit({
    habit: 'needs-feedback-once',
    arm: 'same-session',
    iterations: 2,
    seed: 1,
    response: 1,
    msPerSecond: 200,
    workTimes: NO_WORK,
  })
  expect(result).toMatchObject({ falseAccusations: [], completed: 2, wasted: 0 })
  expect(result.interventionsRaised).toMatchObject({ mid_stream_prompt_injected: 2 })
})

test.each(['fixed', 'adaptive'] as const)(
  'runs a queue until nothing is open, timeouts %s',
  async (timeouts) => {
    const run = { timeouts, seed: 1, maxAttempts: 1, skip: 40 }
    const { byItself } = await runQueue({ ...run, workTimes: NO_WORK, msPerSecond: 50 })
    expect(byItself).toMatchObject({ attempts: 3, uiTasks: 3, uiBlocked: 0, uiCompleted: 3, wasted: 0 })
  },
)

test('retries blocked tasks once', async () => {
  const run = { timeouts: 'fixed', seed: 1, maxAttempts: 1, skip: 42 } as const
  const { byItself, afterRetry } = await runQueue({ ...run, workTimes: ENDLESS_WORK, msPerSecond: 5 })
  expect(byItself).toMatchObject({ attempts: 1, wasted: 1, uiTasks: 1, uiBlocked: 1, uiCompleted: 0 })
  expect(afterRetry).toMatchObject({ attempts: 2, wasted: 2, uiBlocked: 1, falseAccusations: 0 })
})

test('calculates the same queue results as a real run: everything done if work takes no time, everything blocked if it never ends', () => {
  const run = { timeouts: 'adaptive', seed: 1, maxAttempts: 3, msPerSecond: 1 } as const
  const quick = calculateQueue({ ...run, workTimes: NO_WORK })
  expect(quick.byItself).toMatchObject({ attempts: 43, wasted: 0, blocked: 0, uiCompleted: 22 })
  const endless = calculateQueue({ ...run, workTimes: ENDLESS_WORK })
  expect(endless.byItself).toMatchObject({ attempts: 129, wasted: 129, blocked: 43, uiCompleted: 0 })
  expect(endless.afterRetry).toMatchObject({ attempts: 258, blocked: 43 })
})

test('keeps only complete parts of a stopped attempt: nothing of a single part, nearly all of many', () => {
  const run = { timeouts: 'adaptive', maxAttempts: 3, msPerSecond: 1, workTimes: FIELD_WORK_TIMES } as const
  const wasted = (kept: object) =>
    [1, 2, 3].reduce((sum, seed) => sum + calculateQueue({ ...run, seed, ...kept }).byItself.wasted, 0)
  expect(wasted({ parts: 1 })).toBe(wasted({}))
  expect(wasted({ parts: 100_000 })).toBe(wasted({ keptShare01: 1 }))
  expect(wasted({ parts: 8 })).toBeLessThan(wasted({}))
})
