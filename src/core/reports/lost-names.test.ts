import { expect, it } from 'vitest'
import { afterGreen } from './after-green.ts'
import { isRedAsInBase, lostNames, namesNotExecuted, passesAllOf } from './lost-names.ts'
import { reportOf, reportOfNone, type TestReport, type TestStatus, withExitCode } from './test-report.ts'

function report(statuses: Record<string, TestStatus>): TestReport {
  const reading = reportOf(Object.entries(statuses).map(([name, status]) => ({ name, status })))
  if (!reading.ok) throw new Error(reading.reason)
  return reading.report
}

const base = report({ a: 'passed', b: 'failed', c: 'skipped' })

it('passes the whole baseline if every test it executed passes and nothing fails', () => {
  expect(passesAllOf(base, report({ a: 'passed', b: 'passed', c: 'skipped' }))).toBe(true)
  expect(passesAllOf(base, report({ a: 'passed', b: 'skipped', c: 'passed' }))).toBe(false)
  expect(passesAllOf(base, report({ a: 'passed', b: 'passed', d: 'failed' }))).toBe(false)
  expect(passesAllOf(base, withExitCode(report({ a: 'passed', b: 'passed' }), 1))).toBe(false)
})

it('requires nothing for a baseline without tests, except that the run has none either', () => {
  expect(passesAllOf(report({}), report({}))).toBe(true)
  expect(passesAllOf(report({}), report({ a: 'failed' }))).toBe(false)
  expect(passesAllOf(report({}), withExitCode(report({}), 5))).toBe(true)
})

it('does not accept a run as passing the baseline if tests could not be built or loaded in either of the two', () => {
  const unbuilt = reportOfNone(2)
  const unloaded = report({ 'a.test.js > (the file itself)': 'failed' })
  for (const before of [unbuilt, unloaded, report({}), afterGreen(unbuilt)])
    for (const now of [unbuilt, unloaded]) expect(passesAllOf(before, now)).toBe(false)
  expect(passesAllOf(unbuilt, report({}))).toBe(false)
})

it('does not excuse a failure of the baseline once it has passed, and keeps all of its names', () => {
  const green = afterGreen(base)
  expect(isRedAsInBase(base, base)).toBe(true)
  expect(isRedAsInBase(green, base)).toBe(false)
  expect(green).toMatchObject({ passed: 2, failed: 0, executed: 2, total: 3 })
  expect(green.names).toEqual({ passed: ['a', 'b'], failed: [], skipped: ['c'] })
})

it('finds a missing test after so many new ones that the report was cut, and guesses nothing for a large project', () => {
  const passed = ['a1', 'a2', 'a3', 'a4']
  const cut = { ...report(Object.fromEntries(passed.map((name) => [name, 'passed']))), areNamesCut: true }
  expect(namesNotExecuted(['a1', 'z'], cut)).toEqual(['z'])
  expect(namesNotExecuted(['a1', 'a2', 'a3', 'z'], cut)).toEqual([])
  expect(namesNotExecuted(['a1', 'a2', 'a25', 'z'], cut)).toEqual(['a25'])
})

it.each([
  ['an honest agent adds', ['a test', 'z test'], []],
  ['a liar removes a test and adds', ['a test'], ['z test']],
])('compares every name of a report that was cut: %s 45,000 generated ones', (_who, kept, lost) => {
  const generated = Array.from({ length: 45_000 }, (_, at) => `generated ${at}`)
  const now = report(Object.fromEntries([...kept, ...generated].map((name) => [name, 'passed'])))
  expect(now).toMatchObject({ areNamesCut: true, passed: 45_000 + kept.length })
  expect(lostNames(report({ 'a test': 'passed', 'z test': 'passed' }), now)).toEqual(lost)
})

it('reports a skipped test beyond the cut as lost', () => {
  const statuses = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`generated ${at}`, 'passed'] as const),
  )
  const now = report({ ...statuses, z: 'skipped' })
  expect(lostNames(report({ z: 'passed' }), now)).toEqual(['z'])
})
