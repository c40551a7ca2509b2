import type { AgentActivity, AgentUsage } from '../types.ts'

/** Returns usage with equal numbers of input and output tokens. */
export const sampleUsage = (tokens: number, costUsd: number | null): AgentUsage => ({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: null,
  costUsd,
})

/** The activity of a run in which the agent did nothing except what is given. */
export const sampleActivity = (more: Partial<AgentActivity>): AgentActivity => ({
  sessionId: 's',
  model: 'm',
  version: null,
  usage: null,
  calls: [],
  omittedCalls: 0,
  unknownEvents: {},
  final: null,
  ...more,
})
