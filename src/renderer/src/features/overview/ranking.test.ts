import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WorkspaceHistory } from '../../../../core/read-model/score.ts'
import { shareInWords } from '../../format/share.ts'
import { rankByShare } from './ranking.ts'

function history(
  workspace: string,
  days: readonly (readonly [date: string, score: number, target: number])[],
  today: readonly [date: string, score: number, target: number] = ['2026-11-21', 0, 50],
): WorkspaceHistory {
  const day = ([date, score, target]: readonly [string, number, number]) =>
    ({ date, score, target, overruledCount: 0 }) as WorkspaceHistory['today']
  return { workspace, history: days.map(day), today: day(today), targetFloor: 50 }
}

const places = (...histories: WorkspaceHistory[]) =>
  rankByShare(histories).map(({ workspace, rank, share }) => [workspace, rank, shareInWords(share)])

test('ranks by share of the targets over the last seven finished days, not by points', () => {
  expect(
    places(
      history('many-points', [['2026-11-20', 90, 120]]),
      history('on-target', [
        ['2026-11-19', 50, 50],
        ['2026-11-20', 40, 50],
      ]),
      history('below', [['2026-11-20', -12, 50]]),
    ),
  ).toEqual([
    ['on-target', 1, '90 %'],
    ['many-points', 2, '75 %'],
    ['below', 3, '−24 %'],
  ])
})

test('ignores today and days older than the last seven', () => {
  expect(
    places(
      history('old', [['2026-11-13', 100, 50]], ['2026-11-21', 100, 50]),
      history('eldest-that-counts', [['2026-11-14', 10, 50]]),
      history('new', []),
    ),
  ).toEqual([
    ['eldest-that-counts', 1, '20 %'],
    ['old', null, '–'],
    ['new', null, '–'],
  ])
})

test('gives equals the same rank and keeps their order', () => {
  const equal = (name: string) => history(name, [['2026-11-20', 25, 50]])
  expect(places(equal('b'), equal('a'), history('c', [['2026-11-20', 5, 50]]))).toEqual([
    ['b', 1, '50 %'],
    ['a', 1, '50 %'],
    ['c', 3, '10 %'],
  ])
})

test('gives each row seven days and today, with gaps if nothing was archived; a workspace a day behind keeps its own today', () => {
  const [ahead, behind] = rankByShare([
    history('ahead', [['2026-11-19', 10, 50]]),
    history('behind', [['2026-11-19', 5, 50]], ['2026-11-20', 7, 50]),
  ])
  expect(ahead?.days.map(({ score }) => score)).toEqual([null, null, null, null, null, 10, null, 0])
  expect(ahead?.days.map(({ date }) => date)).toEqual(behind?.days.map(({ date }) => date))
  expect(behind?.days.find(({ isToday }) => isToday)).toMatchObject({ date: '2026-11-20', score: 7 })
})

test('loses no workspace, and ranks never decrease along the list (any histories)', () => {
  const day = fc.tuple(
    fc
      .integer({ min: 0, max: 40 })
      .map((n) => new Date(Date.UTC(2026, 9, 20 + n)).toISOString().slice(0, 10)),
    fc.integer({ min: -500, max: 500 }),
    fc.integer({ min: 0, max: 500 }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(day, { maxLength: 7 }), day), { maxLength: 30 }), (all) => {
      const histories = all.map(([days, today], index) => history(`w${index}`, days, today))
      const ranked = rankByShare(histories)
      expect(ranked.map(({ workspace }) => workspace).toSorted()).toEqual(
        histories.map(({ workspace }) => workspace).toSorted(),
      )
      const ranks = ranked.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY)
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      for (const { days } of ranked) expect(days).toHaveLength(8)
    }),
  )
})
