import type { AgentActivity, AgentUsage } from './types.ts'

/** Whether a figure of a later turn covers only that turn, or the session from its beginning. */
export interface FigureScope {
  readonly tokens: 'run' | 'session'
  readonly cost: 'run' | 'session'
}

type Call = AgentActivity['calls'][number]

/**
 * Returns the activity of one session over two turns: what the second adds to the first. A call reported in both appears once,
 * in its newest state; the ending is the second's. If one of them reports nothing, the other is used. Pure; never throws.
 */
export function joinActivity(
  first: AgentActivity | null,
  second: AgentActivity | null,
  scope: FigureScope,
): AgentActivity | null {
  if (first === null || second === null) return second ?? first
  const unknownEvents = { ...first.unknownEvents }
  for (const [type, count] of Object.entries(second.unknownEvents))
    unknownEvents[type] = (unknownEvents[type] ?? 0) + count
  return {
    sessionId: second.sessionId ?? first.sessionId,
    model: second.model ?? first.model,
    version: second.version ?? first.version,
    usage: joinUsage(first.usage, second.usage, scope),
    calls: joinCalls(first.calls, second.calls),
    omittedCalls: first.omittedCalls + second.omittedCalls,
    unknownEvents,
    final: second.final ?? first.final,
  }
}

function joinCalls(first: readonly Call[], second: readonly Call[]): Call[] {
  const told = new Set(second.flatMap((call) => idOf(call) ?? []))
  return [...first.filter((call) => !told.has(idOf(call) ?? '')), ...second]
}

function idOf(call: Call): string | null {
  return 'callId' in call && call.callId !== null ? call.callId : null
}

function joinUsage(
  first: AgentUsage | null,
  second: AgentUsage | null,
  scope: FigureScope,
): AgentUsage | null {
  if (first === null || second === null) return second ?? first
  const join = (
    kind: keyof FigureScope,
    figure: Exclude<keyof AgentUsage, 'estimatedUsd'>,
  ): number | null => {
    const [before, after] = [first[figure], second[figure]]
    if (before === null || after === null) return after ?? before
    return scope[kind] === 'run' ? before + after : Math.max(before, after)
  }
  return {
    inputTokens: join('tokens', 'inputTokens'),
    outputTokens: join('tokens', 'outputTokens'),
    cachedInputTokens: join('tokens', 'cachedInputTokens'),
    costUsd: join('cost', 'costUsd'),
  }
}
