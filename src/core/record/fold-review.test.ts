import { describe, expect, it } from 'vitest'
import { blockReason } from '../pacing/unblock.ts'
import type { EventBody } from './events.ts'
import { fold } from './fold.ts'
import { attemptFinished, contractRead, cycleStarted, recorded, sampleTask } from './testing/sample-events.ts'

const DAY = '2025-03-10'
const OF = { taskId: 'mail', attemptDay: DAY, agentId: 'claude' }

function held(attemptId: string): EventBody {
  const side = { verdict: null, reasons: [] }
  return attemptFinished({
    attemptId,
    taskId: 'mail',
    verdict: 'unclear',
    points: 0,
    held: { id: attemptId, because: 'clean-room', files: ['a'], inPlace: side, cleanRoom: side, with: null },
  })
}

const LIE = attemptFinished({
  attemptId: 'lie',
  taskId: 'mail',
  verdict: 'not_verified',
  groundTruthContradiction: true,
  points: -45,
})

const answered = (attemptId: string, rigged: boolean): EventBody => ({
  type: 'review-answered',
  ...OF,
  attemptId,
  answer: 'refuse',
  rigged,
  putBack: [],
  always: null,
  reason: null,
  points: rigged ? -45 : -15,
})

const undone = (attemptId: string, change: { from?: 'verified'; fromContradiction?: boolean } = {}) =>
  ({
    type: 'review-undone',
    ...OF,
    attemptId,
    from: 'not_verified',
    fromContradiction: true,
    points: -45,
    ...change,
  }) satisfies EventBody

const overruled = (attemptId: string): EventBody => ({
  type: 'verdict-overruled',
  attemptId,
  taskId: 'mail',
  attemptDay: DAY,
  from: 'not_verified',
  fromContradiction: true,
  to: 'verified',
  reason: 'I looked',
  pointsDelta: 55,
})

const breaker = (state: 'open' | 'closed'): EventBody => ({
  type: 'breaker-changed',
  agentId: 'claude',
  state,
  reason: 'as it is',
})

function countedAfter(...bodies: EventBody[]): [number | undefined, number | undefined] {
  const events = recorded([contractRead('h1', 'mail'), cycleStarted(1), held('a'), ...bodies], DAY)
  const profile = fold(events).profiles.claude
  return [profile?.counted.falseCompletions, profile?.breaker.seen.falseCompletions]
}

describe('what the circuit breaker counts for rigged work', () => {
  it('counts one contradiction, however often the answer is repeated', () => {
    expect(countedAfter(answered('a', true))).toEqual([1, 0])
    expect(countedAfter(answered('a', true), undone('a'))).toEqual([0, 0])
    expect(countedAfter(answered('a', true), undone('a'), answered('a', true))).toEqual([1, 0])
  })

  it('counts one contradiction, even if it was overruled before the answer was undone', () => {
    const back = undone('a', { from: 'verified', fromContradiction: false })
    const until = [answered('a', true), overruled('a'), back]
    expect(countedAfter(...until)).toEqual([0, 0])
    expect(countedAfter(...until, answered('a', true))).toEqual([1, 0])
    // Rejecting the liar's work as rigged again changes nothing.
    expect(countedAfter(...until, answered('a', true), LIE)).toEqual([2, 0])
  })

  it('counts nothing after the breaker was reset: undoing an answer then hides no later contradiction', () => {
    const closed = [answered('a', true), breaker('open'), breaker('closed')]
    expect(countedAfter(...closed, undone('a'))).toEqual([0, 0])
    expect(countedAfter(...closed, LIE, undone('a'))).toEqual([1, 0])
    expect(countedAfter(...closed, { type: 'interventions-reset' }, LIE, undone('a'))).toEqual([1, 0])
  })

  it('excludes work that was refused but not rigged', () => {
    expect(countedAfter(LIE, answered('a', false), undone('a', { fromContradiction: false }))).toEqual([1, 0])
  })

  it('does not count again in a breaker that has counted it, but the next lie does', () => {
    const again = [answered('a', true), breaker('open'), undone('a'), answered('a', true)]
    expect(countedAfter(...again)).toEqual([1, 1])
    expect(countedAfter(...again, LIE)).toEqual([2, 1])
  })
})

describe('a task with held work', () => {
  const read = (hash: string, checked: boolean) =>
    ({
      ...contractRead(hash),
      type: 'contract-read',
      hash,
      tasks: [sampleTask('mail', { checked })],
    }) satisfies EventBody
  const ticked = [read('h2', true), cycleStarted(2), read('h3', false), cycleStarted(3)]
  const taskAfter = (...bodies: EventBody[]) =>
    fold(recorded([contractRead('h1', 'mail'), cycleStarted(1), ...bodies], DAY)).progress.tasks.mail

  it('waits for the answer, even if its box was checked and unchecked in between', () => {
    expect(taskAfter(held('a'), cycleStarted(2))).toMatchObject({ status: 'pending', waiting: 'review' })
    expect(taskAfter(held('a'), read('h2', true), cycleStarted(2))).toMatchObject({ status: 'verified' })
    expect(taskAfter(held('a'), ...ticked)).toMatchObject({ status: 'pending', waiting: 'review' })
  })

  it('runs again after the answer, as does a task whose box was checked without held work', () => {
    expect(taskAfter(held('a'), answered('a', false), ...ticked)?.waiting).toBeUndefined()
    expect(taskAfter(...ticked)).toMatchObject({ status: 'pending' })
    expect(taskAfter(...ticked)?.waiting).toBeUndefined()
  })
})

describe('feedback about held work', () => {
  const rigged = {
    event_type: 'protected_files_changed',
    severity: 'critical',
    details: { files: ['a'] },
  } as const
  const work: EventBody = {
    ...held('a'),
    ...{
      result: {
        ...(held('a') as Extract<EventBody, { type: 'attempt-finished' }>).result,
        interventions: [rigged],
      },
    },
  } as EventBody
  const messages = (...bodies: readonly EventBody[]): readonly string[] =>
    fold(recorded([contractRead('h1', 'mail'), cycleStarted(1), work, ...bodies], DAY)).feedback.map(
      ({ text }) => text,
    )

  it('is dropped when the operator accepts it, and kept when they refuse it', () => {
    expect(messages()).toHaveLength(1)
    expect(messages({ ...answered('a', false), answer: 'accept', points: 10 } as EventBody)).toEqual([])
    expect(messages(answered('a', false))).toHaveLength(1)
  })
})

describe('the reason of a refusal', () => {
  const refused: EventBody = { ...answered('a', false), reason: 'No tests' } as EventBody
  const notesAfter = (...bodies: EventBody[]) =>
    fold(recorded([contractRead('h1', 'mail'), cycleStarted(1), held('a'), ...bodies], DAY)).notes.map(
      ({ text }) => text,
    )
  const back = undone('a', { fromContradiction: false })

  it('waits for the next prompt, unless the answer is undone', () => {
    expect(notesAfter(refused)).toEqual(['No tests'])
    expect(notesAfter(refused, back)).toEqual([])
  })

  it('is sent once if the work is refused again', () => {
    expect(notesAfter(refused, back, refused)).toEqual(['No tests'])
  })
})

describe('the history of a task whose held work was refused', () => {
  const entriesAfter = (...bodies: EventBody[]) => {
    const events = recorded([contractRead('h1', 'mail'), cycleStarted(1), held('a'), ...bodies], DAY)
    return fold(events).tasks.mail?.entries ?? []
  }

  it('counts that attempt, so that the reason of a block adds up', () => {
    const failed = attemptFinished({
      attemptId: 'b',
      taskId: 'mail',
      verdict: 'not_verified',
      fault: 'agent',
    })
    const reason = blockReason(entriesAfter(answered('a', false), failed), { attempts: 2, maxAttempts: 2 })
    expect(reason).toBe('2 of 2 attempts failed: 2 not verified')
  })

  it('shows it as held again if the answer is undone', () => {
    const [entry] = entriesAfter(answered('a', false), undone('a', { fromContradiction: false }))
    expect(entry).toMatchObject({ verdict: 'unclear', fault: null })
  })
})
