import type { Heartbeat } from '../../src/core/read-model/heartbeat.ts'
import type { Notice } from '../../src/core/read-model/notice.ts'
import type { TrustItem } from '../../src/core/read-model/trust.ts'
import type { WorkspaceDetail } from '../../src/core/read-model/workspace.ts'
import { aMonth, twoAgents } from './agent-fixtures.ts'
import type { Scenario } from './fake-client.ts'
import {
  type Attempt,
  aDetail,
  anAttempt,
  aScore,
  aTask,
  aWorkspace,
  compared,
  daysBefore,
  iso,
  needsOf,
} from './fixtures.ts'
import { aProfile, blockedQueue, interventionRecord, manyBlocked } from './intervention-fixtures.ts'
import { aLongTimeline, aTimeline } from './timeline-fixtures.ts'

const MINUTE = 60_000

function heartbeat(
  cycle: number,
  atMs: number,
  worst: Heartbeat['worst'],
  some: Partial<Heartbeat> = {},
): Heartbeat {
  const at = iso(atMs)
  return { state: 'done', at, finishedAt: at, cycle, count: 1, detail: '', worst, ...some }
}

/** A day's run of heartbeats with plausible points, newest first, so that the pulse has a shape. */
function aDayOfHeartbeats(nowMs: number, pattern: string): { heartbeats: Heartbeat[]; attempts: Attempt[] } {
  const meaning: Record<string, [Heartbeat['worst'], number]> = {
    v: ['verified', 10],
    V: ['verified', 25],
    u: ['unclear', -2],
    n: ['not_verified', -15],
    c: ['contradiction', -45],
    e: ['environment', 0],
  }
  const heartbeats: Heartbeat[] = []
  const attempts: Attempt[] = []
  ;[...pattern].forEach((letter, index) => {
    const cycle = index + 1
    const atMs = nowMs - (pattern.length - index) * 18 * MINUTE
    // The fixture's day is UTC's: what would lie before midnight is left out.
    if (iso(atMs).slice(0, 10) !== iso(nowMs).slice(0, 10)) return
    if (letter === 'm')
      heartbeats.unshift(heartbeat(cycle, atMs, null, { state: 'missed', cycle: null, count: 3 }))
    else if (letter === 's')
      heartbeats.unshift(heartbeat(cycle, atMs, null, { state: 'skipped', cycle: null, detail: 'paused' }))
    else {
      const [worst, points] = meaning[letter] ?? ['verified', 10]
      heartbeats.unshift(heartbeat(cycle, atMs, worst))
      attempts.unshift(anAttempt('earlier', cycle, atMs, { points }))
    }
  })
  return { heartbeats, attempts }
}

function backend(nowMs: number): WorkspaceDetail {
  const day = aDayOfHeartbeats(nowMs, 'vVvvuvVnvVmVvvecvVvvV')
  const cycle = 22
  const at = (minutes: number) => nowMs - minutes * MINUTE
  const score = aScore(
    {
      workspace: 'backend',
      score: 82,
      target: 91,
      verified: 14,
      failed: 2,
      contradictions: 1,
      unclear: 2,
      streakDays: 2,
      reward: 'excellent',
      intervalMinutes: 20,
    },
    nowMs,
  )
  const workspace = aWorkspace(
    'backend',
    {
      score,
      shield: 'excellent',
      standingMessage: 'Excellent: strong, verified work today, 9 points to target. Keep it up.',
      running: {
        cycle,
        startedAt: iso(at(2)),
        attempt: {
          attemptId: 'tidy_inbox-22',
          taskId: 'tidy_inbox',
          startedAt: iso(nowMs - 41_000),
          timeoutSeconds: 180,
        },
      },
      counts: { open: 2, verified: 2, failed: 2, skipped: 0, blocked: 1 },
      lastIntervention: noticed(nowMs, 2),
    },
    nowMs,
  )
  const tasks = [
    aTask('check_email', 'Count the new messages and summarise them in notes/inbox.md', {
      verify: 'email_count',
      status: 'verified',
      attempts: 1,
      line: 5,
    }),
    aTask('write_report', 'Write the weekly report into report.md', {
      verify: 'exists("report.md")',
      status: 'failed',
      attempts: 2,
      line: 6,
    }),
    aTask('tidy_inbox', 'Archive everything older than 30 days', { line: 7, required: false }),
    aTask('run_tests', 'Make the test suite pass', {
      verify: 'tests.passed == tests.total',
      status: 'failed',
      attempts: 3,
      blocked: true,
      line: 8,
    }),
    aTask('update_changelog', 'Add what changed since the last release', {
      verify: 'done',
      line: 9,
      attempts: 1,
      criteria: ['Grouped by kind', 'Links to issues'],
    }),
    aTask('fetch_invoices', 'Download the invoices of this month', { line: 10, verify: 'invoice_count > 0' }),
    aTask('sweep_logs', 'Delete logs older than a week', {
      line: 11,
      verify: 'log_count == 0',
      status: 'pending',
    }),
  ]
  const attempts = [
    anAttempt('check_email', cycle, at(1.6), {
      comparisons: [compared('email_count', '3', '3')],
      reasons: ['claimed email_count = 3, measured 3'],
      feedback: 'up',
    }),
    anAttempt('write_report', cycle, at(1.2), {
      verdict: 'not_verified',
      groundTruthContradiction: true,
      fault: 'agent',
      points: -45,
      comparisons: [compared('report.md', 'written', 'not written')],
      reasons: ['report.md was claimed as written, and no change shows it'],
    }),
    anAttempt('run_tests', cycle, at(1.9), {
      verdict: 'not_verified',
      fault: 'agent',
      points: -15,
      outcome: 'completed',
      comparisons: [compared('tests.passed', '214', '214')],
      reasons: ['tests.passed == tests.total is false: tests.passed = 214, tests.total = 219'],
    }),
    anAttempt('update_changelog', cycle, at(1.8), {
      verdict: 'unclear',
      fault: 'contract',
      points: -2,
      reasons: ['nothing measured confirms or refutes it: the hint “done” names no probe'],
    }),
    anAttempt('fetch_invoices', cycle, at(1.5), {
      verdict: null,
      fault: 'environment',
      outcome: 'unavailable',
      points: 0,
      reasons: ['codex is not logged in'],
      remedy: 'Run `codex login`, then run the heartbeat again.',
    }),
    anAttempt('write_report', cycle - 1, at(21), {
      comparisons: [compared('report.md', 'written', 'written')],
      reasons: ['exists("report.md") holds'],
    }),
    anAttempt('write_report', cycle - 2, at(39), {
      verdict: 'unclear',
      fault: 'agent',
      points: -2,
      reasons: ['it ended without a claim'],
      outcome: 'timeout',
      durationMs: 180_000,
    }),
    ...day.attempts,
  ]
  return aDetail(
    workspace,
    {
      tasks,
      attempts,
      heartbeats: [
        heartbeat(cycle, at(2), 'contradiction', { state: 'running', finishedAt: null, worst: null }),
        ...day.heartbeats,
      ],
      diagnostics: [
        {
          severity: 'warning',
          code: 'vague-hint',
          message: '“done” is too vague to be measured: name a probe or an expression.',
          line: 9,
          column: 64,
        },
        {
          severity: 'error',
          code: 'duplicate-id',
          message: 'check_email is the id of the task in line 5 already.',
          line: 14,
          column: 7,
        },
      ],
      history: {
        ...aDetail(workspace, {}, nowMs).history,
        history: daysBefore(nowMs, [
          [75, 50],
          [90, 75],
          [60, 82],
          [-24, 82],
          [110, 82],
          [120, 84],
          [30, 91],
        ]),
        targetFloor: 91,
      },
    },
    nowMs,
  )
}

function others(nowMs: number): WorkspaceDetail[] {
  const of = (
    id: string,
    points: number,
    shield: WorkspaceDetail['shield'],
    some: Partial<WorkspaceDetail> = {},
  ) =>
    aDetail(
      aWorkspace(id, { score: aScore({ workspace: id, score: points }, nowMs), shield, ...some }, nowMs),
      some,
      nowMs,
    )
  return [
    of('inbox', -10, 'escalated', {
      notices: [notice('backed-off', nowMs), notice('tick-contradicted', nowMs)],
    }),
    of('website', 44, 'good', { lastIntervention: noticed(nowMs, 31) }),
    of('sample', 0, 'none', {
      score: {
        ...aScore({ workspace: 'sample' }, nowMs),
        lifetime: { ...aScore({}, nowMs).lifetime, daysTracked: 0 },
      },
    }),
    of('docs', 12, 'paused', { paused: { since: iso(nowMs - MINUTE), until: null } }),
    of('shop', 5, 'suspended', {
      suspended: {
        since: iso(nowMs - MINUTE),
        reason: '3 attempts that changed no file within the last 5 iterations',
      },
    }),
  ]
}

function notice(code: 'backed-off' | 'tick-contradicted', nowMs: number): Notice {
  const at = iso(nowMs - 4 * MINUTE)
  return code === 'backed-off'
    ? {
        code,
        taskId: null,
        message: 'Not run: codex is not logged in. Next try in 4 minutes.',
        remedy: 'Run `codex login`.',
        at,
      }
    : {
        code,
        taskId: 'sweep_logs',
        message:
          'sweep_logs is checked in HEARTBEAT.md, and log_count == 0 does not hold: it is open all the same.',
        remedy: null,
        at,
      }
}

const OUTPUT = [
  'Reading the inbox …\n',
  '\u001b[32m12 messages older than 30 days\u001b[0m\n',
  'Archiving 1/12\rArchiving 2/12\rArchiving 7/12',
  '\nArchived 7 of 12, waiting for the server\n',
]

function usual(nowMs: number): Scenario {
  const coloured =
    '\u001b[1mRunning\u001b[0m \u001b[32mok\u001b[0m \u001b[31mfailed\u001b[0m \u001b[33mslow\u001b[0m \u001b[2mdim\u001b[0m \u001b[36mcyan\u001b[0m \u001b[34mblue\u001b[0m \u001b[35mpink\u001b[0m \u001b[41mmarked\u001b[0m\n'
  const logs = {
    'write_report-22': `${coloured}${'Thinking about the report.\n'.repeat(40)}EXIT_SIGNAL: true\n`,
  }
  return {
    workspaces: [backend(nowMs), ...others(nowMs)],
    output: OUTPUT,
    logs,
    blocked: blockedQueue(nowMs).slice(1, 2),
    interventions: interventionRecord(nowMs),
    profile: aProfile(),
    agents: twoAgents(),
    figures: aMonth(nowMs),
    timeline: aTimeline(nowMs),
  }
}

/** Each workspace's last intervention, some minutes ago. */
function noticed(nowMs: number, minutes: number): WorkspaceDetail['lastIntervention'] {
  return {
    id: `9-${minutes}`,
    timestamp: iso(nowMs - minutes * MINUTE),
    task_id: 'write_report',
    event_type: minutes % 2 === 0 ? 'false_completion_detected' : 'evidence_validation_failed',
    severity: minutes % 2 === 0 ? 'critical' : 'warning',
  }
}

/** The standing by points of a target of 90. */
function shieldOf(points: number): WorkspaceDetail['shield'] {
  const steps = [
    [-18, 'lockdown'],
    [0, 'escalated'],
    [13.5, 'tightened'],
    [22.5, 'warning'],
    [45, 'none'],
    [63, 'good'],
    [81, 'excellent'],
  ] as const
  return steps.find(([below]) => points < below)?.[1] ?? 'outstanding'
}

function full(nowMs: number): Scenario {
  const first = backend(nowMs)
  const long = 'A description that goes on for longer than anybody would like it to, '.repeat(6)
  const more = Array.from({ length: 53 }, (_, index) =>
    aTask(
      `generated_task_with_a_rather_long_identifier_${index + 1}`,
      index % 5 === 0 ? long : `Task number ${index + 1}`,
      { line: 20 + index, required: index % 3 !== 0 },
    ),
  )
  const rtl = aTask('بريد_جديد', 'اقرأ الرسائل الجديدة واكتب ملخصًا في notes/inbox.md', { line: 90 })
  const crowd = Array.from({ length: 29 }, (_, index) => {
    const workspace = aWorkspace(
      index === 6 ? 'مساحة-عمل-البريد' : `workspace-with-a-long-name-${index + 1}`,
      {
        score: aScore(
          {
            score: index * 7 - 60,
            target: 90,
            verified: index,
            failed: index % 4,
            contradictions: index % 9 === 0 ? 1 : 0,
          },
          nowMs,
        ),
        shield: shieldOf(index * 7 - 60),
        counts: {
          open: index % 4,
          verified: index % 6,
          failed: index % 3,
          skipped: 0,
          blocked: index % 10 === 4 ? 2 : 0,
        },
        lastIntervention: index % 3 === 0 ? noticed(nowMs, index + 2) : null,
      },
      nowMs,
    )
    const days = Array.from(
      { length: index % 8 },
      (_, day) => [((day * 37 + index * 11) % 130) - 20, 90] as const,
    )
    const detail = aDetail(workspace, {}, nowMs)
    return { ...detail, history: { ...detail.history, history: daysBefore(nowMs, days), targetFloor: 80 } }
  })
  first.tasks = [...first.tasks, rtl, ...more]
  first.attempts = [
    anAttempt('بريد_جديد', 22, nowMs - 90_000, {
      verdict: 'not_verified',
      groundTruthContradiction: true,
      points: -45,
      comparisons: [
        compared('ملخص.md', 'مكتوب', 'غير مكتوب'),
        compared('unread', '0', '12'),
        compared('a.long/path/that/does/not/fit/into/the/column/summary-of-the-day.md', 'written', 'written'),
        compared('x', '1', '1'),
      ],
    }),
    ...first.attempts,
  ]
  first.notices = [notice('backed-off', nowMs), notice('tick-contradicted', nowMs)]
  first.path = '/home/somebody/with/a/very/long/path/to/the/folder/that/holds/the/workspace/backend'
  const flood = Array.from({ length: 4000 }, (_, index) => `${index} ${'output '.repeat(20)}\n`)
  return {
    workspaces: [first, ...crowd],
    output: [...flood, 'x'.repeat(5000), '\nthe end\n'],
    blocked: manyBlocked(nowMs),
    profile: aProfile({ total_iterations: 412 }),
    agents: twoAgents(),
    figures: aMonth(nowMs),
    timeline: aLongTimeline(100_000, nowMs),
  }
}

function lockdown(nowMs: number): Scenario {
  const first = backend(nowMs)
  first.score = {
    ...first.score,
    score: -38,
    percent: -41.8,
    pointsToTarget: 129,
    failed: 6,
    contradictions: 2,
    verified: 2,
    penalty: 'lockdown',
    reward: 'none',
    intervalMinutes: 8,
  }
  first.shield = 'lockdown'
  first.running = null
  first.standingMessage =
    'Lockdown: −38 of 91 points is below −20 % of the target. Every task counts as required, and the operator is notified.'
  first.history.today = { ...first.history.today, score: -38 }
  first.notices = [notice('backed-off', nowMs), notice('tick-contradicted', nowMs)]
  return { workspaces: [first, ...others(nowMs)] }
}

const CONFIG =
  '[agent]\nid = "claude"\nkind = "command"\ncommand = ["claude", "-p", "--permission-mode", "acceptEdits"]\nprompt = "stdin"\n\n[probes.email_count]\ncommand = ["./count-mail"]\nparse = "number"\n\n[gates]\ncommands = [["npm", "test"]]\n'

function trustItem(purpose: string, when: TrustItem['when'], command: string[]): TrustItem {
  const isShell = command[0] === 'sh'
  const warnings = [
    ...(isShell ? ['It hands a text to a shell, which can run any further command.'] : []),
    ...command
      .filter((word) => word.startsWith('--dangerously'))
      .map((word) => `With ${word} the agent does anything without asking or being held back.`),
    ...(command[0]?.startsWith('/') ? ['It is outside this folder.'] : []),
  ]
  return { purpose, when, command, kind: 'command', warnings, isNew: false }
}

function withTrust(
  nowMs: number,
  trust: 'unapproved' | 'changed',
  problems: WorkspaceDetail['trustDetail']['problems'],
): Scenario {
  const first = backend(nowMs)
  first.trust = trust
  if (trust === 'unapproved')
    Object.assign(first, {
      running: null,
      next: { at: null, state: 'none', reason: 'Nothing runs before its commands are approved.' },
    })
  first.trustDetail = {
    state: trust,
    commands: [
      trustItem('Agent claude, for each open task', 'attempt', [
        'claude',
        '-p',
        '--dangerously-skip-permissions',
      ]),
      {
        ...trustItem('Probe email_count', 'measurement', [
          'sh',
          '-c',
          'curl -s https://mail.example/count | tee /tmp/count',
        ]),
        isNew: trust === 'changed',
      },
      { ...trustItem('Probe notes, reads the file', 'measurement', ['/var/notes.md']), kind: 'file' },
      trustItem('Gate, after each attempt', 'gate', ['npm', 'test']),
    ],
    checks: [],
    hash: 'abc',
    text: CONFIG.replace(
      '"./count-mail"',
      '"sh", "-c", "curl -s https://mail.example/count | tee /tmp/count"',
    ),
    approvedText: trust === 'changed' ? CONFIG : null,
    problems,
    reason: null,
  }
  first.needs = needsOf(first)
  return { workspaces: [first, ...others(nowMs)] }
}

function suspended(nowMs: number): Scenario {
  const first = backend(nowMs)
  first.suspended = {
    since: iso(nowMs - 12 * MINUTE),
    reason:
      '3 attempts that changed no file within the last 5 iterations and 2 false claims of completion, after a warning',
  }
  first.shield = 'suspended'
  first.counts = { ...first.counts, blocked: 0 }
  first.running = null
  first.next = { at: null, state: 'none', reason: `Suspended for manual review: ${first.suspended.reason}.` }
  first.notices = [
    {
      code: 'suspended',
      taskId: null,
      message: `Suspended for manual review: ${first.suspended.reason}.`,
      remedy: 'Look at the interventions, then lift the suspension.',
      at: first.suspended.since,
    },
  ]
  return {
    workspaces: [first, ...others(nowMs)],
    interventions: interventionRecord(nowMs).slice(0, 5),
    profile: aProfile({ intervention_threshold_exceeded: true }),
  }
}

function blocked(nowMs: number): Scenario {
  const first = backend(nowMs)
  const queue = blockedQueue(nowMs)
  first.counts = { ...first.counts, blocked: queue.length }
  return {
    workspaces: [first, ...others(nowMs)],
    blocked: queue,
    interventions: interventionRecord(nowMs),
    profile: aProfile({ intervention_threshold_exceeded: true }),
  }
}

function asking(nowMs: number): Scenario {
  const asked = {
    workspace: 'backend',
    workspaceName: 'backend',
    attemptId: 'tidy_inbox-22',
    taskId: 'tidy_inbox',
    agentId: 'claude',
    askedAt: iso(nowMs - 19_000),
    expiresAt: iso(nowMs + 41_000),
  }
  const long = `find mail -type f -mtime +30 -print0 | xargs -0 -I{} sh -c '${'mv "$1" archive/ && '.repeat(30)}true' _ {}`
  return {
    ...usual(nowMs),
    permissions: [
      {
        ...asked,
        id: 'p-1',
        tool: 'execute',
        target: 'npm test && rm -rf mail/\u202eold',
        title: 'Run the tests and tidy up',
        grant: 'execute',
        allowLine: 'allow = ["edit", "execute"]',
      },
      {
        ...asked,
        id: 'p-2',
        tool: 'edit',
        target: '/etc/hosts',
        title: '',
        grant: null,
        allowLine: null,
      },
      { ...asked, id: 'p-3', tool: 'execute', target: long, title: 'Archive', grant: null, allowLine: null },
      {
        ...asked,
        id: 'p-4',
        tool: 'other',
        target: 'x',
        title: '',
        grant: 'other',
        allowLine: 'allow = ["other"]',
      },
    ],
  }
}

/** Every state of the page that is looked at, by name; each is made for the moment it is opened. */
export const SCENARIOS = {
  empty: (): Scenario => ({ workspaces: [] }),
  usual,
  full,
  lockdown,
  suspended,
  blocked,
  asking,
  fresh: (nowMs: number): Scenario => ({
    workspaces: [
      aDetail(
        aWorkspace('sample', { score: aScore({ workspace: 'sample' }, nowMs) }, nowMs),
        { tasks: [aTask('check_email', 'Count the new messages')] },
        nowMs,
      ),
    ],
  }),
  untrusted: (nowMs: number) => withTrust(nowMs, 'unapproved', []),
  changed: (nowMs: number) => withTrust(nowMs, 'changed', []),
  broken: (nowMs: number) =>
    withTrust(nowMs, 'unapproved', [
      { message: 'Expected a list of strings, found the number 3.', line: 4, column: 11 },
    ]),
  lost: (nowMs: number): Scenario => ({ ...usual(nowMs), connection: 'lost' }),
  hundred: (nowMs: number): Scenario => ({ ...full(nowMs), timeline: aLongTimeline(100, nowMs), output: [] }),
  loading: (): Scenario => ({ workspaces: [], connection: 'never' }),
} as const satisfies Record<string, (nowMs: number) => Scenario>

export type ScenarioName = keyof typeof SCENARIOS
