import { expect, test } from 'vitest'
import type { EventBody } from '../record/events.ts'
import { fold } from '../record/fold.ts'
import { attemptFinished, cycleStarted, recorded } from '../record/testing/sample-events.ts'
import { SKIP_WORDS, type SkipReason } from '../vocabulary/heartbeat.ts'
import { heartbeatViews } from './heartbeat.ts'

function skippedAt(dueAt: string, reason: SkipReason = 'outside-active-hours', why?: string): EventBody {
  return { type: 'heartbeat-skipped', dueAt, reason, ...(why !== undefined && { why }) }
}

function skippedView(at: string, detail = SKIP_WORDS['outside-active-hours'].title) {
  return { state: 'skipped', at, finishedAt: null, cycle: null, count: 1, detail, worst: null }
}

function viewsAfter(...events: EventBody[]) {
  return heartbeatViews(fold(recorded(events)))
}

test('lists heartbeats that differ only in their time one by one, like all others', () => {
  const missed = { type: 'heartbeats-missed', from: 'f', to: 't', count: 12 } as const
  expect(
    viewsAfter(
      skippedAt('1'),
      skippedAt('2'),
      skippedAt('3', 'idle'),
      skippedAt('4', 'idle', 'nothing was to be done'),
      skippedAt('5'),
      missed,
      { ...missed, from: 'g' },
      { ...missed, to: 'u' },
      skippedAt('6'),
      skippedAt('7'),
    ),
  ).toEqual([
    skippedView('7'),
    skippedView('6'),
    expect.objectContaining({ state: 'missed', at: 'f', finishedAt: 'u', count: 12 }),
    expect.objectContaining({ state: 'missed', at: 'g', finishedAt: 't', count: 12 }),
    expect.objectContaining({ state: 'missed', at: 'f', finishedAt: 't', count: 12 }),
    skippedView('5'),
    skippedView('4', 'Idle: nothing was to be done'),
    skippedView('3', SKIP_WORDS.idle.title),
    skippedView('2'),
    skippedView('1'),
  ])
})

test('keeps a heartbeat that began separate among them, with the worst verdict of its attempts', () => {
  const views = viewsAfter(
    skippedAt('1'),
    cycleStarted(1),
    attemptFinished({ cycle: 1, verdict: 'not_verified' }),
    { type: 'cycle-finished', cycle: 1, ending: 'completed' },
    cycleStarted(2),
    { type: 'cycle-finished', cycle: 2, ending: 'completed' },
    skippedAt('2'),
    skippedAt('3'),
  )
  expect(views.map(({ state, cycle, worst }) => ({ state, cycle, worst }))).toEqual([
    { state: 'skipped', cycle: null, worst: null },
    { state: 'skipped', cycle: null, worst: null },
    { state: 'done', cycle: 2, worst: null },
    { state: 'done', cycle: 1, worst: 'not_verified' },
    { state: 'skipped', cycle: null, worst: null },
  ])
})

test('lists the newest 300, even if many of them are alike', () => {
  const skipped = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => skippedAt(String(from + index)))
  const views = viewsAfter(...skipped(0, 200), cycleStarted(1), ...skipped(200, 200))
  expect(views).toHaveLength(300)
  expect(views[0]).toEqual(skippedView('399'))
  expect(views[200]).toMatchObject({ state: 'running', cycle: 1 })
  expect(views.at(-1)).toEqual(skippedView('101'))
})
