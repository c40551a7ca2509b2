import { describe, expect, it } from 'vitest'
import { joinActivity } from '../activity/join.ts'
import { sampleActivity as activity, sampleUsage as usage } from '../activity/testing/sample-activity.ts'
import { resumedFigures } from './own-report.ts'

describe('an attempt of two turns', () => {
  // How the programs were observed to count: 1,000 tokens and 1 cent in each of two turns.
  it.each([
    ['claude', 'command', usage(1000, 0.02)],
    ['codex', 'command', usage(2000, null)],
    ['gemini', 'command', usage(1000, null)],
    ['opencode', 'command', usage(1000, 0.01)],
    ['claude', 'acp', usage(1000, 0.02)],
    ['codex', 'acp', usage(2000, 0.02)],
    ['opencode', 'acp', usage(1000, 0.02)],
  ] as const)('costs twice as much as one turn, however %s (%s) counts', (preset, kind, second) => {
    const costUsd = second.costUsd === null ? null : 0.01
    const joined = joinActivity(
      activity({ usage: usage(1000, costUsd) }),
      activity({ usage: second }),
      resumedFigures({ kind, preset, stream: null }),
    )
    expect(joined?.usage).toEqual(usage(2000, costUsd === null ? null : 0.02))
  })
})
