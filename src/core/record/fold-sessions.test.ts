import { describe, expect, it } from 'vitest'
import type { EventBody, EventOf } from './events.ts'
import { fold } from './fold.ts'
import { recorded } from './testing/sample-events.ts'

const started = (sessionId: string): EventBody => ({
  type: 'session-started',
  ...{ sessionId, agent: 'claude', directory: '/w', tree: 'T0', sawStart: true },
})
const turn = (change: Partial<EventOf<'turn-judged'>> = {}): EventBody => ({
  type: 'turn-judged',
  ...{ sessionId: 's1', agent: 'claude', prompt: '1', mode: 'shadow', verdict: 'not_verified' },
  ...{ contradiction: true, blocked: false, wouldBlock: true, deferred: false, stopped: false },
  ...{ tree: 'T1', cached: false, taskId: null, comparisons: [], said: null, filesChanged: [] },
  ...{ filesChangedCount: 0, durationMs: 1, points: 0 },
  reasons: ['claimed "all tests pass", measured: 1 of 2 tests fail'],
  ...change,
})
const state = (...events: EventBody[]) => fold(recorded(events))

describe('a contradicted turn', () => {
  it.each<readonly [string, readonly EventBody[], number]>([
    ['is unreviewed, even in shadow mode', [turn()], 1],
    ['counts once per prompt, even if the contradiction repeats', [turn(), turn(), turn()], 1],
    ['counts again for a new prompt', [turn(), turn({ prompt: '2' })], 2],
    ['counts for each session', [turn(), started('s2'), turn({ sessionId: 's2' })], 2],
    ['stays when a later turn is verified', [turn(), turn({ verdict: 'verified', contradiction: false })], 1],
    ['is not counted if only a check fails', [turn({ contradiction: false })], 0],
    ['is reviewed with its session', [turn(), { type: 'session-seen', sessionId: 's1' }], 0],
    ['is not reviewed with another session', [turn(), { type: 'session-seen', sessionId: 's2' }], 1],
    [
      'is reviewed by its own id',
      [turn(), { type: 'contradictions-seen', ids: ['turn-2'], how: 'marked' }],
      0,
    ],
  ])('%s', (_title, events, count) => {
    expect(state(started('s1'), ...events).unreviewed.waiting).toHaveLength(count)
  })
})

describe('many sessions', () => {
  const many = Array.from({ length: 120 }, (_, at) => started(`other-${at}`))

  it('are kept up to a limit', () => {
    expect(state(...many).sessions).toHaveLength(50)
  })

  it('do not displace one that waits for the operator', () => {
    const { sessions } = state(started('s1'), turn({ stopped: true }), ...many)
    expect(sessions).toHaveLength(51)
    expect(sessions.at(-1)).toMatchObject({ sessionId: 's1', needsDecision: true })
  })

  it('are dropped after the operator has seen them', () => {
    const seen: EventBody = { type: 'session-seen', sessionId: 's1' }
    const { sessions } = state(started('s1'), turn({ stopped: true }), ...many, seen, started('last'))
    expect(sessions.some(({ sessionId }) => sessionId === 's1')).toBe(false)
  })
})
