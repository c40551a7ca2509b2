import { describe, expect, it } from 'vitest'
import type { AttemptResult, EventBody, EventOf, JudgedWork } from './events.ts'
import { fold } from './fold.ts'
import { taskHistory } from './fold-task-history.ts'
import type { TaskHistory } from './state.ts'
import { attemptFinished, contractRead, cycleStarted, doneClaim, recorded } from './testing/sample-events.ts'

const INBOX = 'notes/inbox.md'
const RESTING = [{ path: INBOX, sha256: 'abc' }]
const DONE = doneClaim(INBOX)
const VERIFIED = { claim: DONE, restsOn: RESTING }
const REFUTED = { claim: DONE, verdict: 'not_verified', fault: 'agent', points: -15 } as const
const STANDS = { claim: DONE, filesChanged: [], heldBefore: true, points: 0 }

const attempt = (attemptId: string, change: Partial<AttemptResult> = {}): EventBody =>
  attemptFinished({ attemptId, taskId: 'mail', filesChanged: [INBOX], ...change })

function overruled(
  attemptId: string,
  to: EventOf<'verdict-overruled'>['to'],
  work?: Partial<JudgedWork>,
): Extract<EventBody, { type: 'verdict-overruled' }> {
  return {
    type: 'verdict-overruled',
    attemptId,
    taskId: 'mail',
    attemptDay: '2025-03-10',
    from: null,
    fromContradiction: false,
    to,
    reason: 'I looked',
    pointsDelta: 0,
    ...(work !== undefined && {
      work: { files: [INBOX], refuted: to === 'not_verified', restsOn: null, ...work },
    }),
  }
}

const historyAfter = (...bodies: EventBody[]): TaskHistory =>
  taskHistory(fold(recorded([contractRead('h1', 'mail', 'chart'), cycleStarted(1), ...bodies])), 'mail')

describe('work that the operator called not verified', () => {
  it('counts as contradicted, and leaves no verdict that later attempts can rely on', () => {
    const history = historyAfter(attempt('a', VERIFIED), overruled('a', 'not_verified', {}))
    expect(history).toMatchObject({ finished: [], refuted: [INBOX] })
    expect(history.restsOn).toBeUndefined()
  })

  it('does not change a later verdict', () => {
    const later = [attempt('a', VERIFIED), attempt('b', VERIFIED)]
    const history = historyAfter(...later, overruled('a', 'not_verified', { files: [] }))
    expect(history).toMatchObject({ finished: [INBOX], refuted: [], restsOn: { files: RESTING } })
  })

  it('neither counts as finished nor leaves a verdict that later attempts can rely on if it is unclear', () => {
    const history = historyAfter(attempt('a', VERIFIED), overruled('a', 'unclear', {}))
    expect(history).toMatchObject({ finished: [INBOX], refuted: [] })
    expect(history.restsOn).toBeUndefined()
  })
})

describe('work that the operator called verified', () => {
  it('counts as finished, together with the files as the operator saw them', () => {
    const history = historyAfter(attempt('a', REFUTED), overruled('a', 'verified', { restsOn: RESTING }))
    expect(history).toMatchObject({ finished: [INBOX], refuted: [], restsOn: { files: RESTING } })
  })

  it('keeps its verdict if it left no file, as long as attempts only repeat the claim', () => {
    const events = [
      attempt('a', { ...REFUTED, filesChanged: [] }),
      overruled('a', 'verified', { files: [], restsOn: [] }),
      attempt('b', STANDS),
    ]
    expect(historyAfter(...events)).toMatchObject({ restsOn: { files: [] } })
    expect(historyAfter(...events, attempt('c', REFUTED)).restsOn).toBeUndefined()
    expect(historyAfter(...events, attempt('c', { claim: DONE })).restsOn).toBeUndefined()
  })

  it('does not affect a later verdict', () => {
    const later = [attempt('a', REFUTED), attempt('b', REFUTED)]
    expect(
      historyAfter(...later, overruled('a', 'verified', { files: [], restsOn: RESTING })).restsOn,
    ).toBeUndefined()
  })
})

it('is not affected by events of older versions, which do not mention it', () => {
  expect(historyAfter(attempt('a', VERIFIED), overruled('a', 'not_verified'))).toMatchObject({
    finished: [INBOX],
    restsOn: { files: RESTING },
  })
  expect(historyAfter(attempt('a', REFUTED), overruled('a', 'verified'))).toMatchObject({ refuted: [INBOX] })
})

describe('overruling held work', () => {
  const held: AttemptResult['held'] = {
    id: 'a',
    because: 'check',
    files: [INBOX],
    inPlace: { verdict: 'verified', reasons: [] },
    cleanRoom: { verdict: null, reasons: [] },
    with: null,
  }
  const stateAfter = (...bodies: EventBody[]) =>
    fold(recorded([contractRead('h1', 'mail', 'chart'), cycleStarted(1), ...bodies]))
  const waiting = attempt('a', { claim: DONE, verdict: 'unclear', points: 0, held })

  it('counts it once, removes it from the waiting work, and shows that it was unclear', () => {
    const state = stateAfter(waiting, {
      ...overruled('a', 'verified', { restsOn: RESTING }),
      pointsDelta: 10,
    })
    expect(state.score.today).toMatchObject({ score: 10, verifiedCount: 1, unclearCount: 0, judgedCount: 1 })
    expect(state.held).toEqual([])
    expect(state.progress.tasks.mail).toMatchObject({ status: 'verified', attempts: 0 })
    expect(state.attempts[0]?.overruled).toMatchObject({ from: 'unclear' })
  })

  it('uses up an attempt if it is overruled to not verified, as a review does', () => {
    const state = stateAfter(waiting, { ...overruled('a', 'not_verified', {}), pointsDelta: -15 })
    expect(state.score.today).toMatchObject({ score: -15, failedCount: 1, unclearCount: 0, judgedCount: 1 })
    expect(state.progress.tasks.mail).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('adds its day to the archive', () => {
    const before = recorded([contractRead('h1', 'mail'), cycleStarted(1), waiting])
    const after = recorded([overruled('a', 'verified', { restsOn: RESTING })], '2025-03-11', 9)
    const { score } = fold([...before, ...after])
    expect(score.history).toMatchObject([{ date: '2025-03-10', verifiedCount: 1, judgedCount: 1 }])
  })
})
