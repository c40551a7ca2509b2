import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, agentActivitySchema, agentEventSchema } from '../../../core/activity/types.ts'
import { type PresetId, STREAM_PROGRAMS } from '../../../core/agents/programs.ts'
import { createStreamParser, createStreamReader } from './read-stream.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/streams')
const SEED = 20261121
const captures = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => ({
    name,
    program: STREAM_PROGRAMS.find((known) => name.startsWith(known)) as PresetId,
    text: readFileSync(join(FIXTURES, name), 'utf8'),
  }))

function read(program: PresetId, chunks: readonly string[]) {
  const told: AgentEvent[] = []
  const reader = createStreamReader(program, (event) => told.push(event))
  for (const chunk of chunks) reader.stdout(chunk)
  reader.end()
  return { told, ...reader.reading() }
}

function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...sorted].map((start, index) => text.slice(start, sorted[index] ?? text.length))
}

/** Returns the part of a reading that does not depend on the order of its lines. */
function withoutOrder({ denials, activity }: ReturnType<typeof read>) {
  const { calls, usage, sessionId } = activity
  return {
    calls: calls.map((call) => JSON.stringify(call)).sort(),
    denials: denials.length,
    usage,
    sessionId,
  }
}

/** Lines that are not an event of any program. */
const garbage = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom('Warning: something', '\u001b[31mred\u001b[0m', '{', '[]', '{"type":3}', '\0', '\ud800'),
)

describe(`any stream (seed ${SEED})`, () => {
  const property = { seed: SEED, numRuns: 40 }

  it.each(captures)('gives the same result wherever it is split: $name', ({ program, text }) => {
    const whole = read(program, [text])
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (places) => {
        expect(read(program, cutAt(text, places))).toEqual(whole)
      }),
      property,
    )
  })

  it.each(captures)('gives the same calls in any order of its lines: $name', ({ program, text }) => {
    const lines = text.trim().split('\n')
    const whole = withoutOrder(read(program, [text]))
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        expect(withoutOrder(read(program, [`${shuffled.join('\n')}\n`]))).toEqual(whole)
      }),
      property,
    )
  })

  it.each(captures)('skips garbage between its lines: $name', ({ program, text }) => {
    const lines = text.trim().split('\n')
    const whole = read(program, [text])
    fc.assert(
      fc.property(fc.array(garbage, { minLength: lines.length, maxLength: lines.length }), (between) => {
        const isHarmless = (line: string): boolean => !/^\s*\{.*"type":\s*"/s.test(line)
        const mixed = lines.flatMap((line, index) => [
          ...(between[index] ?? '').split('\n').filter(isHarmless),
          line,
        ])
        const found = read(program, [mixed.join('\r\n')])
        expect(found).toEqual({ ...whole, events: found.events })
      }),
      property,
    )
  })

  it.each(captures)('never fails if it is cut off or bytes are lost: $name', ({ program, text }) => {
    const bytes = Buffer.from(text)
    fc.assert(
      fc.property(
        fc.nat(bytes.length),
        fc.array(fc.nat(bytes.length), { maxLength: 20 }),
        (length, broken) => {
          const cut = Buffer.from(bytes.subarray(0, length))
          for (const place of broken) if (place < cut.length) cut[place] = 0xff
          const { told, activity } = read(program, [cut.toString('utf8')])
          for (const event of told) agentEventSchema.parse(event)
          agentActivitySchema.parse(activity)
        },
      ),
      property,
    )
  })

  it.each(STREAM_PROGRAMS)('never fails on events of any shape: %s', (program) => {
    const types = captures
      .filter((capture) => capture.program === program)
      .flatMap(({ text }) =>
        text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { type: string }).type),
      )
    const names = [
      'data',
      'part',
      'item',
      'message',
      'content',
      'state',
      'input',
      'id',
      'toolCallId',
      'subtype',
      'usage',
      'error',
      'status',
      'delta',
      'role',
      'result',
    ]
    const event = fc
      .tuple(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 8 }),
      )
      .map(([type, fields]) => JSON.stringify({ ...fields, type }))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), (lines) => {
        const parser = createStreamParser(program)
        const told = lines.flatMap((line) => parser.parse(JSON.parse(line)) ?? [])
        for (const each of [...told, ...(parser.end?.() ?? [])]) agentEventSchema.parse(each)
      }),
      { ...property, numRuns: 200 },
    )
  })
})

describe('an endless stream', () => {
  it.each(STREAM_PROGRAMS)('keeps little of endless calls and unknown events: %s', (program) => {
    const lines = Array.from({ length: 5000 }, (_, index) =>
      JSON.stringify({ type: `new.${index}`, part: 'x'.repeat(100) }),
    )
    const { activity, events } = read(program, [lines.join('\n')])
    expect(events).toBe(5000)
    expect(Object.keys(activity.unknownEvents).length).toBeLessThanOrEqual(51)
    expect(Object.values(activity.unknownEvents).reduce((sum, count) => sum + count, 0)).toBe(5000)
  })

  it('shortens what was said to its head and tail, and keeps the report at the end', () => {
    const say = (text: string) =>
      JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
    const lines = [...Array.from({ length: 40 }, () => say('x'.repeat(100_000))), say('the report')]
    const { said, told } = read('claude', [lines.join('\n')])
    expect(said.length).toBeLessThan(1_100_000)
    expect(said.trimEnd().endsWith('the report')).toBe(true)
    expect(told.every((event) => JSON.stringify(event).length < 70_000)).toBe(true)
  })

  it('drops the rest of a line that never ends', () => {
    const reader = createStreamReader('claude')
    for (let megabyte = 0; megabyte < 20; megabyte++) reader.stdout('x'.repeat(1_000_000))
    reader.stdout('\n{"type":"result","subtype":"success","result":"All done."}\n')
    reader.end()
    expect(reader.reading()).toMatchObject({ events: 1, said: 'All done.\n\n', final: { status: 'success' } })
  })
})
