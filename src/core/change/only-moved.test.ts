import { expect, test } from 'vitest'
import type { TestReport } from '../reports/test-report.ts'
import { type ChangeGate, isOnlyMoved } from './judge-change.ts'

/** A gate that passes; `executed`: by its report, `null` without one. */
function gate(folder: string, executed: number | null, change: Partial<ChangeGate> = {}): ChangeGate {
  return {
    id: `${folder} 0`,
    command: ['npm', 'test'],
    status: 'passed',
    exitCode: 0,
    durationMs: 1,
    detail: '',
    ...(executed !== null && { report: { executed } as TestReport }),
    ...change,
  }
}

test.each<readonly [string, readonly ChangeGate[], readonly ChangeGate[] | null, boolean]>([
  ['as many tests in each folder', [gate('a', 3), gate('b', 2)], [gate('a', 3), gate('b', 2)], true],
  ['a folder without a report', [gate('a', 3), gate('b', null)], [gate('a', 3), gate('b', null)], true],
  ['more tests in another folder', [gate('a', 2), gate('b', 9)], [gate('a', 3), gate('b', 2)], false],
  ['a clean room of another folder alone', [gate('a', 2), gate('b', 2)], [gate('b', 2)], false],
  ['a clean room that reports nothing', [gate('a', 2)], [gate('a', null)], false],
  ['a clean room that fails', [gate('a', 3)], [gate('a', 3, { status: 'failed' })], false],
  ['no clean room', [gate('a', 3)], null, false],
])('whether lost tests were only moved, by %s', (_case, gates, room, expected) => {
  const cleanRoom = room === null ? null : ({ kind: 'ran', gates: room } as const)
  expect(isOnlyMoved({ gates, cleanRoom, findings: [] })).toBe(expected)
})
