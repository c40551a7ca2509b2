import { expect, test } from 'vitest'
import type { TestReport } from '../reports/test-report.ts'
import { byExitCodeAlone, type ChangeGate, isOnlyMoved } from './judge-change.ts'

/** Returns a passing gate. `executed` is the number of tests in its report; `null` without a report. */
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
  ['the same test count in each folder', [gate('a', 3), gate('b', 2)], [gate('a', 3), gate('b', 2)], true],
  ['a folder without a report', [gate('a', 3), gate('b', null)], [gate('a', 3), gate('b', null)], true],
  ['more tests in another folder', [gate('a', 2), gate('b', 9)], [gate('a', 3), gate('b', 2)], false],
  ['a clean room for another folder only', [gate('a', 2), gate('b', 2)], [gate('b', 2)], false],
  ['a clean room that reports nothing', [gate('a', 2)], [gate('a', null)], false],
  ['a clean room that fails', [gate('a', 3)], [gate('a', 3, { status: 'failed' })], false],
  ['no clean room', [gate('a', 3)], null, false],
])('decides whether lost tests were only moved, by %s', (_case, gates, room, expected) => {
  const cleanRoom = room === null ? null : ({ kind: 'ran', gates: room } as const)
  expect(isOnlyMoved({ gates, cleanRoom, findings: [] })).toBe(expected)
})

test.each<readonly [string, readonly ChangeGate[], number]>([
  ['a run that reports the tests it executed', [gate('a', 3)], 0],
  ['a run that reports nothing', [gate('a', null)], 1],
  ['a run that could not load a test', [gate('a', 0, { status: 'failed' })], 1],
  ['one of two runs that executed tests', [gate('a', 0, { status: 'failed' }), gate('b', 2)], 0],
])('decides whether a removed test still counts as removed, by %s', (_case, room, expected) => {
  const removed = { code: 'test-removed', severity: 'critical', path: 'a.test.js', line: null } as const
  const open = [{ ...removed, message: 'gone', subject: 'a', holds: 'measured' }] as const
  expect(byExitCodeAlone(open, room)).toHaveLength(expected)
})
