import { describe, expect, test } from 'vitest'
import { type Claim, NO_CLAIM } from '../claims/types.ts'
import { parseHint } from '../contract/hint.ts'
import { EMPTY_DIFFERENCE } from '../verification/types.ts'
import { applyClaim, type DetectionInput, detectInterventions, whyFilesExpected } from './detect.ts'

const done: Claim = { ...NO_CLAIM, status: 'done', exitSignal: true, source: 'report' }
const words = parseHint('task_completed', [])
const changed = parseHint('changed("src/**")', [])

type Change = Partial<Omit<DetectionInput, 'decision'>> & {
  readonly decision?: Partial<DetectionInput['decision']>
}

/** Returns an attempt that exits with 0, claims completion of a task that requires changed files, and changed nothing. */
function attempt({ decision, ...change }: Change = {}): DetectionInput {
  return {
    taskId: 'job',
    outcome: 'completed',
    exitCode: 0,
    claim: done,
    hint: changed,
    decision: {
      verdict: 'not_verified',
      fault: 'agent',
      falseCompletion: true,
      groundTruthContradiction: false,
      findings: ['a check of this task fails'],
      ...decision,
    },
    difference: EMPTY_DIFFERENCE,
    work: change.difference ?? EMPTY_DIFFERENCE,
    fileClaims: [],
    evidence: [],
    evidenceCount: 0,
    contradictions: [],
    expectFiles: 'auto',
    dirty: false,
    feedback: null,
    refusals: [],
    remedy: null,
    ...change,
  }
}

const raised = (change: Change = {}) =>
  detectInterventions(attempt(change)).map(({ event_type }) => event_type)

const verified = { verdict: 'verified', fault: null, falseCompletion: false } as const

describe('no_files_detected', () => {
  test.each<[string, Change, boolean]>([
    ['no changes when the check calls changed()', {}, true],
    ['completed without an exit code, as protocol agents do', { exitCode: null }, true],
    ['an exit code other than 0', { exitCode: 1, outcome: 'error' }, false],
    ['a timeout', { exitCode: null, outcome: 'timeout' }, false],
    ['a refuted completion, whatever the check requires', { hint: words }, true],
    [
      'a wrong value for a bare probe, which requires no files',
      { hint: parseHint('mails', ['mails']) },
      false,
    ],
    [
      'a false expression when the agent says it is not done',
      { hint: words, claim: { ...NO_CLAIM, exitSignal: false } },
      false,
    ],
    ['a contract fault', { decision: { verdict: 'unclear', fault: 'contract' } }, false],
    ['an attempt stopped by its limit', { decision: { verdict: 'unclear', fault: 'limit' } }, false],
    [
      'only the contract changed',
      { difference: { ...EMPTY_DIFFERENCE, modified: ['HEARTBEAT.md'] }, work: EMPTY_DIFFERENCE },
      true,
    ],
    ['a claim of written files', { hint: words, claim: { ...done, files: [{ path: 'a.md' }] } }, true],
    ['expect_files = "always"', { hint: words, expectFiles: 'always' }, true],
    ['expect_files = "never"', { expectFiles: 'never' }, false],
    ['an agent that reports failure', { claim: { ...done, status: 'failed' } }, false],
    ['an agent that reports a skip', { claim: { ...done, status: 'skipped' } }, false],
    ['an agent that reports nothing', { claim: NO_CLAIM }, true],
    ['a deletion', { difference: { ...EMPTY_DIFFERENCE, deleted: ['a.md'] } }, false],
    ['a rename', { difference: { ...EMPTY_DIFFERENCE, renamed: [{ from: 'a', to: 'b' }] } }, false],
    ['a commit', { difference: { ...EMPTY_DIFFERENCE, headMoved: { from: 'a', to: 'b' } } }, false],
    ['an incomplete snapshot', { difference: { ...EMPTY_DIFFERENCE, incomplete: 'too many' } }, false],
    ['a file that git ignores', { fileClaims: [{ path: 'dist/a', finding: 'unmeasurable' }] }, false],
    ['a check that passed for another reason', { decision: verified }, false],
    ['the same if files are always expected', { decision: verified, expectFiles: 'always' }, true],
  ])('%s', (_name, change, expected) => {
    expect(raised(change).includes('no_files_detected')).toBe(expected)
  })
})

describe('false_completion_detected', () => {
  test.each<[string, Change, boolean]>([
    ['is raised if the verdict found one', {}, true],
    [
      'is not raised if the verdict found none',
      { decision: { ...verified, verdict: 'not_verified' } },
      false,
    ],
    [
      'is not raised if a broken probe hides whether anything changed',
      {
        hint: parseHint('mails > 0', ['mails']),
        decision: { verdict: 'unclear', fault: 'contract', falseCompletion: true },
      },
      false,
    ],
    [
      'is raised if only a gate could not run on a task judged by evidence',
      { hint: words, decision: { verdict: 'unclear', fault: 'environment', falseCompletion: true } },
      true,
    ],
  ])('%s', (_name, change, expected) => {
    expect(raised(change).includes('false_completion_detected')).toBe(expected)
  })
})

describe('evidence_validation_failed', () => {
  test('names missing files, what was claimed and what was found', () => {
    const [, failed] = detectInterventions(
      attempt({
        claim: { ...done, files: [{ path: 'a.md' }] },
        fileClaims: [{ path: 'a.md', finding: 'missing', reason: 'it did not change during the attempt' }],
        evidenceCount: 2,
      }),
    )
    expect(failed).toEqual({
      event_type: 'evidence_validation_failed',
      severity: 'warning',
      details: {
        task_id: 'job',
        return_code: 0,
        agent_return_code: 0,
        outcome: 'completed',
        exit_signal_claimed: true,
        files_written: 0,
        evidence_count: 2,
        claimed: 'status done, EXIT_SIGNAL: true, files a.md',
        found: ['a.md: it did not change during the attempt'],
        missing_files: ['a.md'],
        exit_signal_ignored: true,
        uncommitted_changes: false,
        note: expect.stringContaining('edits by anyone else'),
      },
    })
  })

  test('keeps long lists and texts short', () => {
    const fileClaims = Array.from({ length: 50 }, (_, index) => ({
      path: `${index}-${'x'.repeat(1000)}`,
      finding: 'missing' as const,
    }))
    const [, failed] = detectInterventions(attempt({ fileClaims }))
    expect(failed?.details.found).toHaveLength(21)
    expect(JSON.stringify(failed).length).toBeLessThan(15_000)
  })

  test('is raised if the program’s own report does not support a claim, and names each file once', () => {
    const unseen = {
      kind: 'test-run-unseen',
      subject: '',
      reason: 'says “tests pass”, but ran none',
    } as const
    const edit = { kind: 'edit-unseen', subject: 'a.md', reason: 'no edit of a.md' } as const
    const found = (change: Change) =>
      detectInterventions(attempt({ decision: verified, contradictions: [unseen, edit], ...change })).at(-1)
        ?.details
    expect(found({ hint: words })).toMatchObject({
      found: ['says “tests pass”, but ran none', 'no edit of a.md'],
      contradictions: ['test-run-unseen', 'edit-unseen'],
    })
    const fileClaims = [{ path: 'a.md', finding: 'missing' }] as const
    expect(found({ hint: words, fileClaims })?.found).toEqual([
      'a.md: it did not change during the attempt',
      'says “tests pass”, but ran none',
    ])
  })

  test('says that a claim of completion does not count while the repository is dirty', () => {
    const change = {
      hint: words,
      decision: { ...verified, verdict: 'unclear' } as const,
      difference: { ...EMPTY_DIFFERENCE, added: ['a.md'] },
      dirty: true,
    }
    expect(raised(change)).toEqual(['evidence_validation_failed'])
    const [named] = detectInterventions(attempt({ ...change, uncommitted: ['a.md'] }))
    expect(named?.details.found).toEqual([
      'the repository has uncommitted changes, and a clean one is required: a.md',
    ])
    expect(raised({ ...change, dirty: false })).toEqual([])
    expect(raised({ ...change, decision: verified })).toEqual([])
    expect(raised({ ...change, difference: EMPTY_DIFFERENCE })).toEqual([])
    expect(raised({ ...change, claim: { ...done, status: 'failed' } })).toEqual([])
  })
})

test('agent_reinforced reports what was in the prompt', () => {
  const raisedNow = detectInterventions(
    attempt({ hint: words, decision: verified, feedback: { messages: 2, aggressive: true } }),
  )
  expect(raisedNow).toMatchObject([
    {
      event_type: 'agent_reinforced',
      severity: 'info',
      details: { task_id: 'job', messages: 2, aggressive: true },
    },
  ])
})

test('raises nothing if the environment stopped the agent', () => {
  const decision = { verdict: null, fault: 'environment', falseCompletion: false } as const
  const fileClaims = [{ path: 'a', finding: 'missing' }] as const
  expect(raised({ decision, fileClaims, feedback: { messages: 1, aggressive: false } })).toEqual([])
})

test('raises each event once, and the critical one of a contradiction together with the others', () => {
  const fileClaims = [
    { path: 'a', finding: 'missing' },
    { path: 'b', finding: 'missing' },
  ] as const
  expect(raised({ fileClaims })).toEqual([
    'no_files_detected',
    'evidence_validation_failed',
    'false_completion_detected',
  ])
})

const unclear = { verdict: 'unclear', fault: 'agent' } as const
const notSaid = { ...NO_CLAIM, exitSignal: false } as const

test.each<[DetectionInput['expectFiles'], Change, boolean]>([
  ['auto', { hint: changed, claim: notSaid }, true],
  ['auto', { hint: words, claim: notSaid }, false],
  ['auto', { hint: parseHint('exists("changed")', []), claim: notSaid }, false],
  ['auto', { hint: words, claim: NO_CLAIM, decision: unclear }, true],
  ['auto', { hint: words, claim: { ...notSaid, files: [{ path: 'a' }] } }, true],
  ['auto', { hint: words, claim: done, decision: unclear }, false],
  ['auto', { hint: words, claim: done }, true],
  ['always', { hint: words, claim: notSaid }, true],
  ['always', { hint: words, claim: { ...done, status: 'failed' } }, false],
  ['always', { hint: words, decision: { verdict: 'unclear', fault: 'environment' } }, false],
  ['never', { hint: changed, claim: { ...done, files: [{ path: 'a' }] } }, false],
])('expects files: %s, %o → %s', (expectFiles, change, expected) => {
  expect(whyFilesExpected(attempt({ expectFiles, ...change })) !== null).toBe(expected)
})

describe('claim_refuted', () => {
  const worked = { ...EMPTY_DIFFERENCE, added: ['scratch.md'] }
  const missing = [{ path: 'a.md', finding: 'missing' }] as const
  const stale = [
    { reference: { kind: 'command' }, finding: 'wrong', reason: 'x' },
  ] as unknown as DetectionInput['evidence']
  const refuted = { falseCompletion: false } as const
  const wrong = {
    ...refuted,
    groundTruthContradiction: true,
    findings: ['you gave mails = 3; 0 was measured'],
  }
  test.each<[string, Change, 'warning' | 'critical' | null]>([
    ['a failing check after any work', { difference: worked, decision: refuted }, 'warning'],
    ['a wrong value', { difference: worked, decision: wrong }, 'critical'],
    [
      'a wrong value for a bare probe, with nothing written',
      { hint: parseHint('mails', ['mails']), decision: wrong },
      'critical',
    ],
    [
      'a wrong value from an agent that does not claim completion',
      { difference: worked, decision: wrong, claim: { ...NO_CLAIM, values: { mails: 3 } } },
      'critical',
    ],
    [
      'wrong evidence and a failing check',
      { difference: worked, decision: refuted, evidence: stale },
      'warning',
    ],
    [
      'a wrong value and a missing file',
      { difference: worked, decision: { ...wrong, findings: ['value', 'file'] }, fileClaims: missing },
      'critical',
    ],
    ['a missing file: already reported', { difference: worked, decision: wrong, fileClaims: missing }, null],
    ['a completion without a change: already reported', {}, null],
    [
      'an honest agent that reports failure',
      { difference: worked, decision: refuted, claim: { ...done, status: 'failed', exitSignal: false } },
      null,
    ],
    ['an agent that claimed nothing', { difference: worked, decision: refuted, claim: NO_CLAIM }, null],
    ['a verified task', { difference: worked, decision: verified }, null],
    [
      'an outcome that is not the agent’s fault',
      { difference: worked, decision: { ...refuted, verdict: 'unclear', fault: 'contract' } },
      null,
    ],
  ])('%s', (_name, change, severity) => {
    const found = detectInterventions(attempt(change)).filter(
      ({ event_type }) => event_type === 'claim_refuted',
    )
    expect(found.map((event) => event.severity)).toEqual(severity === null ? [] : [severity])
  })
})

test('ignores a claim of completion in a dirty repository, but nothing else that the agent says', () => {
  const worked = { ...EMPTY_DIFFERENCE, added: ['a.md'] }
  const ignored = { status: null, exitSignal: false, notes: [expect.stringContaining('uncommitted')] }
  const failed = { ...done, status: 'failed' } as const
  expect(applyClaim(done, false, worked)).toBe(done)
  expect(applyClaim(done, true, worked)).toMatchObject(ignored)
  expect(applyClaim({ ...done, status: null }, true, worked)).toMatchObject(ignored)
  expect(applyClaim(failed, true, worked)).toBe(failed)
  // Nothing changed, so the claim is judged as it was made.
  expect(applyClaim(done, true, EMPTY_DIFFERENCE)).toBe(done)
})

describe('check_rigged', () => {
  const seen = { ...EMPTY_DIFFERENCE, modified: ['src/a.ts'] }
  const hidden = { ...seen, hidden: ['src/a.ts'] }

  test.each<[string, Change, boolean]>([
    ['a change hidden from git, whatever the verdict', { difference: hidden, decision: verified }, true],
    [
      'a hidden change by an agent that reports failure',
      { difference: hidden, claim: { ...done, status: 'failed' } },
      true,
    ],
    ['a change visible in git', { difference: seen, decision: verified }, false],
    [
      'hooks, flags and stash that hid nothing',
      { difference: { ...seen, repository: ['the hook pre-commit was added'] }, decision: verified },
      false,
    ],
    [
      'an agent stopped by the environment',
      { difference: hidden, decision: { verdict: null, fault: 'environment' } },
      false,
    ],
  ])('%s', (_what, change, expected) => {
    expect(raised(change).includes('check_rigged')).toBe(expected)
  })

  test('names the files', () => {
    const [event] = detectInterventions(attempt({ difference: hidden, decision: verified }))
    expect(event).toMatchObject({ severity: 'critical', details: { hidden_files: ['src/a.ts'] } })
  })
})
