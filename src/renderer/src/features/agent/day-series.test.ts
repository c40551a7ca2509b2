import { expect, test } from 'vitest'
import type { AgentDay, AgentFigures, UsageTotals } from '../../../../core/read-model/agent.ts'
import { daySeries, interventionRows, otherInterventions, usageByAgent } from './day-series.ts'

function day(agentId: string, some: Partial<AgentDay> = {}): AgentDay {
  return {
    agentId,
    attempts: { verified: 1, not_verified: 0, unclear: 0, none: 0 },
    contradictions: 0,
    interventions: {},
    evidencePerAttempt: 1,
    medianSeconds: 40,
    usage: null,
    ...some,
  }
}

const usage = (some: Partial<UsageTotals>): UsageTotals => ({
  attempts: 1,
  inputTokens: null,
  outputTokens: null,
  cachedInputTokens: null,
  costUsd: null,
  ...some,
})

const FIGURES: AgentFigures = {
  today: '2026-03-02',
  days: [
    { day: '2025-12-01', agents: [day('claude')], otherInterventions: {} },
    {
      day: '2026-02-27',
      agents: [
        day('claude', {
          interventions: { stalled: 1, false_completion_detected: 3 },
          usage: usage({ inputTokens: 10 }),
        }),
        day('codex'),
      ],
      otherInterventions: { contract_weakened: 2 },
    },
    {
      day: '2026-03-02',
      agents: [day('claude', { interventions: { stalled: 1 }, usage: usage({ costUsd: 0.5 }) })],
      otherInterventions: {},
    },
  ],
  tasks: [],
}

test('ends thirty days with today, with gaps where the agent did not run', () => {
  const series = daySeries(FIGURES, 'claude')
  expect(series).toHaveLength(30)
  expect([series[0]?.day, series.at(-1)?.day, series.at(-1)?.label]).toEqual([
    '2026-02-01',
    '2026-03-02',
    'today',
  ])
  expect(series.filter(({ figures }) => figures !== null).map(({ day }) => day)).toEqual([
    '2026-02-27',
    '2026-03-02',
  ])
  expect(daySeries(FIGURES, 'nobody').every(({ figures }) => figures === null)).toBe(true)
})

test('counts types over the days, the most frequent first', () => {
  const rows = interventionRows(daySeries(FIGURES, 'claude'))
  expect(rows.map(({ type, total }) => [type, total])).toEqual([
    ['false_completion_detected', 3],
    ['stalled', 2],
  ])
  expect(rows[1]?.perDay.slice(-4)).toEqual([1, 0, 0, 1])
  expect(otherInterventions(FIGURES)).toBe(2)
})

test('sums usage by agent, and keeps unreported usage unknown', () => {
  expect(usageByAgent(FIGURES)).toEqual([
    { agentId: 'claude', usage: usage({ attempts: 2, inputTokens: 10, costUsd: 0.5 }) },
  ])
})
