import { describe, expect, it } from 'vitest'
import type { AgentActivity, AgentEvent } from '../activity/types.ts'
import { type Claim, NO_CLAIM } from '../claims/types.ts'
import { matchFileClaims } from './file-claims.ts'
import { reconcile } from './reconcile.ts'
import type { Sources } from './sources.ts'
import { EMPTY_DIFFERENCE } from './types.ts'

const root = '/home/operator/project'

const activityOf = (calls: readonly AgentEvent[], more: Partial<AgentActivity> = {}): AgentActivity => ({
  sessionId: null,
  model: null,
  version: null,
  usage: null,
  calls: [...calls],
  omittedCalls: 0,
  unknownEvents: {},
  final: null,
  ...more,
})

const ran = (command: string, exitCode: number | null = 0): AgentEvent => ({
  kind: 'command',
  callId: null,
  tool: 'Bash',
  command,
  exitCode,
  status: exitCode === 0 ? 'succeeded' : 'failed',
})

const edited = (
  path: string,
  status: Extract<AgentEvent, { kind: 'edit' }>['status'] = 'succeeded',
): AgentEvent => ({ kind: 'edit', callId: null, tool: 'Write', path, change: null, status })

const tool = (name: string): AgentEvent => ({
  kind: 'tool',
  callId: null,
  tool: name,
  detail: '',
  status: 'succeeded',
})

interface Given {
  readonly said?: string
  readonly claim?: Partial<Claim>
  readonly calls?: readonly AgentEvent[]
  readonly activity?: Partial<AgentActivity> | null
  readonly changed?: readonly string[]
  readonly measurable?: readonly (true | string)[]
  readonly reach?: boolean
  readonly more?: Partial<Sources>
}

function given({
  said = '',
  claim,
  calls = [],
  activity,
  changed = [],
  measurable,
  reach = true,
  more,
}: Given) {
  const whole: Claim = { ...NO_CLAIM, status: 'done', ...claim }
  const difference = { ...EMPTY_DIFFERENCE, modified: changed }
  return reconcile({
    claim: whole,
    output: said,
    activity: activity === null ? null : activityOf(calls, activity),
    reach: { edits: reach, commands: reach },
    fileClaims: matchFileClaims(whole.files, difference, measurable ?? whole.files.map(() => true), root),
    difference,
    comparisons: [],
    gates: [],
    root,
    ...more,
  })
}

const kindsOf = (sources: Given): readonly string[] => given(sources).contradictions.map(({ kind }) => kind)

const allPass = 'I fixed it. All tests pass.'

describe('a claimed test run', () => {
  it('is unseen if no command could have run tests', () => {
    const { contradictions, rows } = given({
      said: allPass,
      calls: [ran('ls -la'), ran('git diff'), edited('a.ts')],
    })
    expect(contradictions).toEqual([
      {
        kind: 'test-run-unseen',
        subject: '',
        reason: 'says “All tests pass”, but its program reports no command that could have run tests',
      },
    ])
    expect(rows).toContainEqual({
      kind: 'test-run',
      subject: 'tests',
      claimed: 'All tests pass',
      reported: 'no test command',
      snapshot: null,
      measured: null,
      agrees: false,
    })
  })

  it('is unseen if the command was refused', () => {
    const refused = { ...ran('npm test', null), status: 'denied' } as AgentEvent
    expect(kindsOf({ said: allPass, calls: [refused] })).toEqual(['test-run-unseen'])
  })

  it.each([
    ['the tests themselves', ran('npm test')],
    ['a shell that runs them', ran("/bin/bash -lc 'npm test'")],
    ['a script', ran('./scripts/verify.sh')],
    ['an alias or any other program', ran('t')],
    ['a make target', ran('make')],
    ['a custom program', ran('python3 check.py')],
    ['a chain with another last command', ran('npm test && git status')],
    ['a command inside another', ran('echo "$(npm test)"')],
    ['a commit hook', ran('git commit -m done')],
    ['a search that runs tests', ran('find . -name "*.test.js" -exec node {} +')],
    ["a server's tool", tool('mcp__runner__run_tests')],
    ['a subagent', tool('Task')],
    ['an unknown tool', tool('Execute')],
  ])('may have been %s', (_what, call) => {
    expect(kindsOf({ said: allPass, calls: [call] })).toEqual([])
  })

  it.each(['Read', 'Grep', 'read_file', 'web_fetch', 'TodoWrite', 'mcp__pulseward__report_task'])(
    'was not %s',
    (name) => {
      expect(kindsOf({ said: allPass, calls: [tool(name)] })).toEqual(['test-run-unseen'])
    },
  )

  it.each<[string, Given]>([
    ['the program reports nothing', { activity: null }],
    ['its stream may hide commands', { reach: false }],
    ['calls were omitted', { activity: { omittedCalls: 3 } }],
    ['there were unknown events about tools', { activity: { unknownEvents: { tool_batch: 1 } } }],
    ['the agent says that it failed', { claim: { status: 'failed' } }],
    ['it says nothing about tests', { said: 'I fixed it.' }],
  ])('accuses no one if %s', (_why, sources) => {
    expect(kindsOf({ said: allPass, ...sources })).toEqual([])
  })

  it('is contradicted by the exit code of the last run', () => {
    const { contradictions, rows } = given({
      said: allPass,
      calls: [ran('npm ci'), ran("/bin/bash -lc 'cd app && npm test'", 1)],
    })
    expect(contradictions).toMatchObject([
      {
        kind: 'command-failed',
        subject: 'cd app && npm test',
        reason:
          'says “All tests pass”, but `cd app && npm test`, the last command that ran tests, ended with exit code 1',
      },
    ])
    expect(rows).toMatchObject([{ reported: 'cd app && npm test: exit code 1', agrees: false }])
  })

  it.each<[string, readonly AgentEvent[]]>([
    ['it passed on the second try', [ran('npm test', 1), ran('npm test')]],
    ['another command reran the tests', [ran('npm test', 1), ran('npx vitest run')]],
    ['something after the tests may have failed', [ran('npm test && git push', 1)]],
    ['a pipe may have failed', [ran('npm test | grep -c passed', 1)]],
    ['its exit code is not known', [ran('npm test', null)]],
    ['the failed command was not a test', [ran('npm run build', 2)]],
    ['the failed command only mentions tests', [ran('git commit -m "add test"', 1)]],
    ['the failed command only has tests in a path', [ran('node src/test-helpers/setup.js', 1)]],
  ])('is not contradicted by an exit code if %s', (_why, calls) => {
    expect(kindsOf({ said: allPass, calls })).toEqual([])
  })

  it('is not contradicted if the agent says that some failed', () => {
    expect(kindsOf({ said: 'I ran the tests: 10 passed, 2 failed.', calls: [ran('npm test', 1)] })).toEqual(
      [],
    )
  })

  it('is shown with what the gates measured', () => {
    const gates = [
      { command: ['npm', 'test'], status: 'failed', exitCode: 1, detail: '', durationMs: 1 } as const,
    ]
    const { rows } = given({ said: allPass, calls: [ran('npm test')], more: { gates } })
    expect(rows).toMatchObject([
      { reported: 'npm test: exit code 0', measured: 'gate npm test failed with exit code 1', agrees: null },
    ])
  })
})

describe('a claimed file', () => {
  const files = [{ path: 'src/a.ts' }]

  it('agrees if the snapshot shows it, whatever the program reports', () => {
    const { rows, contradictions } = given({ claim: { files }, changed: ['src/a.ts'] })
    expect(contradictions).toEqual([])
    expect(rows).toEqual([
      {
        kind: 'file',
        subject: 'src/a.ts',
        claimed: 'written',
        reported: 'no edit',
        snapshot: 'changed',
        measured: null,
        agrees: true,
      },
    ])
  })

  it('is unseen if neither an edit nor the snapshot shows it', () => {
    expect(given({ claim: { files } }).contradictions).toEqual([
      {
        kind: 'edit-unseen',
        subject: 'src/a.ts',
        reason:
          'claims to have written src/a.ts, but its program reports no edit of it, and it did not change',
      },
    ])
  })

  it('is denied if the edit was refused', () => {
    const { contradictions, rows } = given({
      claim: { files },
      calls: [edited(`${root}/src/a.ts`, 'denied')],
    })
    expect(contradictions).toMatchObject([{ kind: 'edit-denied', subject: 'src/a.ts' }])
    expect(rows).toMatchObject([{ reported: 'edit refused', snapshot: 'unchanged', agrees: false }])
  })

  it.each<[string, Given]>([
    ['it was edited and then changed back', { calls: [edited('src/a.ts')] }],
    [
      'it was edited through another path to the same folder',
      { calls: [edited('/private/project/src/a.ts')] },
    ],
    ['it was refused once and then written', { calls: [edited('src/a.ts', 'denied'), edited('src/a.ts')] }],
    ['the stream may hide edits', { reach: false }],
    ['the program reports nothing', { activity: null }],
    [
      'it cannot be measured and a command may have written it',
      { measurable: ['git ignores it'], calls: [ran('echo x > src/a.ts')] },
    ],
    [
      "it cannot be measured and a server's tool may have written it",
      { measurable: ['git ignores it'], calls: [tool('mcp__files__put')] },
    ],
  ])('does not accuse an agent based on the event stream if %s', (_why, sources) => {
    expect(kindsOf({ claim: { files }, ...sources })).toEqual([])
  })

  it('is unseen if it cannot be measured and the program did nothing at all', () => {
    expect(kindsOf({ claim: { files }, measurable: ['git ignores it'] })).toEqual(['edit-unseen'])
  })

  it('is shown even if it was not claimed, with what is known about it', () => {
    const { rows } = given({
      changed: ['src/b.ts'],
      calls: [edited('src/c.ts', 'failed'), edited('/etc/hosts')],
    })
    expect(
      rows.map(({ subject, reported, snapshot, agrees }) => [subject, reported, snapshot, agrees]),
    ).toEqual([
      ['src/b.ts', 'no edit', 'changed', null],
      ['src/c.ts', 'edit failed', 'unchanged', null],
    ])
  })
})

it('shows values with their measurements, and everything within limits', () => {
  const files = Array.from({ length: 100 }, (_, index) => ({ path: `f${index}.ts` }))
  const { rows, contradictions } = given({
    claim: { files },
    more: { comparisons: [{ subject: 'mails', claimed: '3', measured: '0', agrees: false }] },
  })
  expect(rows).toHaveLength(40)
  expect(contradictions).toHaveLength(20)
  expect(
    given({ more: { comparisons: [{ subject: 'mails', claimed: '3', measured: '0', agrees: false }] } }).rows,
  ).toEqual([
    {
      kind: 'value',
      subject: 'mails',
      claimed: '3',
      reported: null,
      snapshot: null,
      measured: '0',
      agrees: false,
    },
  ])
})
