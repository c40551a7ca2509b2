import { describe, expect, it } from 'vitest'
import { type AdaptiveTimeoutRules, DEFAULT_ADAPTIVE_TIMEOUT } from '../configuration/adaptive-timeout.ts'
import { planTimeout, type TimeoutHistory } from './timeout.ts'

const rules = DEFAULT_ADAPTIVE_TIMEOUT

const history: TimeoutHistory = {
  level: 'simple',
  timeouts: 0,
  taskDurations: [],
  levelDurations: [],
  unblockSeconds: null,
}
const ten = (seconds: number): number[] => Array.from({ length: 10 }, () => seconds)

describe('planTimeout', () => {
  it('starts from a level’s base if one is set, and from the mode’s timeout if levels do not count', () => {
    const complexity = { ...rules.complexity, simple: { ...rules.complexity.simple, baseSeconds: 900 } }
    expect(planTimeout({ ...history, timeouts: 1 }, { ...rules, complexity })).toEqual({
      seconds: 1350,
      source: 'scaled',
      reason: '15 min for simple × 1.5 after 1 timeout',
    })
    expect(planTimeout(history, { ...rules, complexity, complexityScaling: false }).seconds).toBe(120)
  })

  it.each<[string, Partial<TimeoutHistory>, Partial<AdaptiveTimeoutRules>, number]>([
    ['uses the mode timeout for simple work', {}, {}, 120],
    ['multiplies by the level', { level: 'medium' }, {}, 180],
    ['multiplies by the level', { level: 'complex' }, {}, 240],
    ['multiplies by the level', { level: 'ui_heavy' }, {}, 360],
    ['grows by half with each timeout', { level: 'ui_heavy', timeouts: 1 }, {}, 540],
    ['rounds down', { level: 'ui_heavy', timeouts: 3 }, {}, 1215],
    ['rounds down', { level: 'medium', timeouts: 3 }, {}, 607],
    ['never exceeds the maximum', { level: 'ui_heavy', timeouts: 9 }, {}, 3600],
    ['never falls below the minimum', {}, { modeTimeoutSeconds: 10 }, 60],
    ['ignores the level if so configured', { level: 'ui_heavy' }, { complexityScaling: false }, 120],
    ['ignores the timeouts if so configured', { timeouts: 4 }, { failureScaling: false }, 120],
    [
      'uses the mode timeout if disabled',
      { level: 'ui_heavy', timeouts: 4 },
      { enabled: false, modeTimeoutSeconds: 3 },
      3,
    ],
    ['learns from ten completed attempts of the task', { taskDurations: ten(200) }, {}, 300],
    [
      'learns from the level if the task has too few',
      { taskDurations: [9], levelDurations: ten(400) },
      {},
      600,
    ],
    ['does not learn from nine attempts', { taskDurations: ten(200).slice(1) }, {}, 120],
    ['does not shorten a timeout by learning', { level: 'ui_heavy', taskDurations: ten(20) }, {}, 360],
    ['also grows a learned timeout', { taskDurations: ten(200), timeouts: 1 }, {}, 450],
    ['does not learn if so configured', { taskDurations: ten(200) }, { learned: false }, 120],
    ['prefers the unblock’s timeout', { unblockSeconds: 5000, timeouts: 3 }, {}, 5000],
    ['prefers the unblock’s timeout even if disabled', { unblockSeconds: 30 }, { enabled: false }, 30],
  ])('%s', (_title, past, set, seconds) => {
    expect(planTimeout({ ...history, ...past }, { ...rules, ...set }).seconds).toBe(seconds)
  })

  it('uses the 95th percentile, so that one outlier in forty does not count', () => {
    const durations = [...Array.from({ length: 39 }, () => 100), 3000]
    expect(planTimeout({ ...history, taskDurations: durations }, rules).seconds).toBe(150)
  })

  it('explains in words where it comes from', () => {
    expect(planTimeout({ ...history, level: 'ui_heavy', timeouts: 1 }, rules).reason).toBe(
      '2 min × 3 for ui_heavy × 1.5 after 1 timeout',
    )
  })
})
