import type { EventBody } from '../../core/record/events.ts'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'

const CONTRACT = `## Tasks

- [ ] check_email | Check the mail | required | verify: email_count
- [ ] draw_chart | Draw the Chart | required | verify: exists("chart.svg") | max_attempts: 1
`

/** The configuration of every seeded workspace. */
export const CONFIGURATION = `[agent]
id = "agent"
command = ["true"]

[probes.email_count]
file = "count.txt"
parse = "number"
`

const task = (id: string, description: string, verify: string, maxAttempts: number, line: number) => ({
  id,
  description,
  verify,
  maxAttempts,
  line,
  required: true,
  checked: false,
  criteria: [],
})

const cycle = (number: number): EventBody => cycleStarted(number, { trigger: 'manual', contractHash: 'h' })

const ended = (number: number): EventBody => ({ type: 'cycle-finished', cycle: number, ending: 'completed' })

/** The mail was checked, then not; the chart timed out, was unblocked, and timed out again. */
const HISTORY: readonly EventBody[] = [
  {
    type: 'contract-read',
    hash: 'h',
    tasks: [
      task('check_email', 'Check the mail', 'email_count', 3, 3),
      task('draw_chart', 'Draw the Chart', 'exists("chart.svg")', 1, 4),
    ],
  },
  cycle(1),
  finishedAttempt('a-1', { agentId: 'agent' }),
  timeout('a-2', 1, 240),
  ended(1),
  {
    type: 'task-unblocked',
    taskId: 'draw_chart',
    reason: 'Try again',
    timeoutSeconds: null,
    by: 'operator',
    attemptLimit: null,
  },
  cycle(2),
  timeout('a-3', 2, 360),
  ended(2),
]

function timeout(attemptId: string, number: number, timeoutSeconds: number): EventBody {
  return finishedAttempt(attemptId, {
    cycle: number,
    agentId: 'agent',
    taskId: 'draw_chart',
    verify: 'exists("chart.svg")',
    complexity: 'ui_heavy',
    outcome: 'timeout',
    verdict: 'not_verified',
    fault: 'agent',
    points: 0,
    durationMs: timeoutSeconds * 1000,
    timeoutSeconds,
    reasons: ['the agent ran into its timeout'],
    interventions: [{ event_type: 'no_files_detected', severity: 'critical', details: {} }],
  })
}

const seed = { contract: CONTRACT, configuration: CONFIGURATION, events: HISTORY }

/** Workspaces with a history, for tests that query one: 10 points, an open and a blocked task, three attempts. */
export const SEEDED = {
  one: seed,
  two: seed,
  /** Suspended for manual review. */
  held: {
    ...seed,
    events: [...HISTORY, { type: 'suspended', reason: '3 times no files' } satisfies EventBody],
  },
  /** Its agent takes a minute. */
  slow: { ...seed, configuration: CONFIGURATION.replace('["true"]', '["sleep", "60"]') },
  /** Waits for approval. */
  unapproved: { ...seed, trusted: false },
} as const
