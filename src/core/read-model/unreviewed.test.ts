import { expect, test } from 'vitest'
import type { EventBody } from '../record/events.ts'
import { fold } from '../record/fold.ts'
import { attemptFinished, cycleStarted, recorded } from '../record/testing/sample-events.ts'
import { SHIELDS } from '../vocabulary/standing.ts'
import { shieldDrawn, unreviewedCount } from '../vocabulary/unreviewed.ts'
import { needs } from './need.ts'
import { unreviewedViews } from './unreviewed.ts'

const lie = (attemptId: string, points: number): EventBody =>
  attemptFinished({
    attemptId,
    verdict: 'not_verified',
    fault: 'agent',
    points,
    groundTruthContradiction: true,
    comparisons: [{ subject: 'drafts', claimed: '3', measured: '0', agrees: false }],
  })
const touched = (attributed: boolean): EventBody => ({
  type: 'intervention-raised',
  cycle: 1,
  taskId: null,
  intervention: {
    event_type: 'supervisor_touched',
    severity: 'critical',
    details: { asked_for: 'score.feedback', process: 'node (7)', ...(!attributed && { attributed }) },
  },
})
const state = (...events: EventBody[]) => fold(recorded([cycleStarted(1), ...events]))
const turn: EventBody = {
  type: 'turn-judged',
  ...{ sessionId: 's1', agent: 'claude', prompt: '1', mode: 'shadow', verdict: 'not_verified' },
  ...{ contradiction: true, blocked: false, wouldBlock: true, deferred: false, stopped: false },
  ...{ tree: 'T1', cached: false, taskId: null, comparisons: [], said: null, filesChanged: [] },
  ...{ filesChangedCount: 0, durationMs: 1, points: 0 },
  reasons: ['claimed "all tests pass", measured: 1 of 2 tests fail'],
}
const FACTS = { id: 'w', trust: 'approved', permissions: [], notices: [] } as const

test('puts the most serious first, on a tie the latest', () => {
  const ids = unreviewedViews(state(lie('a1', -15), lie('a2', -45), lie('a3', -45))).map(({ id }) => id)
  expect(ids).toEqual(['a3', 'a2', 'a1'])
})

test.each<[string, EventBody[], { count: number; others?: number; reason: string } | null]>([
  ['no contradictions need no review', [], null],
  [
    'a contradiction in a session shows claim and measurement',
    [turn],
    {
      count: 1,
      reason:
        '1 contradiction, not reviewed. Claude Code, in a session: claimed "all tests pass", measured: 1 of 2 tests fail.',
    },
  ],
  [
    'a contradiction shows what was claimed',
    [lie('a1', -15)],
    { count: 1, reason: '1 contradiction, not reviewed. mail claimed drafts 3, measured 0.' },
  ],
  [
    'several become one decision with a count',
    [lie('a1', -15), lie('a2', -15), touched(true)],
    {
      count: 3,
      others: 1,
      reason:
        '2 contradictions and 1 other finding, not reviewed. The latest: A process of the agent (node (7)) asked for score.feedback and was refused.',
    },
  ],
  [
    'a request that may be the operator’s doesn’t accuse the agent',
    [touched(false)],
    {
      count: 1,
      others: 1,
      reason:
        '1 finding, not reviewed. A program that may be yours or the agent’s (node (7)) asked for score.feedback and was refused.',
    },
  ],
])('%s', (_title, events, expected) => {
  const asked = needs(state(...events), FACTS).filter(({ kind }) => kind === 'contradiction')
  expect(asked).toEqual(
    expected === null
      ? []
      : [{ kind: 'contradiction', workspace: 'w', id: 'w', action: 'View', ...expected }],
  )
})

test('draws no check mark and no star while one is unreviewed, and keeps every other glyph', () => {
  const drawn = SHIELDS.map((level) => shieldDrawn(level, 1))
  expect(drawn).toEqual(
    SHIELDS.map((level) => (['good', 'excellent', 'outstanding'].includes(level) ? 'none' : level)),
  )
  expect(SHIELDS.map((level) => shieldDrawn(level, 0))).toEqual([...SHIELDS])
})

test.each([
  [0, 0, ''],
  [1, 0, '1 contradiction, not reviewed'],
  [2, 0, '2 contradictions, not reviewed'],
  [3, 1, '2 contradictions and 1 other finding, not reviewed'],
  [3, 2, '1 contradiction and 2 other findings, not reviewed'],
  [1, 1, '1 finding, not reviewed'],
  [2, 2, '2 findings, not reviewed'],
])('writes %d, of which %d are no contradictions, as %j', (count, others, words) => {
  expect(unreviewedCount(count, others)).toBe(words)
})
