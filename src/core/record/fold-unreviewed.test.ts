import { expect, test } from 'vitest'
import type { EventBody } from './events.ts'
import { fold } from './fold.ts'
import { attemptFinished, cycleStarted, recorded } from './testing/sample-events.ts'

const attempt = (attemptId: string, change: Parameters<typeof attemptFinished>[0] = {}): EventBody =>
  attemptFinished({ attemptId, ...change })
const lie = (attemptId: string): EventBody =>
  attempt(attemptId, {
    verdict: 'not_verified',
    fault: 'agent',
    points: -45,
    groundTruthContradiction: true,
  })
const raised = (type: 'check_rigged' | 'supervisor_touched' | 'tests_lost') =>
  ({ event_type: type, severity: 'critical', details: {} }) as const
const touched = (attemptId: string | null): EventBody => ({
  type: 'intervention-raised',
  cycle: 1,
  taskId: attemptId === null ? null : 'mail',
  intervention: {
    event_type: 'supervisor_touched',
    severity: 'critical',
    details: { asked_for: 'score.feedback', process: 'node (7)', attempt_id: attemptId },
  },
})
const overruled = (attemptId: string): EventBody => ({
  type: 'verdict-overruled',
  attemptId,
  taskId: 'mail',
  attemptDay: '2025-03-10',
  from: 'not_verified',
  fromContradiction: true,
  to: 'verified',
  reason: 'I looked',
  pointsDelta: 55,
})
const reviewed = (attemptId: string): EventBody => ({
  type: 'review-answered',
  attemptId,
  taskId: 'mail',
  attemptDay: '2025-03-10',
  answer: 'refuse',
  rigged: true,
  putBack: [],
  always: null,
  reason: null,
  points: -45,
})
const seen = (...ids: string[]): EventBody => ({ type: 'contradictions-seen', ids, how: 'marked' })
const unseen = (...ids: string[]): EventBody => ({ type: 'contradictions-unseen', ids })

const state = (...events: EventBody[]) => fold(recorded([cycleStarted(1), ...events]))
const waiting = (...events: EventBody[]) =>
  state(...events).unreviewed.waiting.map(({ id, because }) => `${id} ${because}`)

test.each<[string, EventBody[], string[]]>([
  ['verified work needs no review', [attempt('a1')], []],
  [
    'an honest failure needs no review',
    [attempt('a1', { verdict: 'not_verified', fault: 'agent', points: -15 })],
    [],
  ],
  ['lost tests alone need no review', [attempt('a1', { interventions: [raised('tests_lost')] })], []],
  ['a contradiction needs review', [lie('a1')], ['a1 contradiction']],
  [
    'a rigged check needs review, whatever the verdict',
    [attempt('a1', { interventions: [raised('check_rigged')] })],
    ['a1 check_rigged'],
  ],
  ['a refused request counts under its attempt', [touched('a1')], ['a1 supervisor_touched']],
  ['a refused request outside any attempt counts separately', [touched(null)], ['2-0 supervisor_touched']],
  [
    'an attempt counts once, as a contradiction',
    [touched('a1'), touched('a1'), lie('a1')],
    ['a1 contradiction'],
  ],
  [
    'each contradicted attempt counts',
    [lie('a1'), attempt('a2'), lie('a3')],
    ['a1 contradiction', 'a3 contradiction'],
  ],
  [
    'honest heartbeats do not review a contradiction',
    [lie('a1'), cycleStarted(2), attempt('a2')],
    ['a1 contradiction'],
  ],
  ['marking one as seen reviews only that one', [lie('a1'), lie('a2'), seen('a1')], ['a2 contradiction']],
  ['an overruled contradiction is reviewed', [lie('a1'), overruled('a1')], []],
  [
    'an answered attempt is reviewed, even with a rigged check',
    [attempt('a1', { interventions: [raised('check_rigged')] }), reviewed('a1')],
    [],
  ],
  [
    'undoing a review restores the old position',
    [lie('a1'), lie('a2'), seen('a1'), unseen('a1')],
    ['a1 contradiction', 'a2 contradiction'],
  ],
  [
    'undoing the review of a refused request does not count its attempt twice',
    [touched('a1'), seen('a1'), lie('a1'), unseen('a1')],
    ['a1 contradiction'],
  ],
  ['marking as seen before it happens reviews nothing', [seen('a1'), lie('a1')], ['a1 contradiction']],
  ['undoing a review that never happened adds nothing', [lie('a1'), unseen('a2')], ['a1 contradiction']],
])('%s', (_title, events, expected) => {
  expect(waiting(...events)).toEqual(expected)
})

test('keeps the oldest contradictions when hundreds of others follow', () => {
  const ids = Array.from({ length: 250 }, (_, index) => `a${index}`)
  const { unreviewed } = state(...ids.map(lie))
  expect(unreviewed.waiting).toHaveLength(200)
  expect(unreviewed.waiting[0]?.id).toBe('a0')
})

test('changes neither score nor standing on review', () => {
  const before = state(lie('a1'))
  const after = state(lie('a1'), seen('a1'))
  expect(after.score).toEqual(before.score)
  expect(after.standing).toEqual(before.standing)
})
