import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gateCheck, probeCheck } from '../../../core/judgement/check-names.ts'
import {
  earlierAttempts,
  MAX_EVENTS_LOOKED_BACK,
  recordedAnswers,
} from '../../../core/judgement/earlier-answers.ts'
import { timestamp } from '../../../core/pacing/schedule.ts'
import type { AttemptResult, EventBody } from '../../../core/record/events.ts'
import { cycleStarted } from '../../../core/record/testing/sample-events.ts'
import { systemClock } from '../../host/system-clock.ts'
import { openLedger } from '../../ledger/ledger.ts'
import { finishedAttempt } from '../../ledger/testing/sample-events.ts'

const GATE = gateCheck(['sh', '-c', `${': '.repeat(200)}test -s count.txt`])
const ANSWERED = [probeCheck('mail'), probeCheck('unread'), GATE]
const APPROVED: EventBody = { type: 'configuration-approved', hash: 'h' }

/** What attempt number `number` left, each in its own run. */
function attempt(number: number, change: Partial<AttemptResult> = {}): EventBody {
  const startedAt = `2026-03-01T10:0${number}:00.000+01:00`
  return finishedAttempt(`a${number}`, { taskId: 'mail', verdict: 'unclear', startedAt, ...change })
}

function held(number: number): EventBody {
  const side = { verdict: null, reasons: [] }
  const id = `a${number}`
  return attempt(number, {
    held: { id, because: 'clean-room', files: ['a'], inPlace: side, cleanRoom: side, with: null },
  })
}

function reviewed(number: number, answer: 'accept' | 'refuse'): EventBody {
  const of = { attemptId: `a${number}`, taskId: 'mail', attemptDay: '2026-03-01' }
  return {
    type: 'review-answered',
    ...of,
    answer,
    rigged: false,
    putBack: [],
    always: null,
    reason: null,
    points: 0,
  }
}

const OVERRULED: EventBody = {
  type: 'verdict-overruled',
  attemptId: 'a1',
  taskId: 'mail',
  attemptDay: '2026-03-01',
  from: 'unclear',
  fromContradiction: false,
  to: 'not_verified',
  reason: 'I looked',
  pointsDelta: 0,
}

async function earlierIn(...events: EventBody[]) {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-earlier-'))
  const ledger = await openLedger({
    directory,
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    localDay: () => '2026-03-01',
    timestamp: (ms) => timestamp(ms, 'UTC'),
  })
  onTestFinished(async () => {
    await ledger.close()
    await rm(directory, { recursive: true })
  })
  await ledger.append(cycleStarted(1), ...events)
  const { attemptIds, sinceSeq } = earlierAttempts(ledger.state, 'mail')
  const recorded = sinceSeq === null ? [] : await ledger.read(sinceSeq, MAX_EVENTS_LOOKED_BACK)
  return { attemptIds, answered: new Set(recordedAnswers(recorded)) }
}

describe('checks that have answered before', () => {
  it('are those named in the record, including each probe of a check and the longest gate', async () => {
    const { answered } = await earlierIn(attempt(1, { answered: ANSWERED }))
    expect([...answered]).toEqual(ANSWERED)
  })

  it('exclude those that only appear in text and values, because an honest agent may have written them', async () => {
    const measured = {
      subject: 'notes',
      claimed: null,
      measured: 'x, mail = 3',
      agrees: null,
      isHint: true,
    } as const
    const { answered } = await earlierIn(
      attempt(1, {
        comparisons: [measured],
        reasons: ['the probe mail answered before the attempt and gives no answer any more'],
      }),
    )
    expect(answered.size).toBe(0)
  })

  it('exclude those from before the operator last approved the configuration', async () => {
    expect((await earlierIn(attempt(1, { answered: ANSWERED }), APPROVED)).answered.size).toBe(0)
    const { answered } = await earlierIn(
      attempt(1, { answered: ANSWERED }),
      APPROVED,
      attempt(2, { answered: [GATE] }),
    )
    expect([...answered]).toEqual([GATE])
  })
})

describe('attempts that may have silenced a check', () => {
  const ids = async (...events: EventBody[]) => (await earlierIn(...events)).attemptIds

  it('are those since the task was last verified, newest first, without the verified ones', async () => {
    const since = [attempt(1, { verdict: 'verified' }), attempt(2, { verdict: 'not_verified' }), attempt(3)]
    expect(await ids(...since)).toEqual(['a3', 'a2'])
    const other = attempt(4, { taskId: 'chart', verdict: 'verified' })
    expect(await ids(...since, other)).toEqual(['a3', 'a2'])
  })

  it('exclude those that the operator has seen: overruled, or accepted after being held', async () => {
    expect(await ids(attempt(1), OVERRULED, attempt(2))).toEqual(['a2'])
    expect(await ids(held(1), reviewed(1, 'accept'), attempt(2))).toEqual(['a2'])
  })

  it('include those whose held work was refused: the liar’s changes are not the operator’s', async () => {
    expect(await ids(held(1), reviewed(1, 'refuse'), attempt(2))).toEqual(['a2', 'a1'])
  })
})
