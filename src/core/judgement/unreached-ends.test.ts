import { expect, test } from 'vitest'
import { NO_CLAIM } from '../claims/types.ts'
import { EMPTY_DIFFERENCE, type GateResult, type VerdictInput } from '../verification/types.ts'
import type { Question } from './questions.ts'
import { findUnreachedEnds } from './unreached-ends.ts'

const GATE: GateResult = {
  ...{ command: ['make', 'test'], status: 'passed', exitCode: 0, detail: '', durationMs: 1 },
}
const SCRIPT = { path: 'check.mjs', language: 'node' } as const
const inputOf = (gates: readonly GateResult[], commands: readonly string[] = []) =>
  ({
    claim: NO_CLAIM,
    difference: EMPTY_DIFFERENCE,
    gates,
    after: { probes: [], expression: { kind: 'value', holds: true, byExitCodeAlone: commands } },
  }) as unknown as VerdictInput

/** `passes`: whether the check passes with the script's failing end, and with a script that only fails. */
function found(input: VerdictInput, [atEnd, atOnce]: readonly [boolean, boolean], canTry = true) {
  const asked: string[] = []
  const answer = (question: Question): unknown => {
    asked.push(question.kind)
    if (question.kind === 'scripts') return [SCRIPT]
    if (question.kind === 'room') return canTry ? { kind: 'ready' } : { kind: 'none', reason: '' }
    if (!('setting' in question) || question.setting.earlier?.kind !== 'failing-end')
      throw new Error(question.kind)
    const isPassing = question.setting.earlier.atOnce ? atOnce : atEnd
    return question.kind === 'gates'
      ? [{ ...GATE, status: isPassing ? 'passed' : 'failed' }]
      : [{ kind: 'value', holds: isPassing }]
  }
  const procedure = findUnreachedEnds(input, ['check.mjs', 'other.mjs'])
  let turn = procedure.next([])
  while (turn.done !== true) turn = procedure.next(turn.value.map(answer))
  return { unreached: turn.value, asked }
}

test('finds that a script’s end is not reached if its check passes with a failing end, but fails with a failing script', () => {
  expect(found(inputOf([GATE]), [true, false]).unreached).toEqual(['make test'])
  expect(found(inputOf([], ['sh check.sh']), [true, false]).unreached).toEqual(['sh check.sh'])
})

test('reruns once a script that reached its end, and twice one whose check ignores it', () => {
  const runs = (asked: readonly string[]) => asked.filter((kind) => kind === 'gates').length
  const honest = found(inputOf([GATE]), [false, false])
  expect([honest.unreached, runs(honest.asked)]).toEqual([[], 1])
  const ignored = found(inputOf([GATE]), [true, true])
  expect([ignored.unreached, runs(ignored.asked)]).toEqual([[], 2])
})

test('reruns nothing if no end can be tried, or the check failed or has a report', () => {
  expect(found(inputOf([GATE]), [true, false], false).asked).toEqual(['scripts', 'room'])
  expect(found(inputOf([{ ...GATE, status: 'failed' }]), [true, false]).asked).toEqual([])
  expect(found(inputOf([{ ...GATE, runner: 'vitest' }]), [true, false]).asked).toEqual([])
})

test('treats a report that names whole programs like exit codes', () => {
  const reported = (passed: string) =>
    inputOf([
      { ...GATE, runner: 'ctest', report: { names: { passed: [passed], failed: [], skipped: [] } } as never },
    ])
  expect(found(reported('sums > sums'), [true, false]).unreached).toEqual(['make test'])
  expect(found(reported('sums > adds'), [true, false]).asked).toEqual([])
})
