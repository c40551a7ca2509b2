import { type AgentActivity, type AgentEvent, type AgentUsage, agentUsageSchema } from './types.ts'

/** Collects the events of a run as they arrive. */
export interface ActivityCollector {
  add(event: AgentEvent): void
  /** Summarizes all events so far. */
  activity(): AgentActivity
}

const MAX_CALLS = 200
/** Limits the types listed: programs whose output is not understood must not fill the ledger. */
const MAX_UNKNOWN_TYPES = 50

/** The kinds of events in which an agent does something, or asks to. */
export const CALL_KINDS = ['edit', 'command', 'tool', 'permission'] as const

type Call = Extract<AgentEvent, { kind: (typeof CALL_KINDS)[number] }>

/**
 * Returns a collector for the events of one session. It keeps the newest state of a call reported several times, in the call's first
 * position, and the newest number of each kind of usage, because programs report the session's total. Beyond 200 calls it drops the oldest,
 * successful calls before refused ones.
 */
export function createActivityCollector(): ActivityCollector {
  let sessionId: string | null = null
  let model: string | null = null
  let version: string | null = null
  let usage: AgentUsage | null = null
  let final: AgentActivity['final'] = null
  let omittedCalls = 0
  let anonymous = 0
  const calls = new Map<string, Call>()
  const unknownEvents = new Map<string, number>()

  const addCall = (call: Call): void => {
    const id = 'callId' in call && call.callId !== null ? `id ${call.callId}` : `#${anonymous++}`
    calls.set(id, call)
    if (calls.size <= MAX_CALLS) return
    const [oldest] = [...calls].find(([, { kind }]) => kind !== 'permission') ?? [...calls.keys()]
    if (typeof oldest === 'string') calls.delete(oldest)
    omittedCalls += 1
  }

  return {
    add: (event) => {
      switch (event.kind) {
        case 'session':
          sessionId = event.sessionId
          model = event.model ?? model
          version = event.version ?? version
          return
        case 'edit':
        case 'command':
        case 'tool':
        case 'permission':
          addCall(event)
          return
        case 'usage':
          usage = newestUsage(usage, event.usage)
          return
        case 'final':
          final = { status: event.status, reason: event.reason }
          return
        case 'unknown': {
          const known = unknownEvents.has(event.type) || unknownEvents.size < MAX_UNKNOWN_TYPES
          const type = known ? event.type : 'other'
          unknownEvents.set(type, (unknownEvents.get(type) ?? 0) + 1)
          return
        }
        default:
          return
      }
    },
    activity: () => ({
      sessionId,
      model,
      version,
      usage,
      calls: [...calls.values()],
      omittedCalls,
      unknownEvents: Object.fromEntries(unknownEvents),
      final,
    }),
  }
}

/**
 * Returns what a session has used so far. Programs report its total, but sometimes only partially, and sometimes impossible
 * values.
 */
export function newestUsage(before: AgentUsage | null, told: AgentUsage): AgentUsage {
  const now = agentUsageSchema.parse(told)
  return {
    inputTokens: now.inputTokens ?? before?.inputTokens ?? null,
    outputTokens: now.outputTokens ?? before?.outputTokens ?? null,
    cachedInputTokens: now.cachedInputTokens ?? before?.cachedInputTokens ?? null,
    costUsd: now.costUsd ?? before?.costUsd ?? null,
  }
}
