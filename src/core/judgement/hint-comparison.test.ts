import { expect, test } from 'vitest'
import { type Claim, type JsonValue, NO_CLAIM } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import { EMPTY_DIFFERENCE, type VerdictInput } from '../verification/types.ts'
import { compareHints } from './hint-comparison.ts'
import { decideVerdict } from './verdict.ts'

const ALL: Hint = {
  kind: 'expression',
  source: 'tests.passed == tests.total',
  probes: ['tests'],
  functions: [],
}
const COUNT: Hint = { kind: 'probe', source: 'drafts', name: 'drafts', path: [] }

function compared(hint: Hint, holds: boolean, claim: Partial<Claim>, value: JsonValue, name = 'tests') {
  const input: VerdictInput = {
    required: true,
    outcome: 'completed',
    environmentFault: null,
    claim: { ...NO_CLAIM, ...claim },
    hint,
    before: null,
    after: {
      probes: [{ kind: 'value', name, value }],
      expression: hint.kind === 'expression' ? { kind: 'value', holds } : null,
    },
    difference: EMPTY_DIFFERENCE,
    fileClaims: [],
    gates: [],
    judge: null,
  }
  return compareHints(input, decideVerdict(input))[0] ?? null
}

test('shows a check’s measured values beside the agent’s claim about the task', () => {
  expect(compared(ALL, false, { status: 'done' }, { passed: 1, total: 2 })).toEqual({
    subject: 'tests.passed == tests.total',
    claimed: 'done',
    measured: 'tests 1 of 2',
    agrees: false,
    isHint: true,
  })
  expect(compared(ALL, true, { status: 'done' }, { passed: 2, total: 2 })?.agrees).toBe(true)
})

test('agrees with an agent that says its task is not done, if it isn’t', () => {
  expect(compared(ALL, false, { status: 'failed' }, { passed: 1, total: 2 })).toMatchObject({
    claimed: 'not done',
    agrees: true,
  })
})

test('does not contradict an agent that says nothing', () => {
  expect(compared(ALL, false, {}, { passed: 1, total: 2 })).toMatchObject({ claimed: null, agrees: null })
})

test('compares a probe only once if its value was claimed, and otherwise shows its value', () => {
  const claimed = { status: 'done', values: { drafts: 3 } } as const
  expect(compared(COUNT, true, claimed, 0, 'drafts')).toBeNull()
  expect(compared(COUNT, true, { status: 'done' }, 0, 'drafts')).toMatchObject({
    subject: 'drafts',
    measured: 'drafts 0',
    agrees: null,
  })
})

test('omits checks in plain words, because they measure nothing', () => {
  expect(
    compared({ kind: 'words', source: 'task_completed' } as Hint, true, { status: 'done' }, 0),
  ).toBeNull()
})

test('lists criteria with separate checks after the task’s check, each with its measurement', () => {
  const input: VerdictInput = {
    required: true,
    outcome: 'completed',
    environmentFault: null,
    claim: { ...NO_CLAIM, status: 'done' },
    hint: ALL,
    before: null,
    after: {
      probes: [{ kind: 'value', name: 'tests', value: { passed: 2, total: 2 } }],
      expression: { kind: 'value', holds: true },
    },
    criteria: [
      {
        text: 'No draft is left',
        hint: { kind: 'expression', source: 'drafts == 0', probes: ['drafts'], functions: [] },
        before: null,
        after: {
          probes: [{ kind: 'value', name: 'drafts', value: 3 }],
          expression: { kind: 'value', holds: false },
        },
      },
    ],
    difference: EMPTY_DIFFERENCE,
    fileClaims: [],
    gates: [],
    judge: null,
  }
  expect(compareHints(input, decideVerdict(input))).toEqual([
    { subject: ALL.source, claimed: 'done', measured: 'tests 2 of 2', agrees: null, isHint: true },
    {
      subject: 'criterion "No draft is left"',
      claimed: 'done',
      measured: 'drafts 3',
      agrees: false,
      isHint: true,
    },
  ])
})
