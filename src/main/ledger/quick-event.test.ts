import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heldSchema } from '../../core/custody/held.ts'
import { anyEvents } from '../../core/record/testing/arbitrary-events.ts'
import { SILENT_EVENTS, timelineEntries } from '../../core/record/timeline.ts'
import type { TimelineKeys } from '../../core/record/timeline-attempt.ts'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import { HELD_REASONS } from '../../core/vocabulary/held.ts'
import { AttemptGlance } from './attempt-glance.ts'
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

const checked = { verdict: null, reasons: [] }
const HELD = heldSchema.parse({
  id: 'a',
  because: HELD_REASONS[0],
  files: [],
  inPlace: checked,
  cleanRoom: checked,
  with: null,
})

/** Reads one line by itself. */
function glance(line: Buffer) {
  return new AttemptGlance(line).attempt(0, line.length)
}

const keysOf = ({ kind, type, severity, taskId, cycle }: TimelineEntry): TimelineKeys => ({
  kind,
  type,
  severity,
  taskId,
  cycle,
})

describe('an attempt that is parsed quickly', () => {
  const { type, result } = finishedAttempt('a', {
    interventions: [{ event_type: 'no_files_detected', severity: 'critical', details: {} }],
  })

  it('has the fields that its entries are filtered by', () => {
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
  ])('is parsed with its schema when its %s is %j', (name, value) => {
    expect(quickAttempt(lineOf({ type, result: { ...result, [name]: value } }))).toBeNull()
  })
})

describe('an attempt without consequences', () => {
  const { type, result } = finishedAttempt('a')
  const strictKeys = (line: Buffer): readonly TimelineKeys[] => {
    const strict = strictEvent(line)
    return strict === null ? [] : timelineEntries(strict).map(keysOf)
  }
  const rest = { path: 'a', sha256: '0'.repeat(64) }

  it.each<[string, object, { readonly isPlain: boolean }]>([
    ['unchanged', {}, { isPlain: true }],
    [
      'with record field names in its claim',
      { claim: { ...result.claim, values: { verdict: 'verified', held: 1, fault: 2 } } },
      { isPlain: false },
    ],
    [
      'with a number under a field name in its claim',
      { claim: { ...result.claim, values: { interventions: 0 } } },
      { isPlain: false },
    ],
    [
      'with a longer name that ends like a field in its claim',
      { claim: { ...result.claim, values: { withheld: 0, default: 1 } } },
      { isPlain: true },
    ],
    [
      'with record text in its description',
      { description: '","verdict":"verified","interventions":[],"held":null}}' },
      { isPlain: true },
    ],
    ['with the end of a record in its last finding', { findings: ['"held":null}}'] }, { isPlain: true }],
    ["with a quote in its task's name", { taskId: 'a "task"' }, { isPlain: false }],
    ['with a non-ASCII description', { description: 'Prüfung 検査' }, { isPlain: true }],
    ['with a non-ASCII task name', { taskId: 'Prüfung' }, { isPlain: false }],
    ['unclear', { verdict: 'unclear', fault: 'environment' }, { isPlain: true }],
    ['without a verdict', { verdict: null, fault: 'environment' }, { isPlain: true }],
    [
      'with a contradiction',
      { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' },
      { isPlain: true },
    ],
    ['that rests on files', { restsOn: [rest] }, { isPlain: true }],
    ['held', { verdict: 'unclear', held: HELD }, { isPlain: false }],
  ])('has the fields that strict parsing gives: %s', (_, changes, { isPlain }) => {
    const line = lineOf({ type, result: { ...result, ...changes } }, 7)
    const expected = { seq: 7, keys: strictKeys(line) }
    expect(expected.keys).not.toEqual([])
    expect(quickAttempt(line)).toEqual(expected)
    expect(glance(line)).toEqual(isPlain ? expected : null)
  })

  it('is parsed in full if a name occurs twice or is missing', () => {
    const line = lineOf({ type, result }).toString()
    const twice = Buffer.from(line.replace('"fault":null', '"fault":null,"fault":"agent"'))
    expect(glance(twice)).toBeNull()
    expect(quickAttempt(twice)?.keys).toEqual(strictKeys(twice))
    const missing = line.replace('"fault":null,', '')
    expect(missing).not.toBe(line)
    expect(glance(Buffer.from(missing))).toBeNull()
    expect(quickAttempt(Buffer.from(missing))).toBeNull()
  })
})

describe('many lines that are parsed quickly', () => {
  const attempts = fc.array(
    fc.record({
      cycle: fc.nat(),
      verdict: fc.constantFrom('verified', 'unclear', 'not_verified', null, 'splendid'),
      fault: fc.constantFrom('agent', 'environment', null, 'of the moon'),
      groundTruthContradiction: fc.boolean(),
      taskId: fc.constantFrom('t', 'a "task"', 'Prüfung'),
      description: fc.constantFrom('x', '","fault":null', '"held":null}}', 'withheld":null'),
      claim: fc.record({
        values: fc.dictionary(fc.constantFrom('verdict', 'held', 'withheld', 'fault'), fc.nat()),
      }),
    }),
  )
  /** What someone else may have left between two lines, or part of a line. */
  const broken = fc.constantFrom(
    '',
    'x',
    '"verdict":null',
    '"held":null}}',
    '{"seq":3,"at":"',
    '"fault":"agent"',
  )

  it('gives the same as reading each line by itself', () => {
    fc.assert(
      fc.property(attempts, fc.array(broken), (changes, between) => {
        const lines = changes.flatMap((change, at) => [
          ...between.slice(at, at + 1).map((text) => Buffer.from(text)),
          lineOf(
            { type: 'attempt-finished', result: { ...finishedAttempt(`a${at}`).result, ...change } },
            at,
          ),
        ])
        const text = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
        const all = new AttemptGlance(text)
        let start = 0
        for (const line of lines) {
          expect(all.attempt(start, start + line.length)).toEqual(glance(line))
          const parsed = quickAttempt(line)
          if (glance(line) !== null) expect(glance(line)).toEqual(parsed)
          start += line.length + 1
        }
      }),
      { seed: 12, numRuns: 300 },
    )
  })
})

describe('an event read quickly', () => {
  it('gives the same entries as one parsed with its schema, whatever was recorded', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        // Each twice: the first of a shape is parsed with its schema, the others are not.
        for (const { seq, at: _at, day: _day, ...body } of [...events, ...events]) {
          const strict = strictEvent(lineOf(body, seq))
          const expected = strict === null || SILENT_EVENTS.has(strict.type) ? [] : timelineEntries(strict)
          const line = lineOf(body, seq)
          for (const found of [glance(line), quickAttempt(line)]) {
            if (found !== null) expect(found.keys).toEqual(expected.map(keysOf))
          }
          const quick = quickEvent(lineOf(body, seq))
          expect(quick === null ? [] : timelineEntries(quick)).toEqual(expected)
        }
      }),
      { seed: 12, numRuns: 100 },
    )
  })

  it('of an earlier version gets the names and values that this version gives it, each time', () => {
    const { type, result } = finishedAttempt('a', { remedy: 'Install it.' })
    const { remedy, held: _held, ...rest } = result
    const former = lineOf({ type, result: { ...rest, mend: remedy } })
    for (let time = 0; time < 3; time += 1) expect(quickEvent(former)).toEqual(strictEvent(former))
  })

  it('with the same names but other types of values is not treated as the same shape', () => {
    const good = lineOf(finishedAttempt('a'))
    for (let time = 0; time < 2; time += 1) expect(quickEvent(good)).not.toBeNull()
    const { type, result } = finishedAttempt('b')
    expect(quickEvent(lineOf({ type, result: { ...result, interventions: 'none' } }))).toBeNull()
  })

  it('is null for a line that is not an event, or that has no timeline entry', () => {
    expect(quickEvent(Buffer.from('{"type":"paused"'))).toBeNull()
    expect(quickEvent(Buffer.from('not a line'))).toBeNull()
    expect(quickEvent(lineOf({ type: 'of-a-later-version', x: 1 }))).toBeNull()
    expect(quickEvent(lineOf({ type: 'supervisor-started', version: '1' }))).toBeNull()
  })
})
