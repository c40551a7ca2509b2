import { describe, expect, test } from 'vitest'
import { NO_CLAIM } from '../claims/types.ts'
import { parseHint } from '../contract/hint.ts'
import { reportOfNone } from '../reports/test-report.ts'
import { EMPTY_DIFFERENCE, type VerdictDecision, type VerdictInput } from '../verification/types.ts'
import {
  type CustodyInput,
  decideCustody,
  ELSEWHERE,
  type GuardedChange,
  needsRoom,
  sortChanges,
  toldOfProtected,
} from './decide-custody.ts'

const change = (path: string, also: Partial<GuardedChange> = {}): GuardedChange => ({
  path,
  kind: 'modified',
  isInstrument: false,
  isGates: false,
  isProtected: true,
  attemptId: null,
  ...also,
})
const decided = (verdict: VerdictDecision['verdict'], contradiction = false): VerdictDecision => ({
  verdict,
  groundTruthContradiction: contradiction,
  skipped: false,
  fault: verdict === 'verified' ? null : 'agent',
  reasons: [`it is ${verdict}`],
  findings: [],
  scoresNothing: false,
  comparisons: [],
  heldBefore: false,
  falseCompletion: false,
  remedy: null,
})
const words = { text: 'Fix the totals', hint: 'succeeds("npm test")', mayChange: () => false }
const test1 = change('cart.test.js')
const script = change('check.sh', { isInstrument: true, isProtected: false })

function input(also: Partial<CustodyInput>): CustodyInput {
  return {
    attemptId: '2-1-abcd',
    inPlace: decided('verified'),
    changes: { instruments: [], protectedFiles: [test1], allowed: [] },
    room: { kind: 'ran', decision: decided('verified') },
    earlier: null,
    lostTests: [],
    dependencies: [],
    ...also,
  }
}

test('does not mistake a file with a target’s name for one that the check names', () => {
  const added = change('check', { kind: 'added' })
  const hint = 'succeeds("make check")'
  expect(sortChanges([added], { ...words, hint }).protectedFiles).toEqual([])
  expect(sortChanges([{ ...added, standsIn: true }], { ...words, hint }).protectedFiles).toHaveLength(1)
})

test('lets a pattern that git ignores change only if each of its files may', () => {
  const index = change('.git/index', { hides: ['dist/a.js', 'dist/b.js'] })
  const mayChange = (path: string) => path.startsWith('dist/')
  expect(sortChanges([index], { ...words, mayChange }).allowed).toHaveLength(1)
  expect(
    sortChanges([{ ...index, hides: ['dist/a.js', 'src/a.js'] }], { ...words, mayChange }).allowed,
  ).toEqual([])
})

test('holds a change that may have come from elsewhere, and accuses no agent here', () => {
  const room = { kind: 'ran', decision: decided('not_verified') } as const
  const from = (attemptId: string | null) => ({
    instruments: [],
    protectedFiles: [change('a.test.js', { attemptId })],
    allowed: [],
  })
  expect(decideCustody(input({ room, changes: from(ELSEWHERE) }))).toMatchObject({
    held: { because: 'clean-room' },
    isRigged: false,
  })
  expect(decideCustody(input({ room, changes: from(null) })).isRigged).toBe(true)
})

describe('a file that differs from the baseline is', () => {
  const paths = (changes: readonly GuardedChange[]) => changes.map(({ path }) => path)
  const sort = (one: GuardedChange, text = 'Fix it') => {
    const { instruments, protectedFiles, allowed } = sortChanges([one], { ...words, text })
    return { instruments: paths(instruments), protectedFiles: paths(protectedFiles), allowed: paths(allowed) }
  }
  const none = { instruments: [], protectedFiles: [], allowed: [] }

  test('disputed if it is protected or executed by the check', () => {
    expect(sort(test1)).toEqual({ ...none, protectedFiles: ['cart.test.js'] })
    expect(sort(script)).toEqual({ ...none, instruments: ['check.sh'] })
  })

  test('the task’s work if the task names it and it is neither protected nor a gate’s', () => {
    expect(sort(script, 'Make check.sh print the total.')).toEqual(none)
    expect(sort(script, 'Make precheck.sh2 faster')).toEqual({ ...none, instruments: ['check.sh'] })
    expect(sort({ ...script, isGates: true }, 'Repair check.sh')).toEqual({
      ...none,
      instruments: ['check.sh'],
    })
    expect(sort({ ...script, isProtected: true }, 'Repair check.sh')).toEqual({
      ...none,
      instruments: ['check.sh'],
    })
  })

  test('the task’s work if it is new and the check or the task names it', () => {
    expect(sort(change('cart.test.js', { kind: 'added' }), 'Write tests in cart.test.js')).toEqual(none)
    expect(sort({ ...script, kind: 'added' })).toEqual(none)
    expect(sort(change('conftest.py', { kind: 'added' }))).toEqual({
      ...none,
      protectedFiles: ['conftest.py'],
    })
  })

  test('allowed if may_change covers it', () => {
    const { allowed, protectedFiles } = sortChanges([test1], {
      ...words,
      mayChange: (path) => path === test1.path,
    })
    expect([paths(allowed), protectedFiles]).toEqual([['cart.test.js'], []])
  })
})

describe('work with changed protected files', () => {
  test('is verified if the check passes both in place and in the clean room', () => {
    expect(decideCustody(input({}))).toMatchObject({
      decision: { verdict: 'verified' },
      held: null,
      isRigged: false,
    })
  })

  const failing = { kind: 'ran', decision: decided('not_verified') } as const
  const said = (...disputed: readonly string[]) =>
    decideCustody(
      input({
        room: failing,
        changes: { instruments: [], allowed: [], protectedFiles: disputed.map((path) => change(path)) },
      }),
    )

  test('names files that a check built if nothing else differs, and otherwise only counts them', () => {
    const built = [
      'build/Makefile',
      '_build/test/lib/cart/ebin/cart.app',
      'cmake-build-debug/CTestTestfile.cmake',
    ]
    const { decision, held } = said(...built, 'cart.test.js')
    expect(decision.reasons[0]).toContain(': cart.test.js (and 3 files of build output)')
    expect(held?.files).toEqual(['cart.test.js', ...built])
    expect(said('build/Makefile').decision.reasons[0]).toContain(': build/Makefile')
  })

  test('names a file once if it both differs and is hidden from git', () => {
    const room = { kind: 'ran', decision: decided('not_verified') } as const
    const given = input({ room })
    const hidden = change('.git/index', { hides: ['cart.test.js', 'dist/a.js'] })
    const changes = { ...given.changes, protectedFiles: [...given.changes.protectedFiles, hidden] }
    expect(decideCustody({ ...given, changes }).held?.files).toEqual(['cart.test.js', 'dist/a.js'])
  })

  test('is held and reported if the check passes in place only', () => {
    const room = { kind: 'ran', decision: decided('not_verified') } as const
    expect(decideCustody(input({ room }))).toMatchObject({
      decision: { verdict: 'unclear', fault: null, groundTruthContradiction: false },
      held: {
        id: '2-1-abcd',
        because: 'clean-room',
        files: ['cart.test.js'],
        inPlace: { verdict: 'verified' },
        cleanRoom: { verdict: 'not_verified' },
        with: null,
      },
      isRigged: true,
    })
  })

  test.each([
    ['a liar', ['adds'], true],
    ['a liar who also breaks another package’s build', ['adds', 'shop > (the package itself)'], true],
    ['no one if the baseline’s tests do not build', ['shop > (the package itself)'], false],
    ['no one if the runner ends before any of them', [reportOfNone(101).names.failed[0] ?? ''], false],
  ])('that passes in place only: accuses %s', (_, failed, isRigged) => {
    const names = { passed: ['subs'], failed, skipped: [] }
    const report = { ...reportOfNone(1), names }
    const room = {
      kind: 'ran',
      decision: decided('not_verified'),
      reports: new Map([['tests', report]]),
    } as const
    expect(decideCustody(input({ room }))).toMatchObject({
      held: { because: 'clean-room' },
      isRigged,
    })
  })

  test('is held with the reason if there is no clean room, and no agent is accused', () => {
    const { held, isRigged } = decideCustody(input({ room: { kind: 'none', reason: 'the disk is full' } }))
    expect(held).toMatchObject({
      because: 'clean-room',
      cleanRoom: { verdict: null, reasons: ['the disk is full'] },
    })
    expect(isRigged).toBe(false)
  })

  test('keeps an unverified verdict', () => {
    const inPlace = decided('not_verified')
    expect(decideCustody(input({ inPlace, room: null }))).toEqual({
      decision: inPlace,
      held: null,
      isRigged: false,
    })
  })
})

describe('work with a changed check file', () => {
  const changes = { instruments: [script], protectedFiles: [], allowed: [] }

  test('is verified if it passes with the baseline’s version, whatever the agent’s says', () => {
    for (const inPlace of [decided('verified'), decided('not_verified', true)])
      expect(decideCustody(input({ changes, inPlace }))).toMatchObject({
        decision: { verdict: 'verified' },
        held: null,
      })
  })

  test('is held, never a contradiction, if it fails with the baseline’s version', () => {
    const room = { kind: 'ran', decision: decided('not_verified', true) } as const
    for (const inPlace of [decided('verified'), decided('not_verified', true)])
      expect(decideCustody(input({ changes, inPlace, room }))).toMatchObject({
        decision: { verdict: 'unclear', groundTruthContradiction: false },
        held: { because: 'check' },
      })
  })

  test('is not verified if both runs fail and no claim is contradicted', () => {
    const room = { kind: 'ran', decision: decided('not_verified') } as const
    const inPlace = decided('not_verified')
    expect(decideCustody(input({ changes, inPlace, room })).decision).toBe(inPlace)
  })
})

test('is held with an earlier attempt that awaits review if it passes only with that attempt’s files', () => {
  const room = { kind: 'ran', decision: decided('not_verified') } as const
  expect(decideCustody(input({ room, earlier: '1-1-wxyz' })).held).toMatchObject({
    id: '1-1-wxyz',
    because: 'earlier',
    with: '1-1-wxyz',
  })
})

test('tells files of this attempt from those of an earlier one if there are both', () => {
  const room = { kind: 'ran', decision: decided('not_verified') } as const
  const earlier = change('b.test.js', { attemptId: '1-1-wxyz' })
  const saidOf = (protectedFiles: readonly GuardedChange[]) =>
    decideCustody(
      input({ room, earlier: '1-1-wxyz', changes: { instruments: [], protectedFiles, allowed: [] } }),
    ).decision.reasons.find((reason) => reason.includes('b.test.js'))
  expect(saidOf([test1, earlier])).toMatch(
    /: cart\.test\.js; and as an earlier attempt left it: b\.test\.js$/,
  )
  expect(saidOf([earlier])).toMatch(/: b\.test\.js$/)
  expect(saidOf([earlier])).not.toContain('; and')
})

test('holds verified work if tests are gone, or dependencies were touched', () => {
  const changes = { instruments: [], protectedFiles: [], allowed: [] }
  expect(decideCustody(input({ changes, room: null, lostTests: ['adds'] })).held?.because).toBe('tests')
  expect(
    decideCustody(input({ changes, room: null, dependencies: ['node_modules/a/i.js'] })).held?.because,
  ).toBe('dependencies')
  const inPlace = decided('not_verified')
  const losses = { lostTests: ['adds'], dependencies: ['node_modules/a/i.js'], outside: ['~/.npmrc'] }
  expect(decideCustody(input({ changes, room: null, inPlace, ...losses })).held).toBeNull()
})

describe('asking the clean room', () => {
  const gate = { command: ['npm', 'test'], status: 'passed', exitCode: 0, detail: '', durationMs: 1 } as const
  const measured: VerdictInput = {
    required: true,
    outcome: 'completed',
    environmentFault: null,
    claim: { ...NO_CLAIM, status: 'done' },
    hint: { kind: 'expression', source: 'succeeds("npm test")', probes: [], functions: ['succeeds'] },
    before: null,
    after: { probes: [], expression: { kind: 'value', holds: true } },
    difference: EMPTY_DIFFERENCE,
    fileClaims: [],
    gates: [],
    judge: null,
  }
  const differs = { instruments: [], protectedFiles: [test1], allowed: [] }
  const rigged = { instruments: [script], protectedFiles: [], allowed: [] }
  const refuted = { ...measured, after: { probes: [], expression: { kind: 'value', holds: false } as const } }

  test('is needed if something was executed, the check passes, and something differs', () => {
    expect(needsRoom(measured, decided('verified'), differs)).toBe(true)
    const nothing = { instruments: [], protectedFiles: [], allowed: [] }
    expect(needsRoom(measured, decided('verified'), nothing)).toBe(false)
  })

  test('is not needed if files were only read', () => {
    const hint = { kind: 'expression', source: 'exists("a")', probes: [], functions: ['exists'] } as const
    expect(needsRoom({ ...measured, hint }, decided('verified'), differs)).toBe(false)
    expect(needsRoom({ ...measured, hint, gates: [gate] }, decided('verified'), differs)).toBe(true)
  })

  test('is needed if only a check file makes the check fail, not if no check can change the verdict', () => {
    expect(needsRoom(refuted, decided('not_verified'), differs)).toBe(false)
    expect(needsRoom(refuted, decided('not_verified'), rigged)).toBe(true)
    const failed = { ...refuted, claim: { ...refuted.claim, status: 'failed' as const } }
    expect(needsRoom(failed, decided('not_verified'), rigged)).toBe(false)
  })

  test.each<[string, VerdictInput['claim']['values']]>([
    ['by its name', { tests: { passed: 13 } }],
    ['by a path below its name', { 'tests.passed': 13 }],
    ['in parts, including some it does not read', { 'tests.passed': 13, 'tests.total': 13, 'tests.x.y': 1 }],
  ])(
    'is needed if the claim differs from what a check file measured, whether it is given %s',
    (_how, values) => {
      const reading = {
        kind: 'value',
        name: 'tests',
        value: { passed: 10, total: 13 },
        tolerance: 0,
      } as const
      const differing: VerdictInput = {
        ...measured,
        claim: { ...measured.claim, values },
        hint: { kind: 'expression', source: 'tests.passed == 13', probes: ['tests'], functions: [] },
        after: { probes: [reading], expression: { kind: 'value', holds: false } },
      }
      expect(needsRoom(differing, decided('not_verified', true), rigged)).toBe(true)
      // The honest double: nothing that it executes was touched, and the contradiction stands.
      expect(needsRoom(differing, decided('not_verified', true), differs)).toBe(false)
      const unread = { kind: 'unreadable', name: 'tests', reason: 'it fails', configured: true } as const
      const failing = { ...differing, after: { ...differing.after, probes: [unread] } }
      expect(needsRoom(failing, decided('unclear'), rigged)).toBe(true)
    },
  )
})

describe('sources that access what runs their tests', () => {
  const none = { instruments: [], protectedFiles: [], allowed: [] }
  const reaching = [{ path: 'src/cart.js', words: ['the test runner vitest'] }]
  const from = (also: Partial<CustodyInput>) =>
    decideCustody(input({ changes: none, room: null, reaching, ...also }))

  test('are held, and no agent is accused', () => {
    const { held, isRigged, decision } = from({})
    expect(held).toMatchObject({ because: 'check', files: ['src/cart.js'], with: null })
    expect(isRigged).toBe(false)
    expect(decision.reasons[0]).toContain('src/cart.js (the test runner vitest)')
  })

  test('are held with the attempt that left them, which awaits review', () => {
    expect(from({ earlier: '1-1-abcd' }).held).toMatchObject({ because: 'earlier', with: '1-1-abcd' })
  })

  test('don’t change a verdict that is not good', () => {
    expect(from({ inPlace: decided('not_verified') }).held).toBeNull()
  })
})

describe('protected files changed by a run of several tasks', () => {
  const parse = (source: string) => [parseHint(source, ['tests'])]
  const [tests, words, file] = ['tests.failed == 0', 'task_completed', 'exists("notes.md")'].map(parse)
  const all = [words, tests, file, tests].map((one) => one ?? [])
  const NO_GATES = { gates: { commands: [] } }

  test('are reported to each attempt whose checks execute something', () => {
    expect(toldOfProtected(all, NO_GATES)).toEqual([false, true, false, true])
  })

  test('are reported to all attempts if gates decide them too', () => {
    expect(toldOfProtected(all, { gates: { commands: [['npm', 'test']] } })).toEqual([true, true, true, true])
  })

  test('are reported to the first attempt if nothing is executed', () => {
    expect(toldOfProtected([words ?? [], file ?? []], NO_GATES)).toEqual([true, false])
  })
})
