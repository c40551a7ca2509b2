import type { AttemptResult, EventBody } from '../../src/core/record/events.ts'
import { attemptStarted, cycleStarted } from '../../src/core/record/testing/sample-events.ts'
import { A_RECONCILIATION, AN_ACTIVITY } from './attempt-texts.ts'
import type { Scenario } from './client.ts'
import { EVENTFUL } from './eventful.ts'
import { CONFIGURATION, type Seed } from './folder.ts'
import {
  aMonth,
  attempt,
  compared,
  dayOf,
  daysOf,
  FAILED,
  heartbeat,
  LIE,
  type Moment,
  raised,
  STOPPED,
  UNCLEAR,
} from './past.ts'
import { permissionRequests } from './permissions.ts'
import { aLongTimeline } from './timeline.ts'

/** Points of the seven days before today, oldest first; they lead to a target of 91. */
const WEEK = [75, 90, 60, -24, 110, 120, 30]
const TASKS = ['check_email', 'write_report', 'update_changelog', 'fetch_invoices']

const CONTRACT = `# backend

Be brief and exact.

## Tasks

- [ ] check_email | Count the new messages and summarize them in notes/inbox.md | required | verify: email_count
- [ ] write_report | Write the weekly report into report.md | verify: exists("report.md")
- [ ] tidy_inbox | Archive everything older than 30 days | optional
- [ ] run_tests | Make the test suite pass | verify: tests.passed == tests.total
- [ ] update_changelog | Add what changed since the last release | verify: done
  - Grouped by kind
  - Links to issues
- [ ] fetch_invoices | Download the invoices of this month | verify: invoice_count > 0
- [x] sweep_logs | Delete logs older than a week | verify: log_count == 0
- [ ] check_email | The id of another task
`

const RED: Partial<AttemptResult> = {
  ...FAILED,
  verify: 'tests.passed == tests.total',
  comparisons: [compared('tests.passed', '214', '214')],
  reasons: ['tests.passed == tests.total is false: tests.passed = 214, tests.total = 219'],
}

/** The serious part is what it did to its check, whatever it claimed. */
const RIGGED: Partial<AttemptResult> = {
  ...FAILED,
  comparisons: [{ ...compared('tests.passed == tests.total', 'done', 'fails'), isHint: true }],
  interventions: [raised('check_rigged', 'critical')],
}

const FALSE_COMPLETION = raised('false_completion_detected', 'critical', {
  exit_signal_claimed: true,
  files_written: 0,
  claimed: 'status done, EXIT_SIGNAL: true',
  found: 'no file was written, no state changed and nothing measured moved',
})

const TOLD: Partial<AttemptResult> = {
  ...LIE,
  attemptId: 'write_report-22',
  comparisons: [compared('report.md', 'written', 'not written')],
  reasons: ['report.md was claimed as written, and no change shows it'],
  interventions: [
    FALSE_COMPLETION,
    raised('evidence_validation_failed', 'warning', {
      claimed:
        'status done, files report.md, a/very/long/path/that/does/not/fit/anywhere/summary-of-the-day.md',
      found: ['report.md: it did not change during the attempt', 'notes/inbox.md:1-12: the file has 4 lines'],
      missing_files: ['report.md', 'summary-of-the-day.md'],
    }),
  ],
  claim: {
    status: 'done',
    values: {},
    files: [{ path: 'report.md' }],
    evidence: ['notes/inbox.md:1-12 summary of 3 new emails'],
    exitSignal: true,
    source: 'report',
    notes: [],
  },
  filesChanged: ['notes/inbox.md', 'notes/2026-11.md'],
  filesChangedCount: 2,
  feedbackShown: true,
  activity: AN_ACTIVITY,
  reconciliation: A_RECONCILIATION,
}

/** The agent that was tried for a week. */
const GIVEN_UP: Moment = [
  1000,
  { type: 'breaker-changed', agentId: 'codex', state: 'open', reason: '2 false claims of completion' },
]

/** A working workspace: a month of history, a day with some of everything, and a running heartbeat. */
function backend(
  some: { readonly more?: readonly Moment[]; readonly contract?: string } & Partial<Seed> = {},
): Seed {
  const { more = [], ...seed } = some
  const day = dayOf('ovVvuvVnvVmVvvecvVvvV', 30, 50)
  const now: Moment[] = [
    heartbeat(
      39,
      60,
      attempt('write_report', 60, UNCLEAR, {
        outcome: 'timeout',
        durationMs: 180_000,
        reasons: ['it ended without a claim'],
      }),
      attempt('run_tests', 60, RED),
    ),
    heartbeat(
      21,
      61,
      attempt('write_report', 61, { comparisons: [compared('report.md', 'written', 'written')] }),
      attempt('run_tests', 61, RED),
    ),
    [
      2,
      cycleStarted(62),
      attempt('run_tests', 62, RED),
      attempt('update_changelog', 62, UNCLEAR, {
        fault: 'contract',
        reasons: ['nothing can be confirmed or refuted: the check “done” names no probe'],
      }),
      attempt('check_email', 62, {
        comparisons: [compared('email_count', '3', '3')],
        reasons: ['claimed email_count = 3, measured 3'],
      }),
      { type: 'feedback-given', attemptId: 'check_email-62', feedback: 'up', note: null, points: 3 },
      attempt('fetch_invoices', 62, STOPPED, {
        reasons: ['codex is not logged in'],
        remedy: 'Run `codex login`, then run the heartbeat again.',
      }),
      attempt('write_report', 62, TOLD),
    ],
    [0.7, { ...attemptStarted('tidy_inbox-62', 'tidy_inbox'), cycle: 62, timeoutSeconds: 180 } as EventBody],
  ]
  return {
    name: 'backend',
    contract: CONTRACT,
    past: [...aMonth(TASKS, WEEK), GIVEN_UP, ...day, ...now, ...more],
    ...seed,
  }
}

const TROUBLE: Moment = [
  4,
  {
    type: 'backed-off',
    reason: 'Not run: codex is not logged in. Next try in 4 minutes.',
    remedy: 'Run `codex login`.',
    minutes: 4,
    until: '2026-11-22T10:00:00+00:00',
    resetsAt: null,
  },
  {
    type: 'diagnostic-raised',
    code: 'tick-contradicted',
    taskId: 'sweep_logs',
    message: 'sweep_logs is checked in HEARTBEAT.md, and log_count == 0 fails: it is open anyway.',
  },
]

const IDLE = '3 attempts that changed no file within the last 5 heartbeats'

const others = (): Seed[] => {
  const scored = (points: number, some: Partial<AttemptResult> = {}): Moment =>
    heartbeat(40, 1, attempt('a', 1, { points, ...some }))
  return [
    { name: 'inbox', past: [scored(-10, FAILED), scored(5), TROUBLE] },
    {
      name: 'website',
      past: [scored(44, { interventions: [raised('evidence_validation_failed', 'warning')] })],
    },
    { name: 'sample' },
    { name: 'docs', past: [scored(12), [1, { type: 'paused', until: null }]] },
    {
      name: 'shop',
      past: [scored(5), [1, { type: 'suspended', reason: IDLE }]],
    },
  ]
}

const ESC = '\u001b['
const COLOURED = `${[1, 32, 31, 33, 2, 36, 34, 35, 41].map((code) => `${ESC}${code}mcolour ${code}${ESC}0m`).join(' ')}\n`

const usual = (): Scenario => ({
  workspaces: [backend(), ...others()],
  output: [
    'Reading the inbox …\n',
    `${ESC}32m12 messages older than 30 days${ESC}0m\n`,
    'Archiving 1/12\rArchiving 2/12\rArchiving 7/12',
    '\nArchived 7 of 12, waiting for the server\n',
  ],
  logs: { 'write_report-22': `${COLOURED}${'Thinking about the report.\n'.repeat(40)}EXIT_SIGNAL: true\n` },
})

function full(nowMs: number): Scenario {
  const long = 'A description that goes on for longer than anybody would like it to, '.repeat(6)
  const lines = Array.from(
    { length: 53 },
    (_, index) =>
      `- [ ] generated_task_with_a_rather_long_identifier_${index + 1} | ${index % 5 === 0 ? long : `Task number ${index + 1}`} | ${index % 3 === 0 ? 'optional' : 'required'}\n`,
  )
  const rtl = attempt('بريد_جديد', 62, LIE, {
    comparisons: [
      compared('ملخص.md', 'مكتوب', 'غير مكتوب'),
      compared('unread', '0', '12'),
      compared('a.long/path/that/does/not/fit/into/the/column/summary-of-the-day.md', 'written', 'written'),
      compared('x', '1', '1'),
    ],
  })
  const first = backend({
    contract: `${CONTRACT}- [ ] بريد_جديد | اقرأ الرسائل الجديدة واكتب ملخصًا في notes/inbox.md\n${lines.join('')}`,
    path: '/home/somebody/with/a/very/long/path/to/the/folder/that/holds/the/workspace/backend',
    more: [[0.6, rtl], TROUBLE],
  })
  const crowd = Array.from(
    { length: 29 },
    (_, index): Seed => ({
      name: index === 6 ? 'مساحة-عمل-البريد' : `workspace-with-a-long-name-${index + 1}`,
      contract: '## Tasks\n\n- [ ] stuck | Never done\n- [ ] open | Not tried yet\n',
      past: [
        ...daysOf(Array.from({ length: index % 8 }, (_, day) => ((day * 37 + index * 11) % 130) - 20)),
        ...(index % 10 === 4
          ? [4, 3, 2].map((ago) => heartbeat(ago * 18, 12 - ago, attempt('stuck', 12 - ago, FAILED)))
          : []),
        heartbeat(
          10,
          20,
          attempt('earlier', 20, {
            points: index * 7 - 60,
            interventions: index % 3 === 0 ? [FALSE_COMPLETION] : [],
          }),
        ),
      ],
    }),
  )
  const flood = Array.from({ length: 4000 }, (_, index) => `${index} ${'output '.repeat(20)}\n`)
  return {
    workspaces: [first, ...crowd],
    output: [...flood, 'x'.repeat(5000), '\nthe end\n'],
    timeline: aLongTimeline(100_000, nowMs),
  }
}

/** A text in which no line can break. */
const NO_BREAK = compared(`src/${'oneofmanyfolders/'.repeat(7)}summary.test.tsx`, 'written', 'not written')

const lockdown = (): Scenario => ({
  workspaces: [
    backend({
      more: [
        [0.5, { type: 'cycle-finished', cycle: 62, ending: 'completed' }],
        heartbeat(0.4, 63, attempt('earlier', 63, LIE, { points: -120, comparisons: [NO_BREAK] })),
        TROUBLE,
      ],
    }),
    ...others(),
  ],
})

/** A scenario with this current configuration and this approved one. */
const trusting = (configuration: string, approved: string | null): Scenario => ({
  workspaces: [backend({ configuration, approved }), ...others()],
})

const DANGEROUS = CONFIGURATION.replace(
  '"--permission-mode", "acceptEdits"',
  '"--dangerously-skip-permissions"',
).replace('"./count-mail"', '"sh", "-c", "curl -s https://mail.example/count | tee /tmp/count"')

const suspended = (): Scenario => ({
  workspaces: [
    {
      name: 'backend',
      contract: CONTRACT,
      past: [
        ...[50, 40, 30, 20].map((ago, index) =>
          heartbeat(
            ago,
            index + 1,
            attempt('write_report', index + 1, index === 0 ? {} : LIE, {
              interventions: [raised('no_files_detected', 'critical'), FALSE_COMPLETION],
            }),
          ),
        ),
        [
          12,
          {
            type: 'breaker-changed',
            agentId: 'claude',
            state: 'open',
            reason: '2 false claims of completion',
          },
          {
            type: 'breaker-changed',
            agentId: 'claude',
            state: 'tripped',
            reason: '2 false claims, after a warning',
          },
          {
            type: 'suspended',
            reason:
              '3 attempts that changed no file within the last 5 heartbeats and 2 false claims, after a warning',
          },
        ],
        [
          11,
          {
            type: 'task-unblocked',
            taskId: 'write_report',
            reason: 'I looked',
            timeoutSeconds: null,
            by: 'operator',
            attemptLimit: null,
          },
        ],
      ],
    },
    ...others(),
  ],
})

/** How each try of a blocked task ended, oldest first; one task for each possible suggestion. */
const STUCK: Readonly<
  Record<string, { readonly line: string; readonly tries: readonly Partial<AttemptResult>[] }>
> = {
  draw_sales_chart: {
    line: 'Draw the sales of the quarter as a Chart on the Dashboard',
    tries: [
      { outcome: 'timeout', timeoutSeconds: 120, durationMs: 120_000 },
      {
        timeoutSeconds: 360,
        durationMs: 212_000,
        reasons: ['chart.svg was claimed as written, and no change shows it'],
      },
      {
        outcome: 'timeout',
        timeoutSeconds: 360,
        durationMs: 360_000,
        reasons: ['it ended without a claim, and changed("src/**") fails'],
      },
    ],
  },
  run_tests: {
    line: 'Make the test suite pass | verify: tests.passed == tests.total',
    tries: [RED, RED, RED],
  },
  write_release_notes: {
    line: 'Write what changed for users',
    tries: [{}, {}, { criteria: { met: 2, total: 3 }, interventions: [FALSE_COMPLETION] }],
  },
  tidy_types: {
    line: 'Fix what the type checker says',
    tries: [
      {},
      {},
      { gateUnavailable: true, reasons: ['the gate npm run lint could not run: npm is not installed'] },
    ],
  },
  بريد_جديد: {
    line: 'اقرأ الرسائل الجديدة واكتب ملخصًا في notes/inbox.md',
    tries: [{}, {}, { outcome: 'error', reasons: ['exit code 3'], interventions: [FALSE_COMPLETION] }],
  },
  forgotten_task: { line: 'forgotten_task', tries: [UNCLEAR, UNCLEAR, UNCLEAR] },
}

/** The six blocked tasks, `times` times over. */
function blocked(times: number): Scenario {
  const tasks = Array.from({ length: times }, (_, index) =>
    Object.entries(STUCK).map(([id, stuck]) => ({ id: index === 0 ? id : `${id}_${index}`, ...stuck })),
  ).flat()
  const chart = 'draw_sales_chart'
  return {
    workspaces: [
      {
        name: 'backend',
        contract: `## Tasks\n\n${tasks.map(({ id, line }) => `- [ ] ${id} | ${line}\n`).join('')}`,
        past: [
          heartbeat(
            240,
            1,
            attempt(chart, 1, UNCLEAR, { durationMs: 84_000, reasons: ['sales_total cannot be read'] }),
          ),
          [
            90,
            {
              type: 'task-unblocked',
              taskId: chart,
              reason: 'The data is there now',
              timeoutSeconds: 120,
              by: 'auto',
              attemptLimit: null,
            },
          ],
          ...[63, 44, 24].map((ago, turn) =>
            heartbeat(
              ago,
              turn + 2,
              ...tasks.map(({ id, tries }) =>
                attempt(id, turn + 2, FAILED, { durationMs: 84_000 }, tries[turn] ?? {}),
              ),
            ),
          ),
          [
            20,
            {
              type: 'blocked-swept',
              results: [
                { taskId: 'run_tests', holds: true, reason: 'tests.passed == tests.total holds' },
                { taskId: 'بريد_جديد', holds: false, reason: 'exists("notes/inbox.md") is false' },
              ],
            },
            {
              type: 'breaker-changed',
              agentId: 'claude',
              state: 'open',
              reason: '2 false claims of completion',
            },
          ],
        ],
      },
      ...others(),
    ],
  }
}

/** One cause in six workspaces, one reason for three suspensions, and one workspace with several blocked tasks. */
const grouped = (): Scenario => ({
  workspaces: [
    ...[IDLE, IDLE, IDLE, '2 false claims, after a warning'].map((reason, index) => ({
      name: `idle-${index + 1}`,
      past: [heartbeat(40, 1, attempt('a', 1, { points: 5 })), [1, { type: 'suspended', reason }] as Moment],
    })),
    ...blocked(1).workspaces.slice(0, 1),
    ...Array.from({ length: 6 }, (_, index) => ({
      name: `team-${index + 1}`,
      past: [heartbeat(40, 1, attempt('a', 1, { points: 5 })), TROUBLE],
    })),
  ],
})

/** Every state of the page under test, by name; each is built for the moment it is opened. */
export const SCENARIOS = {
  empty: (): Scenario => ({ workspaces: [] }),
  usual,
  full,
  lockdown,
  suspended,
  blocked: () => blocked(1),
  grouped,
  stuck: () => blocked(10),
  eventful: (): Scenario => ({ workspaces: [{ name: 'backend', contract: CONTRACT, past: EVENTFUL }] }),
  /** A rigged check, which contradicts no claim. */
  findings: (): Scenario => ({
    workspaces: [
      {
        name: 'backend',
        contract: CONTRACT,
        past: [heartbeat(4, 1, attempt('run_tests', 1, RIGGED))],
      },
      ...others(),
    ],
  }),
  asking: (nowMs: number): Scenario => ({ ...usual(), permissions: permissionRequests(nowMs) }),
  fresh: (): Scenario => ({
    workspaces: [
      {
        name: 'backend',
        contract: '## Tasks\n\n- [ ] check_email | Count the new messages\n',
        configuration: null,
      },
    ],
  }),
  untrusted: () => trusting(DANGEROUS, null),
  changed: () => trusting(DANGEROUS, CONFIGURATION),
  broken: () => trusting(CONFIGURATION.replace('["./count-mail"]', '3'), null),
  lost: (): Scenario => ({ ...usual(), connection: 'lost' }),
  hundred: (nowMs: number): Scenario => ({ ...full(nowMs), timeline: aLongTimeline(100, nowMs), output: [] }),
  fleet: (): Scenario => ({ ...usual(), fleet: { hosts: 100, each: 10 } }),
  large: (): Scenario => ({ ...usual(), fleet: { hosts: 120, each: 10 } }),
  lonely: (): Scenario => ({ workspaces: [], fleet: { hosts: 0, each: 0 } }),
  loading: (): Scenario => ({ workspaces: [], connection: 'never' }),
} as const satisfies Record<string, (nowMs: number) => Scenario>

export type ScenarioName = keyof typeof SCENARIOS
