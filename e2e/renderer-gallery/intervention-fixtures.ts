import type { AgentProfile } from '../../src/core/read-model/agent.ts'
import type { BlockedTask } from '../../src/core/read-model/blocked-task.ts'
import type { Intervention } from '../../src/core/read-model/intervention.ts'
import { iso } from './fixtures.ts'

const MINUTE = 60_000

type PastAttempt = Extract<BlockedTask['history'][number], { kind: 'attempt' }>

export function aPastAttempt(attemptId: string, atMs: number, some: Partial<PastAttempt> = {}): PastAttempt {
  return {
    kind: 'attempt',
    attemptId,
    at: iso(atMs),
    outcome: 'completed',
    verdict: 'not_verified',
    fault: 'agent',
    durationMs: 84_000,
    timeoutSeconds: 180,
    reason: 'exists("report.md") is false',
    gateUnavailable: false,
    criteria: { met: 0, total: 0 },
    ...some,
  }
}

export function aTimeout(attemptId: string, atMs: number, timeoutSeconds: number): PastAttempt {
  return aPastAttempt(attemptId, atMs, {
    outcome: 'timeout',
    timeoutSeconds,
    durationMs: timeoutSeconds * 1000,
    reason: 'it ended without a claim, and changed("src/**") does not hold',
  })
}

export function aBlockedTask(taskId: string, description: string, some: Partial<BlockedTask>): BlockedTask {
  return {
    taskId,
    description,
    verify: 'task_completed',
    level: 'medium',
    reason: '3 of 3 attempts failed: 3 not verified',
    attempts: 3,
    maxAttempts: 3,
    lastAttemptAt: null,
    history: [],
    suggestion: null,
    swept: null,
    nextTimeoutSeconds: 180,
    nextTimeoutReason: '120 s × 1.5 for medium',
    maxTimeoutSeconds: 3600,
    autoUnblocks: 0,
    ...some,
  }
}

/** One blocked task for each thing that can be suggested. */
export function blockedQueue(nowMs: number): BlockedTask[] {
  const at = (minutes: number) => nowMs - minutes * MINUTE
  return [
    aBlockedTask('draw_sales_chart', 'Draw the sales of the quarter as a Chart on the Dashboard', {
      level: 'ui_heavy',
      reason: '3 of 3 attempts failed: 2 timeouts (120 s, 360 s), 1 not verified',
      history: [
        aTimeout('draw_sales_chart-21', at(24), 360),
        aPastAttempt('draw_sales_chart-20', at(44), {
          timeoutSeconds: 360,
          durationMs: 212_000,
          reason: 'chart.svg was claimed as written, and no change shows it',
        }),
        aTimeout('draw_sales_chart-19', at(63), 120),
        {
          kind: 'unblock',
          at: iso(at(90)),
          by: 'operator',
          reason: 'The data is there now',
          timeoutSeconds: 120,
        },
        aPastAttempt('draw_sales_chart-12', at(240), {
          verdict: 'unclear',
          reason: 'sales_total cannot be read',
        }),
      ],
      suggestion: {
        kind: 'increase_timeout',
        timeoutSeconds: 540,
        reason: '2 of 3 attempts timed out, the longest after 360 s; 1.5 times that is 540 s.',
      },
      nextTimeoutSeconds: 540,
      nextTimeoutReason: '120 s × 3 for ui_heavy × 1.5 after 1 timeout',
      autoUnblocks: 1,
    }),
    aBlockedTask('run_tests', 'Make the test suite pass', {
      verify: 'tests.passed == tests.total',
      level: 'complex',
      history: [aPastAttempt('run_tests-22', at(2)), aPastAttempt('run_tests-21', at(22))],
      swept: { holds: true, reason: 'tests.passed = 219, tests.total = 219', at: iso(at(1)) },
      suggestion: {
        kind: 'already_done',
        timeoutSeconds: null,
        reason: 'tests.passed = 219, tests.total = 219. Unblock it, and the next attempt verifies it.',
      },
    }),
    aBlockedTask('write_release_notes', 'Write the release notes of 2.4', {
      history: [
        aPastAttempt('write_release_notes-22', at(3), {
          criteria: { met: 3, total: 4 },
          reason: 'nothing measured confirms it',
        }),
      ],
      swept: { holds: null, reason: 'the hint names no probe', at: iso(at(20)) },
      suggestion: {
        kind: 'skip_subtasks',
        timeoutSeconds: null,
        reason:
          '3 of 4 acceptance criteria are met. Keep those and move the others to a task of their own, or drop them.',
      },
    }),
    aBlockedTask('tidy_types', 'Fix the types in src/api', {
      level: 'simple',
      history: [
        aPastAttempt('tidy_types-22', at(4), {
          verdict: 'unclear',
          fault: 'contract',
          gateUnavailable: true,
          reason: 'the gate `npm run lint` could not run: npm is not installed',
        }),
      ],
      reason: '3 of 3 attempts used up: 3 unclear',
      suggestion: {
        kind: 'fix_gate',
        timeoutSeconds: null,
        reason: 'A gate could not run. Make it runnable, or correct [gates] in pulseward.toml.',
      },
    }),
    aBlockedTask('بريد_جديد', 'اقرأ الرسائل الجديدة واكتب ملخصًا في notes/inbox.md', {
      history: [aPastAttempt('write_report-22', at(5), { outcome: 'error', reason: 'exit code 3' })],
      swept: { holds: false, reason: 'exists("notes/inbox.md") is false', at: iso(at(20)) },
      suggestion: {
        kind: 'manual_review',
        timeoutSeconds: null,
        reason: 'No single cause stands out; look at the attempts. The last one: exit code 3',
      },
    }),
    aBlockedTask('forgotten_task', 'forgotten_task', {}),
  ]
}

/** As many blocked tasks as a large contract can have. */
export function manyBlocked(nowMs: number): BlockedTask[] {
  const queue = blockedQueue(nowMs)
  return Array.from({ length: 60 }, (_, index) => {
    const task = queue[index % queue.length]
    return task === undefined || index < queue.length
      ? (task ?? [])
      : { ...task, taskId: `${task.taskId}_${index}` }
  }).flat()
}

function anIntervention(
  index: number,
  atMs: number,
  some: Pick<Intervention, 'event_type' | 'severity' | 'details'> & Partial<Intervention>,
): Intervention {
  return {
    id: `${1000 - index}-0`,
    timestamp: iso(atMs),
    iteration: Math.max(1, 22 - index),
    task_id: 'write_report',
    attempt_id: 'write_report-22',
    remediation: 'none',
    remediation_attempted: false,
    agent_return_code: 0,
    ...some,
  }
}

const MEASURED = { return_code: 0, outcome: 'completed', exit_signal_claimed: true, evidence_count: 1 }

/** One of each kind that the timeline shows, newest first, and many more below for whoever loads on. */
export function interventionRecord(nowMs: number): Intervention[] {
  const at = (index: number) => nowMs - (2 + index * 19) * MINUTE
  const kinds = [
    (index: number) =>
      anIntervention(index, at(index), {
        event_type: 'false_completion_detected',
        severity: 'critical',
        remediation: 'pending',
        details: {
          task_id: 'write_report',
          ...MEASURED,
          files_written: 0,
          claimed: 'status done, EXIT_SIGNAL: true',
          found: 'no file was written, no state changed and nothing measured moved',
        },
      }),
    (index: number) =>
      anIntervention(index, at(index), {
        event_type: 'evidence_validation_failed',
        severity: 'warning',
        remediation: 'failed',
        details: {
          task_id: 'write_report',
          ...MEASURED,
          files_written: 1,
          claimed:
            'status done, files report.md, a/very/long/path/that/does/not/fit/anywhere/summary-of-the-day.md',
          found: [
            'report.md: it did not change during the attempt',
            'notes/inbox.md:1-12: the file has 4 lines',
            'a/very/long/path/that/does/not/fit/anywhere/summary-of-the-day.md: it is not there',
          ],
          missing_files: ['report.md', 'summary-of-the-day.md'],
          exit_signal_ignored: false,
          note: 'Measured when the agent had ended; edits by anyone else meanwhile cannot be told apart.',
        },
      }),
    (index: number) =>
      anIntervention(index, at(index), {
        event_type: 'contract_weakened',
        severity: 'critical',
        task_id: null,
        attempt_id: null,
        details: {
          changes: [
            'Task "run_tests": hint changed from "tests.passed" to "done".',
            'Task "tidy" was removed.',
          ],
          note: 'Changed while the agent ran. The cycle goes by the contract it began with.',
        },
      }),
    (index: number) =>
      anIntervention(index, at(index), {
        event_type: 'agent_reinforced',
        severity: 'info',
        details: { task_id: 'write_report', ...MEASURED, files_written: 2, messages: 2, aggressive: true },
      }),
    (index: number) =>
      anIntervention(index, at(index), {
        event_type: 'no_files_detected',
        severity: 'critical',
        remediation: 'succeeded',
        details: {
          task_id: 'write_report',
          ...MEASURED,
          exit_signal_claimed: null,
          files_written: 0,
          claimed: 'nothing',
          completion_claimed: false,
          found: 'no file was added, changed, renamed or deleted',
          expected_because: 'the task asks for changed files',
        },
      }),
  ]
  return Array.from({ length: 65 }, (_, index) => kinds[index % kinds.length]?.(index)).filter(
    (each) => each !== undefined,
  )
}

export function aProfile(some: Partial<AgentProfile> = {}): AgentProfile {
  return {
    agent_id: 'claude',
    total_iterations: 42,
    no_files_count: 1,
    false_completion_count: 2,
    avg_files_per_iteration: 1.9,
    avg_evidence_count: 2.4,
    last_reinforcement: null,
    intervention_threshold_exceeded: false,
    intervention_history: [],
    ...some,
  }
}
