import { expect, test } from 'vitest'
import { longestCheckMs } from './longest-check.ts'

const probe = (timeoutMs: number) => ({
  source: { kind: 'command', command: ['true'] } as const,
  parse: 'number' as const,
  path: null,
  timeoutMs,
})
const NONE = { gates: { commands: [], timeoutMs: 600_000 }, probes: {}, judge: null, approvedCommands: [] }
const GATES = [['make'], ['npm', 'test']]

test.each([
  ['is 0 without checks', NONE, 0],
  [
    'covers a probe that reads a report',
    { ...NONE, probes: { tests: probe(600_000), count: probe(10_000) } },
    600_000,
  ],
  ['covers gates', { ...NONE, gates: { commands: GATES, timeoutMs: 600_000 } }, 600_000],
  [
    'covers a gate with its own limit',
    { ...NONE, gates: { commands: GATES, timeoutMs: 600_000, timeoutsMs: [600_000, 900_000] } },
    900_000,
  ],
  ['covers the command of a task', { ...NONE, approvedCommands: ['make'] }, 600_000],
  ['covers a judge', { ...NONE, judge: { command: ['judge'], timeoutMs: 120_000 } }, 120_000],
])('%s', (_case, config, expected) => {
  expect(longestCheckMs(config)).toBe(expected)
})
