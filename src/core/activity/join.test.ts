import { describe, expect, it } from 'vitest'
import { joinActivity } from './join.ts'
import { sampleActivity as activity, sampleUsage as usage } from './testing/sample-activity.ts'
import type { AgentEvent } from './types.ts'

const ran = (callId: string | null, exitCode: number | null): AgentEvent => ({
  kind: 'command',
  callId,
  tool: 'Bash',
  command: 'npm test',
  exitCode,
  status: exitCode === 0 ? 'succeeded' : 'failed',
})

const perRun = { tokens: 'run', cost: 'run' } as const

describe('the activity of a session with two turns', () => {
  it('contains the calls of both, one reported twice only in its newest state', () => {
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

  it('equals that of the only turn that reports anything', () => {
    const only = activity({ usage: usage(1, 1) })
    expect(joinActivity(only, null, perRun)).toBe(only)
    expect(joinActivity(null, only, perRun)).toBe(only)
    expect(joinActivity(activity({}), only, perRun)?.usage).toEqual(usage(1, 1))
    expect(joinActivity(null, null, perRun)).toBeNull()
  })
})
