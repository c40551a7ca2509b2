import { expect, it } from 'vitest'
import type { AgentFigures } from '../core/read-model/agent.ts'
import { describeUsage, usageDocument } from './usage.ts'

const totals = (costUsd: number | null) => ({
  attempts: 2,
  inputTokens: 12_345.5,
  outputTokens: 50,
  cachedInputTokens: null,
  costUsd,
})

const day = (agentId: string, usage: ReturnType<typeof totals> | null) => ({
  agentId,
  attempts: { verified: 0, not_verified: 0, unclear: 0, none: 0 },
  contradictions: 0,
  interventions: {},
  evidencePerAttempt: null,
  medianSeconds: null,
  usage,
})

const figures: AgentFigures = {
  today: '2026-11-21',
  days: [
    { day: '2026-11-20', agents: [day('codex', totals(null)), day('own', null)], otherInterventions: {} },
    { day: '2026-11-21', agents: [day('claude', totals(0.0042))], otherInterventions: {} },
  ],
  tasks: [{ taskId: 'job', usage: totals(1.5) }],
}

it('shows usage by day, agent and task, and which programs report none', () => {
  expect(describeUsage(usageDocument(figures))).toEqual([
    'Used, by day and agent:',
    '  2026-11-21  claude  2 attempts  12,346 in  50 out  $0.0042',
    '  2026-11-20  codex   2 attempts  12,346 in  50 out  cost not reported',
    'Used, by task:',
    '  job  2 attempts  12,346 in  50 out  $1.50',
  ])
  expect(usageDocument(figures).today).toMatchObject([{ agentId: 'claude' }])
})

it('says that nothing is known if no agent reports usage', () => {
  const nothing = usageDocument({ ...figures, days: [], tasks: [] })
  expect(nothing).toEqual({ today: [], days: [], tasks: [] })
  expect(describeUsage(nothing)).toEqual(['No agent has reported what it used.'])
})
