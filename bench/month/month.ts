import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { localDay, timestamp } from '../../src/core/pacing/schedule.ts'
import type { AttemptResult } from '../../src/core/record/events.ts'
import type { ScoreState } from '../../src/core/scoring/types.ts'
import { type OpenedLedger, openLedger } from '../../src/main/ledger/ledger.ts'
import { finishedAttempt } from '../../src/main/ledger/testing/sample-events.ts'
import { seededIndexes } from '../../src/main/testing/seeded-numbers.ts'
import type { Benchmark } from '../benchmark.ts'

/*
 * Simulates weeks of many workspaces, across a daylight-saving change, with days on which the machine slept and restarts in
 * between. Compares the result with a second calculation of the score that shares no code with the first.
 */

const ZONE = 'Europe/Berlin'
const HOUR = 3_600_000
/** Nothing runs on these days because the machine slept. */
const ASLEEP = new Set([9, 10, 11, 20])

export interface Month {
  readonly workspaces: number
  readonly days: number
  /** Heartbeats per day, spread evenly over its hours; each has one attempt. */
  readonly heartbeats: number
  /** UTC, at the first heartbeat. */
  readonly startMs: number
  readonly seed: number
}

/** The figures of a score that a person can calculate from the design's tables. */
export interface Calculated {
  readonly today: number
  readonly target: number
  readonly floor: number
  readonly streak: number
  readonly longest: number
  readonly total: number
  readonly history: readonly string[]
}

export interface Lived {
  /** One pair per workspace. */
  readonly scores: readonly { readonly kept: Calculated; readonly calculated: Calculated }[]
  /** Bytes of heap in use after collection, halfway and at the end. */
  readonly heap: readonly [half: number, end: number]
  readonly events: number
}

/** Runs through the time, with real ledgers in a temporary folder. */
export async function live(month: Month): Promise<Lived> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-month-'))
  const clock = { nowMs: month.startMs }
  const number = seededIndexes(month.seed)
  const points = Array.from({ length: month.workspaces }, () => new Map<string, number>())
  const open = () => Promise.all(points.map((_, index) => openAt(join(root, `w${index}`), clock)))
  let ledgers = await open()
  let half = 0
  for (let day = 0; day < month.days; day += 1) {
    if (day % 7 === 6) {
      await Promise.all(ledgers.map((ledger) => ledger.close()))
      ledgers = await open()
    }
    for (let heartbeat = 0; heartbeat < month.heartbeats; heartbeat += 1) {
      clock.nowMs = month.startMs + day * 24 * HOUR + (heartbeat * 24 * HOUR) / month.heartbeats
      if (ASLEEP.has(day)) continue
      await Promise.all(
        ledgers.map((ledger, index) => {
          const result = attemptOf(`${index}-${day}-${heartbeat}`, number)
          const date = dateOf(clock.nowMs)
          const known = points[index] as Map<string, number>
          known.set(date, (known.get(date) ?? 0) + result.points)
          return ledger.append({ type: 'attempt-finished', result })
        }),
      )
    }
    if (day === Math.floor(month.days / 2)) half = heapInUse()
  }
  const end = heapInUse()
  const scores = ledgers.map(({ state }, index) => ({
    kept: figuresOf(state.score),
    calculated: calculate(points[index] as Map<string, number>, dateOf(clock.nowMs)),
  }))
  const events = ledgers.reduce((sum, { state }) => sum + state.seq, 0)
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  await rm(root, { recursive: true })
  return { scores, heap: [half, end], events }
}

function openAt(directory: string, clock: { nowMs: number }): Promise<OpenedLedger> {
  return openLedger({
    directory,
    clock: { nowMs: () => clock.nowMs, monotonicMs: () => clock.nowMs, sleep: async () => {} },
    localDay: (ms) => localDay(ms, ZONE),
    timestamp: (ms) => timestamp(ms, ZONE),
    log: { info: () => {}, warn: console.error, error: console.error },
  })
}

function attemptOf(id: string, number: (below: number) => number): AttemptResult {
  const kinds = [
    { verdict: 'verified', points: 10, groundTruthContradiction: false },
    { verdict: 'verified', points: 5, groundTruthContradiction: false },
    { verdict: 'not_verified', points: -15, groundTruthContradiction: false },
    { verdict: 'not_verified', points: -45, groundTruthContradiction: true },
    { verdict: 'unclear', points: -2, groundTruthContradiction: false },
  ] as const
  const kind = kinds[[0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4][number(15)] ?? 0]
  return finishedAttempt(id, kind).result
}

/** Returns the local day, calculated differently than in the product. */
function dateOf(ms: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' }).format(ms)
}

/** Calculates the design's rows from the points of each day only. */
function calculate(points: ReadonlyMap<string, number>, today: string): Calculated {
  const dates = [...points.keys()].sort()
  const past: { date: string; score: number; reached: boolean }[] = []
  let floor = 50
  let target = 50
  for (const date of dates.filter((each) => each < today)) {
    const score = points.get(date) ?? 0
    past.push({ date, score, reached: score >= target })
    const positive = past.slice(-7).flatMap((day) => (day.score > 0 ? [day.score] : []))
    const average =
      positive.length === 0 ? 0 : positive.reduce((sum, each) => sum + each, 0) / positive.length
    target = halfEven(Math.min(500, Math.max(average, floor, 50)))
    floor = Math.max(floor, target)
  }
  const runs = [0]
  for (const { reached } of past) {
    if (reached) runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1
    else runs.push(0)
  }
  return {
    today: points.get(today) ?? 0,
    target,
    floor,
    streak: runs.at(-1) ?? 0,
    longest: Math.max(...runs),
    total: [...points.values()].reduce((sum, each) => sum + each, 0),
    history: past.toReversed().map(({ date, score }) => `${date} ${score}`),
  }
}

function halfEven(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

function figuresOf({ today, history, lifetime }: ScoreState): Calculated {
  return {
    today: today.score,
    target: today.target,
    floor: lifetime.targetFloor,
    streak: lifetime.currentStreak,
    longest: lifetime.longestStreak,
    total: lifetime.totalPoints,
    history: history.map(({ date, score }) => `${date} ${score}`),
  }
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Across the beginning and the end of daylight-saving time. */
export const SPRING_MS = Date.UTC(2026, 2, 14, 4)
export const AUTUMN_MS = Date.UTC(2026, 9, 10, 4)

export const month: Benchmark = {
  question:
    'After 30 days of 50 workspaces across each daylight-saving change, does a second calculation give the same scores, and is memory flat?',
  options: '[--workspaces 50] [--days 30] [--heartbeats 24] [--seed 1]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        workspaces: { type: 'string', default: '50' },
        days: { type: 'string', default: '30' },
        heartbeats: { type: 'string', default: '24' },
        seed: { type: 'string', default: '1' },
      },
    })
    for (const [name, startMs] of [
      ['spring', SPRING_MS],
      ['autumn', AUTUMN_MS],
    ] as const) {
      const { scores, heap, events } = await live({
        workspaces: Number(values.workspaces),
        days: Number(values.days),
        heartbeats: Number(values.heartbeats),
        seed: Number(values.seed),
        startMs,
      })
      const wrong = scores.filter(
        ({ kept, calculated }) => JSON.stringify(kept) !== JSON.stringify(calculated),
      )
      const [half, end] = heap.map((bytes) => (bytes / 1e6).toFixed(1))
      console.log(
        `${name}: ${events} events, ${wrong.length} of ${scores.length} scores differ, heap ${half} MB half-way and ${end} MB at the end`,
      )
      if (wrong.length > 0) process.exitCode = 1
    }
  },
}
