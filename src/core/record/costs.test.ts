import { describe, expect, it } from 'vitest'
import { COST_PHASE_KEYS } from '../vocabulary/cost-phase.ts'
import { type AttemptCosts, attemptCosts, type CheckCost, type CostSpan } from './costs.ts'
import { type DayCosts, dayCostsAfter } from './day-costs.ts'
import type { EventBody } from './events.ts'
import { fold } from './fold.ts'
import { attemptFinished, recorded } from './testing/sample-events.ts'

const check =
  (where: CostSpan['where']) =>
  (name: string, fromMs: number, toMs: number): CostSpan => ({
    where,
    check: { kind: 'gate', name },
    fromMs,
    toMs,
  })
const inPlace = check('in-place')
const inRoom = check('clean-room')
const room = (fromMs: number, toMs: number): CostSpan => ({ where: 'clean-room', check: null, fromMs, toMs })

describe('the costs of an attempt', () => {
  it.each<[string, number, number, readonly CostSpan[], Omit<AttemptCosts, 'byCheck'>]>([
    [
      'consist of the agent and our own work if nothing was checked',
      1000,
      900,
      [],
      { agentMs: 900, checksMs: 0, cleanRoomMs: 0, pulsewardMs: 100 },
    ],
    [
      'count checks before and after the agent',
      10_000,
      4000,
      [inPlace('test', 0, 2000), inPlace('test', 7000, 9000)],
      { agentMs: 4000, checksMs: 4000, cleanRoomMs: 0, pulsewardMs: 2000 },
    ],
    [
      'count the wall time of checks that run side by side once',
      5000,
      1000,
      [inPlace('a', 0, 2000), inPlace('b', 500, 1500), inPlace('c', 1000, 3000)],
      { agentMs: 1000, checksMs: 3000, cleanRoomMs: 0, pulsewardMs: 1000 },
    ],
    [
      'count the clean room’s set-up and checks, but not our work in between',
      9000,
      1000,
      [inPlace('test', 0, 2000), room(4000, 4500), inRoom('test', 5000, 7000), room(7000, 7100)],
      { agentMs: 1000, checksMs: 2000, cleanRoomMs: 2600, pulsewardMs: 3400 },
    ],
    [
      'count overlapping time as clean room only',
      4000,
      1000,
      [inPlace('a', 0, 2000), inRoom('b', 1000, 3000)],
      { agentMs: 1000, checksMs: 1000, cleanRoomMs: 2000, pulsewardMs: 0 },
    ],
    [
      'add up in whole milliseconds, even from fractions',
      1000.4,
      500,
      [inPlace('a', 0.2, 100.7), inRoom('b', 200.1, 300.6)],
      { agentMs: 500, checksMs: 100, cleanRoomMs: 101, pulsewardMs: 299 },
    ],
    [
      'are never negative if the agent reports more than the whole time',
      10,
      1000,
      [],
      { agentMs: 1000, checksMs: 0, cleanRoomMs: 0, pulsewardMs: 0 },
    ],
  ])('%s', (_, wholeMs, agentMs, spans, expected) => {
    const { byCheck: _byCheck, ...costs } = attemptCosts({ wholeMs, agentMs }, spans)
    expect(costs).toEqual(expected)
    const sum = COST_PHASE_KEYS.reduce((total, phase) => total + costs[phase], 0)
    expect(sum).toBe(Math.max(Math.round(wholeMs), agentMs))
  })

  it('list each check once with its own time and runs, the longest first, at most twenty', () => {
    const spans = [
      inPlace('short', 0, 1),
      inPlace('long', 0, 700),
      inRoom('long', 800, 1100),
      ...Array.from({ length: 30 }, (_, index) => inPlace(`other ${index}`, 0, 10 + index)),
    ]
    const { byCheck } = attemptCosts({ wholeMs: 2000, agentMs: 0 }, spans)
    expect(byCheck.slice(0, 2)).toEqual([
      { kind: 'gate', name: 'long', runs: 2, ms: 1000 },
      { kind: 'gate', name: 'other 29', runs: 1, ms: 39 },
    ])
    expect(byCheck).toHaveLength(20)
    expect(byCheck.map(({ name }) => name)).not.toContain('short')
  })

  it('truncate the name of a check that is a whole script', () => {
    const [only] = attemptCosts({ wholeMs: 1, agentMs: 0 }, [inPlace('x'.repeat(5000), 0, 1)]).byCheck
    expect(only?.name).toHaveLength(200)
  })
})

describe('costs in the record', () => {
  const costs: AttemptCosts = {
    agentMs: 1000,
    checksMs: 300,
    cleanRoomMs: 60,
    pulsewardMs: 30,
    byCheck: [
      { kind: 'gate', name: 'npm test', runs: 2, ms: 240 },
      { kind: 'probe', name: 'mail', runs: 3, ms: 120 },
    ],
  }

  it('count once for the attempts that shared a run, and not at all for older ones', () => {
    const shared = attemptFinished({ costs, tasksInRun: 2 })
    const { attemptTotals } = fold(recorded([attemptFinished(), shared, shared, attemptFinished({ costs })]))
    expect(attemptTotals.costs).toEqual({ agentMs: 2000, checksMs: 600, cleanRoomMs: 120, pulsewardMs: 60 })
  })

  const swept: CheckCost = { kind: 'probe', name: 'mail', runs: 4, ms: 900 }
  const cycleFinished: EventBody = { type: 'cycle-finished', cycle: 1, ending: 'completed', checks: [swept] }
  const idle: EventBody = { type: 'heartbeat-skipped', dueAt: 'd', reason: 'idle', checks: [swept] }
  const dayAfter = (...days: readonly (readonly [string, readonly EventBody[]])[]): DayCosts | null =>
    days
      .flatMap(([day, bodies]) => recorded(bodies, day))
      .reduce<DayCosts | null>((known, event) => dayCostsAfter(known, event), null)
  const mail = (runs: number, ms: number): CheckCost => ({ kind: 'probe', name: 'mail', runs, ms })
  const gate = (runs: number, ms: number): CheckCost => ({ kind: 'gate', name: 'npm test', runs, ms })

  it.each<[string, DayCosts | null, DayCosts | null]>([
    ['has no costs if no check ran', dayAfter(['2026-11-20', [attemptFinished()]]), null],
    [
      'adds up attempts, sweeps and idle heartbeats',
      dayAfter(['2026-11-20', [attemptFinished({ costs }), cycleFinished, idle]]),
      { day: '2026-11-20', checks: [mail(11, 1920), gate(2, 240)] },
    ],
    [
      'counts a shared run once',
      dayAfter([
        '2026-11-20',
        [attemptFinished({ costs, tasksInRun: 2 }), attemptFinished({ costs, tasksInRun: 2 })],
      ]),
      { day: '2026-11-20', checks: [gate(2, 240), mail(3, 120)] },
    ],
    [
      'starts over only on the next day on which a check ran',
      dayAfter(
        ['2026-11-20', [idle]],
        ['2026-11-21', [attemptFinished({ costs }), attemptFinished()]],
        ['2026-11-22', [attemptFinished()]],
      ),
      { day: '2026-11-21', checks: [gate(2, 240), mail(3, 120)] },
    ],
    [
      'counts an event of an earlier day as its own',
      dayAfter(['2026-11-21', [idle]], ['2026-11-20', [idle]]),
      { day: '2026-11-21', checks: [mail(8, 1800)] },
    ],
  ])('a day %s', (_, found, expected) => expect(found).toEqual(expected))
})
