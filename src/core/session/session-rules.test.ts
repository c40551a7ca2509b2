import { describe, expect, it } from 'vitest'
import type { ChangeClaim, CheckSide, CustodyFinding } from '../change/types.ts'
import type { TestReport } from '../reports/test-report.ts'
import { answerStop, type MeasuredStop, pauseOf, sayRefutation } from './answer-stop.ts'
import { readHookCall } from './hook-call.ts'
import { judgeTurn, type TurnFacts } from './judge-turn.ts'
import { readSaid } from './said.ts'

const RED = { fact: '`npm test` fails (adds); it passed before this session.', repeat: 'npm test' }

describe('a stop with a contradicted claim', () => {
  const refused = (tree: string, prompt = '1') => ({ prompt, tree, blocked: true, wouldBlock: true })
  const stop = (change: Partial<MeasuredStop>): MeasuredStop => ({
    ...{ mode: 'gate', judgement: { refutations: [RED] }, tree: 'T3', prompt: '1', turns: [], isLate: false },
    ...change,
  })

  it.each<readonly [string, Partial<MeasuredStop>, readonly [boolean, boolean, boolean]]>([
    ['is sent back', {}, [true, true, false]],
    ['is sent back a second time', { turns: [refused('T1')] }, [true, true, false]],
    [
      'may stop the third time and leaves it to the operator',
      { turns: [refused('T1'), refused('T2')] },
      [false, false, true],
    ],
    ['may stop if nothing has changed since', { turns: [refused('T3')] }, [false, false, true]],
    [
      'may stop if it returned to a refused tree',
      { turns: [refused('T3'), refused('T2', '0')] },
      [false, false, true],
    ],
    [
      'is sent back again for a new prompt',
      { turns: [refused('T1', '0'), refused('T2', '0')] },
      [true, true, false],
    ],
    ['may stop if the tree is unknown', { tree: null }, [false, false, true]],
    ['is never sent back in shadow mode', { mode: 'shadow' }, [false, true, false]],
    [
      'reaches the limit in shadow mode as in gate mode',
      { mode: 'shadow', turns: [refused('T1'), refused('T2')] },
      [false, false, false],
    ],
    ['is not sent back if it is too late', { isLate: true }, [false, true, false]],
    ['may stop if nothing is contradicted', { judgement: { refutations: [] } }, [false, false, false]],
  ])('%s', (_title, change, [blocked, wouldBlock, stopped]) => {
    expect(answerStop(stop(change))).toEqual({ blocked, wouldBlock, stopped })
  })

  it('is reported as facts, with the command that shows it', () => {
    const said = sayRefutation([RED, RED])
    expect(said).toBe(
      'Pulseward measured: `npm test` fails (adds); it passed before this session. (And 1 more.) Repeat it with: npm test',
    )
    expect(said).not.toMatch(/\b(?:must|override|bypass|ignore)\b/i)
  })
})

describe('deciding whether to judge a stop', () => {
  const turn = { inFlight: null, isQuestion: false, claims: false, tree: 'B', lastTree: 'A' }
  it.each([
    ['judges if something changed', {}, null],
    ['judges a claim even if the tree is unchanged', { tree: 'A', claims: true }, null],
    ['does not judge without a change or claim', { tree: 'A' }, 'nothing-new'],
    [
      'does not judge while work is in flight, even with a claim',
      { inFlight: 'tests run', claims: true },
      'in-flight',
    ],
    ['does not judge if the agent asks the user', { isQuestion: true }, 'question'],
    ['judges if the tree is unknown', { tree: null }, null],
  ])('%s', (_title, change, pause) => {
    expect(pauseOf({ ...turn, ...change })).toBe(pause)
  })
})

describe('reading an agent’s message', () => {
  it.each([
    ['Should I use REST or gRPC?', { claims: false, isQuestion: true }],
    ['应该用 REST 还是 gRPC？', { claims: false, isQuestion: true }],
    ['هل أستخدم REST؟', { claims: false, isQuestion: true }],
    ['All tests pass. もう一つ必要ですか？', { claims: true, isQuestion: false }],
    ['All tests pass. Anything else?', { claims: true, isQuestion: false, needsChecks: true }],
    ['I added `src/new.ts`.', { claims: true, needsChecks: false }],
    ['The function adds two numbers.', { claims: false, isQuestion: false }],
    ['Done.', { claims: true, isDone: true }],
    ['I added `src/new.ts`. 3 of 5 tests fixed, 2 still failing.', { claims: true, isDone: false }],
    ['', { claims: false, isQuestion: false }],
  ])('%j', (text, expected) => {
    expect(readSaid(text, [])).toMatchObject(expected)
  })
})

const side = (change: Partial<CheckSide>): CheckSide => ({
  ...{
    status: 'passed',
    exitCode: 0,
    durationMs: 1,
    detail: '',
    passed: null,
    failed: null,
    skipped: null,
    failing: [],
  },
  ...change,
})
const report = (failed: readonly string[], passed: readonly string[]): TestReport =>
  ({
    format: 'tap',
    passed: passed.length,
    failed: failed.length,
    skipped: 0,
    executed: passed.length + failed.length,
    names: { passed: [...passed], failed: [...failed], skipped: [] },
  }) as unknown as TestReport
const command = ['npm', 'test']
const gate = { id: '\u00000', command, exitCode: 1, durationMs: 1, detail: 'exit code 1' }
const green = { ...gate, status: 'passed' as const, exitCode: 0 }
const red = { ...gate, status: 'failed' as const }
const check = (base: CheckSide | null) => ({ name: 'npm test', command, base, head: null })
const claim = (change: Partial<ChangeClaim>): ChangeClaim => ({
  ...{
    text: 'x',
    kind: 'tests-pass',
    subject: '',
    claimed: 'all tests pass',
    measured: 'a check fails',
    equal: false,
  },
  ...change,
})
const task = (verdict: 'verified' | 'not_verified', held = false) => ({
  ...{ taskId: 'fix', verdict, held, contradiction: false, fault: null, reasons: ['its check fails'] },
})
const finding = (code: CustodyFinding['code']): CustodyFinding => ({
  ...{ code, severity: 'warning', path: 'a.test.js', line: null, message: 'a test is gone' },
  ...{ subject: 'adds', holds: 'measured' },
})

function facts(change: Partial<TurnFacts>): TurnFacts {
  return {
    ...{
      claims: [],
      findings: [],
      gates: [],
      cleanRoom: null,
      lost: [],
      silenced: [],
      unreached: [],
      tasks: [],
      checks: [],
    },
    beside: null,
    isBaseKnown: true,
    isMessageRead: true,
    ...change,
  }
}

describe('a turn', () => {
  it.each<readonly [string, Partial<TurnFacts>, string | null, number]>([
    ['that breaks nothing is verified', { gates: [green], checks: [check(side({}))] }, 'verified', 0],
    ['with an unreported start is not verified', { gates: [green], isBaseKnown: false }, 'unclear', 0],
    ['with an unreadable message is not verified', { gates: [green], isMessageRead: false }, 'unclear', 0],
    [
      'that breaks committed work is refused, even with an unreported start',
      { gates: [red], checks: [check(side({}))], isBaseKnown: false },
      'not_verified',
      1,
    ],
    [
      'that breaks a passing check is refused',
      { gates: [red], checks: [check(side({}))] },
      'not_verified',
      1,
    ],
    [
      'that leaves a check failing with the same exit code as before contradicts nothing',
      { gates: [red], checks: [check(side({ status: 'failed' }))] },
      'unclear',
      0,
    ],
    [
      'that breaks another test is refused',
      {
        gates: [{ ...red, report: report(['old', 'new'], []), newlyFailing: ['new'] }],
        checks: [check(side({ status: 'failed', passed: 1, failed: 1, failing: ['old'] }))],
      },
      'not_verified',
      1,
    ],
    [
      'that fixes some of the failing tests is not refused',
      {
        gates: [{ ...red, report: report(['d', 'e'], ['a', 'b', 'c']), newlyFailing: [] }],
        checks: [check(side({ status: 'failed', passed: 0, failed: 5, failing: ['a', 'b', 'c', 'd', 'e'] }))],
      },
      'unclear',
      0,
    ],
    [
      'that lowers the count of failing tests is not refused',
      {
        gates: [{ ...red, report: report(['d'], []), newlyFailing: null }],
        checks: [check(side({ status: 'failed', passed: 0, failed: 5, failing: [] }))],
      },
      'unclear',
      0,
    ],
    [
      'that raises the count of failing tests is refused',
      {
        gates: [{ ...red, report: report(['d', 'e'], []), newlyFailing: null }],
        checks: [check(side({ status: 'failed', passed: 0, failed: 1, failing: [] }))],
      },
      'not_verified',
      1,
    ],
    ['with nothing measured is unclear', {}, 'unclear', 0],
    [
      'with only a true claim measured is unclear',
      { claims: [claim({ kind: 'file', equal: true })] },
      'unclear',
      0,
    ],
    [
      'whose check could not be run is unclear',
      { gates: [{ ...gate, status: 'unavailable' }] },
      'unclear',
      0,
    ],
    ['with a verified task but no gate is verified', { tasks: [task('verified')] }, 'verified', 0],
    [
      'whose task is held for review is unclear',
      { gates: [green], tasks: [task('verified', true)] },
      'unclear',
      0,
    ],
    [
      'with an unknown base is not contradicted by a failing check',
      { gates: [red], checks: [check(null)] },
      'not_verified',
      0,
    ],
    ['with a contradicted claim is refused', { claims: [claim({})] }, 'not_verified', 1],
    [
      'with a claim that nothing measures is verified',
      { claims: [claim({ equal: null })], gates: [green] },
      'verified',
      0,
    ],
    ['that loses tests is refused', { gates: [green], lost: ['adds zero'] }, 'not_verified', 1],
    [
      'that loses tests is refused, even if others failed before',
      { gates: [red], checks: [check(side({ status: 'failed' }))], lost: ['adds zero'] },
      'not_verified',
      1,
    ],
    [
      'that loses tests is refused, even if another check cannot be run',
      { gates: [green, { ...gate, status: 'unavailable' }], lost: ['adds zero'] },
      'not_verified',
      1,
    ],
    [
      'whose lost tests another session may have removed is unclear',
      { gates: [green], lost: ['adds zero'], beside: 'another session' },
      'unclear',
      0,
    ],
    [
      'that removes a test outside all reports is reported',
      { gates: [green], findings: [finding('test-removed')] },
      'unclear',
      0,
    ],
    [
      'that moves a test outside all reports is reported',
      { gates: [green], findings: [finding('test-removed')], cleanRoom: { kind: 'ran', gates: [green] } },
      'unclear',
      0,
    ],
    [
      'that removes a test is verified if the report shows none lost',
      { gates: [{ ...green, report: report([], ['a']) }], findings: [finding('test-removed')] },
      'verified',
      0,
    ],
    [
      'that only moved its tests is verified',
      {
        gates: [{ ...green, report: report([], ['a', 'b']) }],
        lost: ['old name'],
        cleanRoom: { kind: 'ran', gates: [{ ...green, report: report([], ['a', 'b']) }] },
      },
      'verified',
      0,
    ],
    [
      'that renames tests and weakens their file is reported, not sent back',
      {
        gates: [{ ...green, report: report([], ['a', 'b']) }],
        lost: ['old name'],
        findings: [{ ...finding('protected-file-weakened'), subject: 'weakened' }],
        cleanRoom: { kind: 'ran', gates: [{ ...green, report: report([], ['a', 'b']) }] },
      },
      'unclear',
      0,
    ],
    [
      'that loses a test and weakens a file is sent back',
      {
        gates: [{ ...green, report: report([], ['a']) }],
        lost: ['old name'],
        findings: [{ ...finding('protected-file-weakened'), subject: 'weakened' }],
        cleanRoom: { kind: 'ran', gates: [{ ...green, report: report([], ['a', 'b']) }] },
      },
      'not_verified',
      1,
    ],
    [
      'that passes only with its own check files is reported, not sent back',
      { gates: [green], cleanRoom: { kind: 'ran', gates: [red] } },
      'unclear',
      0,
    ],
    [
      'whose failing check another session may have broken is unclear',
      { gates: [red], checks: [check(side({}))], beside: 'another session' },
      'unclear',
      0,
    ],
    [
      'that claims a missing file is refused, even beside another session',
      { claims: [claim({ kind: 'file', subject: 'a.ts' })], beside: 'another session' },
      'not_verified',
      1,
    ],
  ])('%s', (_title, change, verdict, refutations) => {
    const judged = judgeTurn(facts(change))
    expect({ verdict: judged.verdict, refutations: judged.refutations.length }).toEqual({
      verdict,
      refutations,
    })
  })
})

/** Input as real programs write it, including hostile and broken cases. */
describe('reading a hook’s input', () => {
  it.each<readonly [string, 'claude' | 'codex' | 'gemini' | 'copilot' | 'cursor', unknown, object | null]>([
    [
      'Claude Code',
      'claude',
      {
        ...{ session_id: 'a', transcript_path: '/t', cwd: '/w', prompt_id: 'p', permission_mode: 'default' },
        ...{
          hook_event_name: 'Stop',
          stop_hook_active: false,
          last_assistant_message: 'Done.',
          background_tasks: [],
        },
      },
      { sessionId: 'a', turnId: 'p', cwd: '/w', lastMessage: 'Done.', isAgain: false, inFlight: null },
    ],
    [
      'running background tasks',
      'claude',
      { session_id: 'a', background_tasks: [{ id: '1', status: 'running' }] },
      { inFlight: 'background tasks are still running' },
    ],
    [
      'finished background tasks',
      'claude',
      { background_tasks: [{ status: 'completed' }] },
      { inFlight: null },
    ],
    ['a schedule', 'claude', { session_crons: [{}] }, { inFlight: 'the agent will be woken on a schedule' }],
    ['plan mode', 'claude', { permission_mode: 'plan' }, { inFlight: 'the agent is planning' }],
    ['a subagent', 'codex', { agent_id: 'x' }, { inFlight: 'a subagent ended, not the agent' }],
    [
      'Codex',
      'codex',
      { session_id: 'a', turn_id: 't', last_assistant_message: null },
      { turnId: 't', lastMessage: null },
    ],
    [
      'Gemini',
      'gemini',
      { session_id: 'a', prompt: 'Fix it', prompt_response: 'Fixed.' },
      { lastMessage: 'Fixed.' },
    ],
    [
      'Copilot',
      'copilot',
      { sessionId: 'a', transcriptPath: '/e.jsonl', stopReason: 'end_turn' },
      { sessionId: 'a', transcriptPath: '/e.jsonl', inFlight: null },
    ],
    [
      'Cursor',
      'cursor',
      {
        conversation_id: 'a',
        generation_id: 'g',
        status: 'completed',
        loop_count: 1,
        workspace_roots: ['/w'],
      },
      { sessionId: 'a', turnId: 'g', cwd: '/w', isAgain: true, inFlight: null },
    ],
    ['an aborted turn', 'cursor', { status: 'aborted' }, { inFlight: 'the turn was interrupted' }],
    [
      'wrong types',
      'claude',
      { session_id: 7, cwd: {}, background_tasks: 'no', last_assistant_message: [] },
      { sessionId: null, cwd: null, lastMessage: null, inFlight: null },
    ],
    ['an id that is too long', 'claude', { session_id: 'x'.repeat(5000) }, { sessionId: null }],
    [
      'input that the hook could not read',
      'claude',
      { session_id: 'a', pulseward_unreadable: true },
      { sessionId: 'a', isUnreadable: true },
    ],
    ['a start after compaction', 'claude', { source: 'compact' }, { isContinued: true }],
    ['a list', 'claude', [], null],
    ['null', 'claude', null, null],
  ])('%s', (_title, agent, input, expected) => {
    const call = readHookCall(agent, 'stop', JSON.stringify(input))
    if (expected === null) expect(call).toBeNull()
    else expect(call).toMatchObject(expected)
  })

  it.each(['', '{', 'no JSON', '\u0000', '{"session_id":'])('returns nothing for %j', (text) => {
    expect(readHookCall('claude', 'stop', text)).toBeNull()
  })
})
