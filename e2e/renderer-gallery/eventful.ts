import type { AttemptResult } from '../../src/core/record/events.ts'
import { attempt, compared, LIE, type Moment, raised, UNCLEAR } from './past.ts'

const PATCH = `--- HEARTBEAT.md
+++ HEARTBEAT.md
@@ -3,4 +3,4 @@
 ## Tasks

-- [ ] write_report | Write the weekly report | required | verify: exists("report.md")
+- [x] write_report | Write the weekly report | optional | verify: task_completed
 - [ ] run_tests | Make the test suite pass | required
`

const TOLD: Partial<AttemptResult> = {
  ...LIE,
  reasons: ['claimed report.md, and no change shows it', 'claimed 12 of 12 tests, measured 9 of 12'],
  comparisons: [
    compared('report.md', 'written', 'not written'),
    compared('tests.passed', '12', '9'),
    compared('tests.total', '12', '12'),
  ],
  filesChanged: [],
  filesChangedCount: 0,
  interventions: [
    raised('false_completion_detected', 'critical', {
      claimed: 'status done, EXIT_SIGNAL: true',
      found: ['no file changed', 'the check fails'],
      exit_signal_ignored: true,
    }),
  ],
}

/** Two days of everything that can happen. */
export const EVENTFUL: readonly Moment[] = [
  [
    3000,
    {
      type: 'contract-edited',
      by: 'outside',
      cycle: null,
      hash: 'a',
      previousHash: null,
      changes: [
        'Task "write_report" was added.',
        'Task "run_tests" was added.',
        'Task "check_email" was added.',
      ],
      patch: null,
    },
  ],
  [2990, { type: 'configuration-approved', hash: '4f2a9c' }],
  [2980, attempt('check_email', 1)],
  [
    2975,
    {
      type: 'standing-changed',
      from: null,
      to: 'good',
      cycle: 1,
      score: 25,
      target: 50,
      intervalMinutes: 20,
      message: 'Good: on track, 25 points to target.',
    },
  ],
  [2960, { type: 'paused', until: null }],
  [2900, { type: 'resumed' }],
  [2800, { type: 'heartbeats-missed', from: '21:00', to: '23:15', count: 9 }],
  [1500, { type: 'contract-read', hash: 'x', tasks: [] }],
  [
    1400,
    {
      type: 'backed-off',
      resetsAt: null,
      reason: 'codex is not logged in.',
      remedy: 'Run `codex login`.',
      minutes: 4,
      until: '2026-11-20T10:04:00+01:00',
    },
  ],
  [
    300,
    {
      type: 'task-unblocked',
      taskId: 'run_tests',
      reason: 'The database is back',
      timeoutSeconds: 540,
      by: 'operator',
      attemptLimit: null,
    },
  ],
  [
    120,
    attempt('check_email', 21, {
      comparisons: [compared('email_count', '3', '3')],
    }),
  ],
  [
    118,
    attempt('tidy_inbox', 21, UNCLEAR, {
      reasons: ['the probe inbox_age timed out after 30 s'],
    }),
  ],
  [
    60,
    {
      type: 'contract-edited',
      by: 'agent',
      cycle: 22,
      hash: 'b',
      previousHash: 'a',
      changes: [
        'Task "write_report": check changed from "exists("report.md")" to "task_completed".',
        'Task "write_report": optional now.',
        'Task "write_report": its box was checked.',
      ],
      patch: PATCH,
    },
  ],
  [58, attempt('write_report', 22, TOLD)],
  [
    58,
    {
      type: 'standing-changed',
      from: 'good',
      to: 'escalated',
      cycle: 22,
      score: -12,
      target: 91,
      intervalMinutes: 10,
      message: 'Escalated: -12 of 91 points is below zero. Every task counts as required.',
    },
  ],
  [
    50,
    {
      type: 'feedback-given',
      attemptId: 'write_report-22',
      taskId: 'write_report',
      feedback: 'down',
      note: 'The report is the only thing I look at. ما هذا؟',
      points: -10,
    },
  ],
  [
    40,
    {
      type: 'verdict-overruled',
      attemptId: 'tidy_inbox-21',
      taskId: 'tidy_inbox',
      attemptDay: '2026-11-20',
      from: 'unclear',
      fromContradiction: false,
      to: 'verified',
      reason: 'I looked: the inbox is tidy',
      pointsDelta: 7,
    },
  ],
  [30, { type: 'breaker-changed', agentId: 'claude', state: 'open', reason: '2 false claims of completion' }],
  [2, { type: 'suspended', reason: '3 attempts that changed no file within the last 5 heartbeats' }],
]
