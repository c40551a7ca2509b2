import type { AgentActivity, AgentUsage } from '../types.ts'

/** As many tokens in as out. */
export const sampleUsage = (tokens: number, costUsd: number | null): AgentUsage => ({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: null,
  costUsd,
})

/** A run of an agent that did nothing, but for what is given. */
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
