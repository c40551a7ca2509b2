import { expect, it } from 'vitest'
import { sayPace } from './budget.ts'
import { initialState } from './fold.ts'
import { paceOf } from './pace.ts'

const DAY = '2026-11-20'
const at = (time: string) => Date.parse(`${DAY}T${time}:00+01:00`)

function stateWith(costUsd: number | null, startedAt: string) {
  const usage = { attempts: 1, inputTokens: 1000, outputTokens: 200, cachedInputTokens: null, costUsd }
  return {
    ...initialState(),
    day: DAY,
    days: [{ day: DAY, agents: { a: { usage } as never }, otherInterventions: {} }],
    attempts: [{ day: DAY, startedAt: `${DAY}T${startedAt}:00+01:00` } as never],
  }
}

it('projects until midnight the pace since the first attempt of the day', () => {
  const pace = paceOf(stateWith(1.2, '22:00'), at('23:00'), 'Europe/Berlin')
  expect(pace).toMatchObject({ usd: 1.2, usdByMidnight: 2.4, tokens: 1200, tokensByMidnight: 2400 })
  expect(pace === null ? '' : sayPace(pace)).toBe('$1.20 today, at this pace $2.40 by midnight')
})

it('projects nothing after only the first minutes', () => {
  const pace = paceOf(stateWith(1.2, '22:00'), at('22:05'), 'Europe/Berlin')
  expect(pace === null ? '' : sayPace(pace)).toBe('$1.20 today')
})

it('gives tokens if no cost is known', () => {
  const pace = paceOf(stateWith(null, '22:00'), at('23:00'), 'Europe/Berlin')
  expect(pace === null ? '' : sayPace(pace)).toBe('1,200 tokens today, at this pace 2,400 tokens by midnight')
})

it('gives nothing if nothing was reported', () => {
  expect(paceOf(initialState(), at('23:00'), 'Europe/Berlin')).toBeNull()
})
