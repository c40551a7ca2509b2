import { describe, expect, test } from 'vitest'
import { parseHint } from '../contract/hint.ts'
import type { Measurement, VerdictInput } from './types.ts'
import { lookedAtPaths, unanswerableHints } from './unanswerable-hints.ts'

const value = (state: Readonly<Record<string, number>>): Measurement['probes'][number] => ({
  kind: 'value',
  name: 'state',
  value: state,
})
const ANSWERED: Measurement = {
  probes: [value({ count: 1 })],
  expression: { kind: 'value', holds: false },
}
const LACKING: Measurement = {
  probes: [value({})],
  expression: { kind: 'error', reason: 'No such key: count', fault: 'contract' },
}

function found(before: Measurement | null, after: Measurement, text = 'Raise the count'): number {
  const hint = parseHint('state.count > 3', ['state'])
  const input: Pick<VerdictInput, 'hint' | 'before' | 'after' | 'criteria'> = { hint, before, after }
  return unanswerableHints(input, text).filter(({ wasAnswered }) => wasAnswered).length
}

describe('a check is unanswerable', () => {
  test('if it had an answer before and has none now, although its probes can be read', () => {
    expect(found(ANSWERED, LACKING)).toBe(1)
  })

  test.each<[string, Measurement | null, Measurement]>([
    ['if it still has an answer', ANSWERED, ANSWERED],
    ['if it had no answer before', LACKING, LACKING],
    ['if nothing was measured before', null, LACKING],
    [
      'if a probe cannot be read',
      ANSWERED,
      { ...LACKING, probes: [{ kind: 'unreadable', name: 'state', reason: 'gone', configured: true }] },
    ],
    [
      'if the environment is at fault',
      ANSWERED,
      { ...LACKING, expression: { kind: 'error', reason: 'stopped', fault: 'environment' } },
    ],
  ])('but not %s', (_why, before, after) => {
    expect(found(before, after)).toBe(0)
  })

  test.each(['Remove the count', 'Migrate state.json to two keys', 'rename count'])(
    'and not if the task asks for another form: %s',
    (text) => {
      expect(found(ANSWERED, LACKING, text)).toBe(0)
    },
  )
})

test('finds paths that are literals in an expression', () => {
  expect(lookedAtPaths(`json("a.json").n > json( 'b/c.json' ).n && json(x).n == 1`)).toEqual([
    'a.json',
    'b/c.json',
  ])
})
