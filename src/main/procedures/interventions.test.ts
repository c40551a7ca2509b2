import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import type { InterventionType } from '../../core/vocabulary/intervention.ts'
import { INTERVENTION_ROWS } from '../../core/vocabulary/intervention.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import type { Ledger } from '../ports/ledger.ts'
import { profileOf } from './agents.ts'
import { liftSuspension } from './heartbeat.ts'
import { interventionPage, metricsOf, resetInterventions } from './interventions.ts'
import { figuresOf } from './workspace-figures.ts'

let files: TemporaryLedger
let ledger: Ledger
/** A stub with only what is used here, because a full runtime is a supervisor with its agent. */
let runtime: WorkspaceRuntime

beforeEach(async () => {
  files = await temporaryLedger()
  ledger = await files.open()
  runtime = {
    id: 'one',
    name: 'One',
    ledger,
    loop: { config: { agent: { id: 'claude', dayLimits: { usd: null, tokens: null } } } },
  } as unknown as WorkspaceRuntime
})
afterEach(() => files.remove())

function failed(cycle: number, ...types: readonly InterventionType[]): EventBody {
  return finishedAttempt(`a${cycle}`, {
    cycle,
    verdict: 'not_verified',
    points: -15,
    durationMs: 4000,
    startedAt: `${cycle}`,
    filesChangedCount: 0,
    interventions: types.map((type) => ({
      event_type: type,
      severity: INTERVENTION_ROWS[type].severity,
      details: {},
    })),
  })
}

const ended = (cycle: number): EventBody => ({ type: 'cycle-finished', cycle, ending: 'completed' })

describe('the list of interventions', () => {
  beforeEach(() =>
    ledger.append(
      failed(1, 'no_files_detected', 'evidence_validation_failed'),
      failed(2, 'agent_reinforced'),
      failed(3, 'no_files_detected'),
    ),
  )
  const ids = (filter: Partial<Parameters<typeof interventionPage>[1]>) => {
    const { interventions, nextCursor } = interventionPage(runtime, { last: 50, ...filter })
    return [interventions.map(({ id }) => id), nextCursor]
  }

  test.each([
    [{}, ['3-0', '2-0', '1-1', '1-0'], null],
    [{ last: 2 }, ['3-0', '2-0'], '2-0'],
    [{ last: 2, cursor: '2-0' }, ['1-1', '1-0'], null],
    [{ last: 1, type: 'no_files_detected' }, ['3-0'], '3-0'],
    [{ last: 1, type: 'no_files_detected', cursor: '3-0' }, ['1-0'], null],
    [{ severity: 'warning' }, ['1-1'], null],
    [{ severity: 'info', type: 'stalled' }, [], null],
  ] as const)('%o → %j, next %j', (filter, expected, nextCursor) => {
    expect(ids(filter)).toEqual([expected, nextCursor])
  })

  test('refuses an invalid cursor', () => {
    expect(() => ids({ cursor: '9-9' })).toThrow(/no intervention "9-9"/)
  })
})

test('metrics count all cycles, including the running one', async () => {
  expect(metricsOf(runtime).intervention_rate_per_100_iterations).toBe(0)
  await ledger.append(
    failed(1, 'no_files_detected'),
    ended(1),
    ended(2),
    cycleStarted(3, { trigger: 'manual', contractHash: 'h' }),
  )
  expect(metricsOf(runtime)).toEqual({
    total_interventions: 1,
    interventions_by_type: { no_files_detected: 1 },
    interventions_by_severity: { critical: 1 },
    intervention_rate_per_100_iterations: 33.3,
    avg_remediation_success_rate: 0,
  })
})

test('a profile has the values of an agent that ran, or zeros for the one that will', async () => {
  expect(profileOf(runtime, 'claude').total_iterations).toBe(0)
  await ledger.append(failed(1, 'no_files_detected'))
  expect(profileOf(runtime, 'claude')).toMatchObject({ total_iterations: 1, no_files_count: 1 })
  for (const id of ['codex', 'constructor', '__proto__'])
    expect(() => profileOf(runtime, id)).toThrow(/has run in One; known are claude\./)
})

test('a suspended workspace is resumed once, with the reason, and a reset resumes it too', async () => {
  await expect(liftSuspension(runtime, 'seen')).rejects.toThrow('One is not suspended.')
  await ledger.append({ type: 'suspended', reason: 'lies' })
  await liftSuspension(runtime, 'seen')
  expect(ledger.state.suspended).toBeNull()
  await ledger.append({ type: 'suspended', reason: 'lies' })
  await resetInterventions(runtime)
  expect(ledger.state.suspended).toBeNull()
})

test('the figures match the state', async () => {
  await ledger.append(failed(1, 'no_files_detected'), ended(1), { type: 'suspended', reason: 'r' })
  expect(figuresOf(runtime)).toMatchObject({
    labels: { workspace: 'one' },
    score: -15,
    target: 50,
    cycles: 1,
    suspended: true,
    attempts: { verified: 0, not_verified: 1, unclear: 0, none: 0 },
    attemptSeconds: { total: 1, sum: 4 },
  })
  expect(figuresOf(runtime).interventions.filter(({ count }) => count > 0)).toEqual([
    { event_type: 'no_files_detected', severity: 'critical', count: 1 },
  ])
})
