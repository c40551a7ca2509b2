import { describe, expect, test } from 'vitest'
import { KEPT_LANDINGS } from '../record/fold-landing.ts'
import { type LandingRecord, landingRecordSchema } from '../record/landing-record.ts'
import type { AttemptSummary, LandingEntry } from '../record/state.ts'
import {
  afterAnswer,
  afterJudgement,
  afterLandingElsewhere,
  afterVerdict,
  answersFor,
  isBranchShared,
  isJudged,
  missedAttempts,
  type StandingAttempt,
  stepFor,
} from './steps.ts'

const ENTRY: LandingRecord = landingRecordSchema.parse({
  attemptId: '1-1-abcd',
  taskId: 'fix',
  description: 'Fix it',
  state: 'queued',
  target: 'main',
  base: 'b',
  source: 's',
  verifiedTree: 'T',
  tree: 'T',
  commit: null,
  because: 'It is verified',
  verified: true,
})
const VERIFIED: StandingAttempt = { verdict: 'verified', review: null, overruled: null, feedback: null }
const overruled = { from: 'verified', reason: 'no', at: '' } as const
const review = (answer: 'accept' | 'refuse' | null): StandingAttempt['review'] => ({
  because: 'check',
  files: [],
  with: null,
  answer: answer === null ? null : { answer, rigged: false, at: '' },
})

test('drops work that another host has landed, holds it if it is requested again, and lands it if the operator says so', () => {
  const step = (entry: LandingRecord, answer: 'land' | 'retry'): LandingRecord => {
    const after = afterAnswer(entry, answer)
    if ('refusal' in after) throw new Error(after.refusal)
    return { ...entry, ...after.change }
  }
  const dropped = { ...ENTRY, ...afterLandingElsewhere(ENTRY, 'Another host landed fix') }
  expect(dropped).toMatchObject({ state: 'dropped', verified: true, because: 'Another host landed fix' })
  const held = step(dropped, 'retry')
  expect(held).toMatchObject({ state: 'held', because: 'Another host landed fix' })
  expect(step(held, 'land')).toMatchObject({ state: 'queued', approved: true })
})

describe('a changed verdict', () => {
  test.each<[string, Partial<LandingRecord>, Partial<StandingAttempt>, Partial<LandingRecord> | null]>([
    ['is unchanged: nothing happens', {}, {}, null],
    [
      'is overruled: dropped',
      {},
      { verdict: 'not_verified', overruled },
      { state: 'dropped', verified: false },
    ],
    [
      'is overruled after a conflict: dropped too',
      { state: 'conflict' },
      { verdict: 'not_verified', overruled },
      { state: 'dropped', verified: false },
    ],
    [
      'is overruled after a drop: no retry',
      { state: 'dropped' },
      { verdict: 'not_verified', overruled },
      { state: 'dropped', verified: false, because: 'It is verified' },
    ],
    [
      'is overruled after landing: stays landed',
      { state: 'landed' },
      { verdict: 'not_verified', overruled },
      null,
    ],
    [
      'is overruled while it may have landed: the target is asked first',
      { candidate: 'c' },
      { verdict: 'not_verified', overruled },
      null,
    ],
    ['is undone: dropped', {}, { undone: { at: '', files: 1 } }, { state: 'dropped', verified: false }],
    ['is rated down: waits for the operator', {}, { feedback: 'down' }, { state: 'held', isDisliked: true }],
    [
      'is rated down after the operator asked to land it: continues',
      { approved: true },
      { feedback: 'down' },
      null,
    ],
    ['is rated up: continues', {}, { feedback: 'up' }, null],
    [
      'loses its down rating: queued',
      { state: 'held', isDisliked: true, because: 'You rated it down' },
      {},
      { state: 'queued', isDisliked: false },
    ],
    [
      'is held for another reason with the same text: waits',
      { state: 'held', because: 'You rated it down' },
      {},
      null,
    ],
    [
      'is held and accepted: queued',
      { verified: false, state: 'held' },
      { review: review('accept') },
      { verified: true, state: 'queued' },
    ],
    [
      'is held and not answered: waits',
      { verified: false, state: 'held' },
      { verdict: 'unclear', review: review(null) },
      null,
    ],
    [
      'is held and overruled to verified: queued',
      { verified: false, state: 'held' },
      { review: review(null), overruled },
      { verified: true, state: 'queued' },
    ],
    [
      'is verified again after the operator dropped it: stays dropped',
      { verified: false, state: 'dropped', isDropped: true },
      {},
      { verified: true },
    ],
    [
      'is verified again after being held for another problem: held again',
      { verified: false, state: 'dropped', heldFor: { because: 'Hooks', heldTree: 'H', isDisliked: false } },
      {},
      { verified: true, state: 'held', because: 'Hooks', heldTree: 'H', heldFor: null },
    ],
    [
      'is accepted while also held for another problem: stays held',
      { verified: false, state: 'held', heldFor: { because: 'Hooks', heldTree: null, isDisliked: false } },
      { review: review('accept') },
      { verified: true, state: 'held', because: 'Hooks' },
    ],
    [
      'is overruled while it is held: remembers why',
      { state: 'held', because: 'Hooks', heldTree: 'H' },
      { verdict: 'not_verified', overruled },
      { state: 'dropped', heldTree: null, heldFor: { because: 'Hooks', heldTree: 'H', isDisliked: false } },
    ],
    [
      'is held and refused: dropped',
      { verified: false, state: 'held' },
      { verdict: 'not_verified', review: review('refuse') },
      { state: 'dropped' },
    ],
  ])('%s', (_name, entry, attempt, expected) => {
    const change = afterVerdict({ ...ENTRY, ...entry }, { ...VERIFIED, ...attempt })
    if (expected === null) expect(change).toBeNull()
    else expect(change).toMatchObject(expected)
  })

  test('back to verified does not requeue work that the operator dropped', () => {
    const dropped = { ...ENTRY, verified: false, state: 'dropped', isDropped: true } as const
    expect(afterVerdict(dropped, VERIFIED)).toEqual({ verified: true })
  })
})

describe("the operator's answer", () => {
  test.each<[string, Partial<LandingRecord>, 'land' | 'drop' | 'retry', Partial<LandingRecord> | RegExp]>([
    [
      'land approves the work',
      { state: 'waiting', waitsFor: 'operator' },
      'land',
      { state: 'queued', approved: true, waitsFor: null },
    ],
    ['landing unverified work is refused', { verified: false }, 'land', /only verified work lands/],
    ['landing dropped work is refused', { state: 'dropped' }, 'land', /was dropped/],
    [
      'land accepts the held tree',
      { state: 'held', heldTree: 'H' },
      'land',
      { judged: ['H'], heldTree: null },
    ],
    [
      'retry does not accept the held tree',
      { state: 'held', heldTree: 'H' },
      'retry',
      { heldTree: null, approved: false },
    ],
    [
      'retrying work that is rated down is refused',
      { state: 'held', isDisliked: true },
      'retry',
      /rated 1-1-abcd down.*landing land 1-1-abcd/,
    ],
    [
      'landing work that is rated down approves it',
      { state: 'held', isDisliked: true },
      'land',
      { state: 'queued', approved: true, isDisliked: false },
    ],
    ['retrying work held for another reason queues it', { state: 'held' }, 'retry', { state: 'queued' }],
    ['land accepts the merged result', { state: 'landed', differs: true }, 'land', { differs: false }],
    ['landing work that has landed is refused', { state: 'landed' }, 'land', /has landed/],
    ['dropping work that has landed is refused', { state: 'landed', differs: true }, 'drop', /has landed/],
    [
      'drop withdraws the approval',
      { state: 'waiting', approved: true },
      'drop',
      { state: 'dropped', approved: false },
    ],
    [
      'retry after a drop asks again',
      { state: 'dropped', approved: true },
      'retry',
      { state: 'queued', approved: false },
    ],
    [
      'retrying approved work that waits keeps the approval',
      { state: 'waiting', approved: true },
      'retry',
      { approved: true },
    ],
  ])('%s', (_name, entry, answer, expected) => {
    const after = afterAnswer({ ...ENTRY, ...entry }, answer)
    if (expected instanceof RegExp) expect('refusal' in after ? after.refusal : '').toMatch(expected)
    else expect('change' in after ? after.change : null).toMatchObject(expected)
  })

  test('keeps held work held after drop and retry', () => {
    const before = { ...ENTRY, state: 'held', heldTree: 'H', because: 'Hooks' } as const
    const dropped = afterAnswer(before, 'drop')
    expect(dropped).toMatchObject({ change: { state: 'dropped', heldTree: null } })
    const now = { ...before, ...('change' in dropped && dropped.change) }
    const back = afterAnswer(now, 'retry')
    expect({ ...now, ...('change' in back && back.change) }).toEqual(before)
  })

  test('leaves the judged trees unchanged on retry', () => {
    const after = afterAnswer({ ...ENTRY, state: 'held', heldTree: 'H' }, 'retry')
    expect('change' in after && 'judged' in after.change).toBe(false)
  })
})

test.each<[string, Partial<LandingRecord>, readonly string[]]>([
  ['queued', {}, ['land', 'drop']],
  ['being judged', { state: 'judging' }, ['land', 'drop']],
  ['waiting for the operator', { state: 'waiting', waitsFor: 'operator' }, ['land', 'drop']],
  ['waiting for a clean tree', { state: 'waiting', waitsFor: 'clean-tree' }, ['land', 'retry', 'drop']],
  ['in conflict', { state: 'conflict' }, ['retry', 'land', 'drop']],
  ['held', { state: 'held' }, ['retry', 'land', 'drop']],
  ['held because it was rated down', { state: 'held', isDisliked: true }, ['land', 'drop']],
  ['held and not verified', { state: 'held', verified: false }, ['drop']],
  ['dropped', { state: 'dropped' }, ['retry']],
  ['dropped and not verified', { state: 'dropped', verified: false }, []],
  ['landed', { state: 'landed' }, []],
  ['landed with different contents', { state: 'landed', differs: true }, ['land']],
])('offers the answers that change something for work that is %s', (_name, entry, answers) => {
  expect(answersFor({ ...ENTRY, ...entry })).toEqual(answers)
})

describe('judging the tree that would land', () => {
  const reasons = ['greeting.txt is missing']
  test.each<[string, string, Parameters<typeof afterJudgement>[2], object]>([
    ['verified', 'T2', { verdict: 'verified', held: null, reasons }, { change: { judged: ['T2'] } }],
    [
      'held',
      'T2',
      { verdict: 'unclear', held: 'look', reasons },
      { change: { state: 'held', heldTree: 'T2' } },
    ],
    [
      'unclear',
      'T2',
      { verdict: 'unclear', held: null, reasons },
      { change: { state: 'waiting', waitsFor: 'checks' } },
    ],
    [
      'fails together with the target',
      'T2',
      { verdict: 'not_verified', held: null, reasons },
      { conflict: expect.stringContaining('together with main') },
    ],
    [
      'fails by itself',
      'T',
      { verdict: 'not_verified', held: null, reasons },
      {
        change: {
          state: 'held',
          heldTree: null,
          because: expect.stringContaining('Git ignores the files it made'),
        },
      },
    ],
  ])('%s', (_name, tree, judgement, expected) => {
    expect(afterJudgement(ENTRY, tree, judgement)).toMatchObject(expected)
  })

  test.each([
    ['everything that was judged with the attempt', { isWhole: true }, 'T', true],
    ['part of what was judged with the attempt', { isWhole: false }, 'T', false],
    ['another tree', { isWhole: true }, 'T2', false],
    ['a combination that was judged', { judged: ['T2'] }, 'T2', true],
  ])('is needed or not: %s', (_name, entry, tree, expected) => {
    expect(isJudged({ ...ENTRY, ...entry }, tree)).toBe(expected)
  })
})

test.each([
  ['ask', false, 'ask'],
  ['ask', true, 'move'],
  ['auto', false, 'move'],
  ['branch', false, 'publish'],
  ['pull-request', false, 'publish'],
  ['pull-request', true, 'move'],
] as const)('mode %s, approved %s: %s', (mode, approved, step) => {
  expect(stepFor(mode, { approved })).toBe(step)
})

describe('work that never reached the queue', () => {
  const attempt = (attemptId: string, change: object = {}): AttemptSummary =>
    ({ ...VERIFIED, attemptId, startedAt: '2025-03-10T10:00:00Z', ...change }) as AttemptSummary
  const nowMs = Date.parse('2025-03-11T10:00:00Z')
  const landed = (attemptId: string): LandingEntry => ({
    ...ENTRY,
    attemptId,
    state: 'landed',
    at: '',
    since: '',
  })

  test('is verified or held and missing from the queue, in any heartbeat', () => {
    const attempts = [
      attempt('9-1-a'),
      attempt('8-1-a', { verdict: 'not_verified' }),
      attempt('7-1-a', { verdict: 'unclear', review: review(null) }),
      attempt('2-1-a'),
      attempt('1-1-a'),
    ]
    expect(missedAttempts({ attempts, landings: [landed('2-1-a')] }, nowMs)).toEqual([
      '9-1-a',
      '7-1-a',
      '1-1-a',
    ])
  })

  test('excludes work whose landing was so long ago that it is no longer recorded', () => {
    const landings = Array.from({ length: KEPT_LANDINGS }, (_, at) => landed(`${1000 - at}-1-a`))
    const oldest = `${1000 - KEPT_LANDINGS + 1}-1-a`
    const attempts = [attempt('1001-1-a'), attempt(oldest), attempt('1-1-a')]
    expect(missedAttempts({ attempts, landings }, nowMs)).toEqual(['1001-1-a'])
  })

  test('excludes work that is older than what git keeps', () => {
    const attempts = [attempt('1-1-a', { startedAt: '2025-02-01T10:00:00Z' })]
    expect(missedAttempts({ attempts, landings: [] }, nowMs)).toEqual([])
  })
})

test('shares a branch with open work that is on it, not with closed work', () => {
  const one = { ...ENTRY, branch: 'x', published: 'c' }
  const other = { ...one, attemptId: '2-1-abcd', state: 'waiting' as const }
  expect(isBranchShared(one, [one, other])).toBe(true)
  expect(isBranchShared(one, [one, { ...other, state: 'dropped' }])).toBe(false)
  expect(isBranchShared(one, [one, { ...other, branch: 'y' }])).toBe(false)
})
