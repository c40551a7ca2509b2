import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEvents } from '../../core/record/testing/arbitrary-events.ts'
import { SILENT_EVENTS, timelineEntries } from '../../core/record/timeline.ts'
import type { TimelineKeys } from '../../core/record/timeline-attempt.ts'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import { encodeLine, GENESIS_HASH } from './line.ts'
import { quickAttempt, quickEvent, strictEvent } from './quick-event.ts'
import { finishedAttempt } from './testing/sample-events.ts'

function lineOf(body: object, seq = 1): Buffer {
  return encodeLine(
    { seq, at: '2026-01-01T00:00:00Z', day: '2026-01-01' },
    GENESIS_HASH,
    JSON.stringify(body),
  )
}

const keysOf = ({ kind, type, severity, taskId, cycle }: TimelineEntry): TimelineKeys => ({
  kind,
  type,
  severity,
  taskId,
  cycle,
})

describe('an attempt looked at with a glance', () => {
  const { type, result } = finishedAttempt('a', {
    interventions: [{ event_type: 'no_files_detected', severity: 'critical', details: {} }],
  })

  it('is found by what its entries say', () => {
    const strict = strictEvent(lineOf({ type, result }))
    const entries = strict === null ? [] : timelineEntries(strict)
    expect(entries).toHaveLength(2)
    expect(quickAttempt(lineOf({ type, result }))).toEqual({ seq: 1, keys: entries.map(keysOf) })
  })

  it.each([
    ['held', undefined],
    ['verdict', 'splendid'],
    ['fault', 'of the moon'],
    ['interventions', [{ event_type: 'unheard_of', severity: 'critical', details: {} }]],
    ['interventions', [{ event_type: 'no_files_detected', severity: 'dire', details: {} }]],
    ['cycle', '1'],
    ['taskId', null],
  ])('is held against its schema where its %s is %j', (name, value) => {
    expect(quickAttempt(lineOf({ type, result: { ...result, [name]: value } }))).toBeNull()
  })
})

describe('an attempt of which nothing came', () => {
  const { type, result } = finishedAttempt('a')
  const strictKeys = (line: Buffer): readonly TimelineKeys[] => {
    const strict = strictEvent(line)
    return strict === null ? [] : timelineEntries(strict).map(keysOf)
  }

  it.each<[string, object]>([
    ['as it is', {}],
    [
      'with names of the record in what it claims',
      { claim: { ...result.claim, values: { verdict: 'verified', held: 1, fault: 2 } } },
    ],
    [
      'with a list of that name in what it claims',
      { claim: { ...result.claim, values: { interventions: 0 } } },
    ],
    [
      'with the words of a record in a text',
      { description: '","verdict":"verified","interventions":[],"held":null}}' },
    ],
    ['with the end of a record in its last text', { restsOn: ['"held":null}}'] }],
    ['with a quote in the name of its task', { taskId: 'a "task"' }],
    ['with letters of another tongue', { taskId: 'Prüfung', description: 'Prüfung 検査' }],
    ['unclear', { verdict: 'unclear', fault: 'environment' }],
    ['without a verdict', { verdict: null, fault: 'environment' }],
    ['against the truth', { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' }],
    ['held', { verdict: 'unclear', held: { kind: 'unusual', why: [] } }],
  ])('is found by what a strict reading says of it: %s', (_, changes) => {
    const line = lineOf({ type, result: { ...result, ...changes } }, 7)
    const glance = quickAttempt(line)
    if (strictKeys(line).length > 0) expect(glance).toEqual({ seq: 7, keys: strictKeys(line) })
  })

  it('is parsed where a name stands twice, and where one is missing', () => {
    const line = lineOf({ type, result }).toString()
    const twice = line.replace('"fault":null', '"fault":null,"fault":"agent"')
    expect(quickAttempt(Buffer.from(twice))?.keys).toEqual(strictKeys(Buffer.from(twice)))
    const missing = line.replace('"fault":null,', '')
    expect(missing).not.toBe(line)
    expect(quickAttempt(Buffer.from(missing))).toBeNull()
  })
})

describe('an event read quickly', () => {
  it('comes to the entries of one held against its schema, whatever was recorded', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        // Each twice: the first of a form is held against its schema, and the others are not.
        for (const { seq, at: _at, day: _day, ...body } of [...events, ...events]) {
          const strict = strictEvent(lineOf(body, seq))
          const expected = strict === null || SILENT_EVENTS.has(strict.type) ? [] : timelineEntries(strict)
          const glance = quickAttempt(lineOf(body, seq))
          if (glance !== null) expect(glance.keys).toEqual(expected.map(keysOf))
          const quick = quickEvent(lineOf(body, seq))
          expect(quick === null ? [] : timelineEntries(quick)).toEqual(expected)
        }
      }),
      { seed: 12, numRuns: 100 },
    )
  })

  it('of an earlier version has the names and the values that this one gives it, each time', () => {
    const { type, result } = finishedAttempt('a', { remedy: 'Install it.' })
    const { remedy, held: _held, ...rest } = result
    const former = lineOf({ type, result: { ...rest, mend: remedy } })
    for (let time = 0; time < 3; time += 1) expect(quickEvent(former)).toEqual(strictEvent(former))
  })

  it('of which the same names hold other kinds of values is not taken for one of its form', () => {
    const good = lineOf(finishedAttempt('a'))
    for (let time = 0; time < 2; time += 1) expect(quickEvent(good)).not.toBeNull()
    const { type, result } = finishedAttempt('b')
    expect(quickEvent(lineOf({ type, result: { ...result, interventions: 'none' } }))).toBeNull()
  })

  it('is none where the line is none, or says nothing that anybody looks back on', () => {
    expect(quickEvent(Buffer.from('{"type":"paused"'))).toBeNull()
    expect(quickEvent(Buffer.from('not a line'))).toBeNull()
    expect(quickEvent(lineOf({ type: 'of-a-later-version', x: 1 }))).toBeNull()
    expect(quickEvent(lineOf({ type: 'supervisor-started', version: '1' }))).toBeNull()
  })
})
