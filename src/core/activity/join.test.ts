import { describe, expect, it } from 'vitest'
import { resumedUsage } from '../agents/resumed-usage.ts'
import { joinActivity } from './join.ts'
import type { AgentActivity, AgentEvent, AgentUsage } from './types.ts'

const usage = (tokens: number, costUsd: number | null): AgentUsage => ({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: null,
  costUsd,
})

const activity = (more: Partial<AgentActivity>): AgentActivity => ({
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

const ran = (callId: string | null, exitCode: number | null): AgentEvent => ({
  kind: 'command',
  callId,
  tool: 'Bash',
  command: 'npm test',
  exitCode,
  status: exitCode === 0 ? 'succeeded' : 'failed',
})

const perRun = { tokens: 'run', cost: 'run' } as const

describe('the activity of a session over two turns', () => {
  it('has the calls of both, one told twice in its newest state', () => {
    const first = activity({ calls: [ran('a', 1), ran(null, 0)], omittedCalls: 1, unknownEvents: { x: 1 } })
    const second = activity({
      calls: [ran('a', 0), ran('b', 0)],
      unknownEvents: { x: 1, y: 2 },
      final: { status: 'success', reason: '' },
    })
    expect(joinActivity(first, second, perRun)).toMatchObject({
      sessionId: 's',
      calls: [ran(null, 0), ran('a', 0), ran('b', 0)],
      omittedCalls: 1,
      unknownEvents: { x: 2, y: 2 },
      final: { status: 'success' },
    })
  })

  it('is that of the turn that reports anything', () => {
    const only = activity({ usage: usage(1, 1) })
    expect(joinActivity(only, null, perRun)).toBe(only)
    expect(joinActivity(null, only, perRun)).toBe(only)
    expect(joinActivity(activity({}), only, perRun)?.usage).toEqual(usage(1, 1))
    expect(joinActivity(null, null, perRun)).toBeNull()
  })

  // As the programs were seen to count: 1,000 tokens and 1 cent in each of two turns.
  it.each([
    ['claude', 'command', usage(1000, 0.02)],
    ['codex', 'command', usage(2000, null)],
    ['gemini', 'command', usage(1000, null)],
    ['opencode', 'command', usage(1000, 0.01)],
    ['claude', 'acp', usage(2000, 0.02)],
  ] as const)('costs twice as much as one turn, however %s (%s) counts', (preset, kind, second) => {
    const costUsd = second.costUsd === null ? null : 0.01
    const joined = joinActivity(
      activity({ usage: usage(1000, costUsd) }),
      activity({ usage: second }),
      resumedUsage({ kind, preset }),
    )
    expect(joined?.usage).toEqual(usage(2000, costUsd === null ? null : 0.02))
  })
})
