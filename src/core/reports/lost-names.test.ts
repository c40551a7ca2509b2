import { expect, it } from 'vitest'
import { afterGreen } from './after-green.ts'
import { isRedAsInBase, passesAllOf } from './lost-names.ts'
import { reportOf, type TestReport, type TestStatus, withExitCode } from './test-report.ts'

function report(statuses: Record<string, TestStatus>): TestReport {
  const reading = reportOf(Object.entries(statuses).map(([name, status]) => ({ name, status })))
  if (!reading.ok) throw new Error(reading.reason)
  return reading.report
}

const base = report({ a: 'passed', b: 'failed', c: 'skipped' })

it('passes all of the base where each test that it executed passes, and nothing is red', () => {
  expect(passesAllOf(base, report({ a: 'passed', b: 'passed', c: 'skipped' }))).toBe(true)
  expect(passesAllOf(base, report({ a: 'passed', b: 'skipped', c: 'passed' }))).toBe(false)
  expect(passesAllOf(base, report({ a: 'passed', b: 'passed', d: 'failed' }))).toBe(false)
  expect(passesAllOf(base, withExitCode(report({ a: 'passed', b: 'passed' }), 1))).toBe(false)
})

it('asks nothing for a base without tests, but that the room has none either', () => {
  expect(passesAllOf(report({}), report({}))).toBe(true)
  expect(passesAllOf(report({}), report({ a: 'failed' }))).toBe(false)
})

it('takes nothing for red as in the base once it was green, and forgets no name of it', () => {
  const green = afterGreen(base)
  expect(isRedAsInBase(base, base)).toBe(true)
  expect(isRedAsInBase(green, base)).toBe(false)
  expect(green).toMatchObject({ passed: 2, failed: 0, executed: 2, total: 3 })
  expect(green.names).toEqual({ passed: ['a', 'b'], failed: [], skipped: ['c'] })
})
