import type { AgentActivity } from '../../src/core/activity/types.ts'
import type { AttemptDetail } from '../../src/core/read-model/attempt.ts'

export const A_PROMPT = `# Heartbeat 22 of backend

You work unattended in the current directory. No one answers questions, so decide and continue.

## Task write_report

Write the weekly report into report.md

Required. Attempt 2 of 3.
`

export const A_DIFFERENCE = `# changed notes/inbox.md
--- notes/inbox.md
+++ notes/inbox.md
@@ -1,3 +1,4 @@
 # Inbox

-2 new messages
+3 new messages
+- the third one is from the bank
# new notes/2026-11.md
--- notes/2026-11.md
+++ notes/2026-11.md
@@ -0,0 +1,1 @@
+November
`

/** What a program reports: an edit that was refused, a command that failed. */
export const AN_ACTIVITY: AgentActivity = {
  sessionId: 's-1',
  model: 'claude-sonnet-4-5',
  version: '2.1.0',
  usage: { inputTokens: 48_213, outputTokens: 1_904, cachedInputTokens: 40_100, costUsd: 0.1342 },
  calls: [
    { kind: 'tool', callId: '1', tool: 'Read', detail: 'HEARTBEAT.md', status: 'succeeded' },
    { kind: 'edit', callId: '2', tool: 'Write', path: 'report.md', change: 'created', status: 'denied' },
    {
      kind: 'permission',
      tool: 'edit',
      target: 'report.md',
      decision: 'denied',
      by: 'policy',
      grant: 'edit',
    },
    { kind: 'command', callId: '3', tool: 'Bash', command: 'npm test', exitCode: 1, status: 'failed' },
  ],
  omittedCalls: 12,
  unknownEvents: { rate_limit_event: 3 },
  final: { status: 'success', reason: 'The weekly report is written.' },
}

export const A_RECONCILIATION: NonNullable<AttemptDetail['reconciliation']> = {
  contradictions: [
    {
      kind: 'edit-denied',
      subject: 'report.md',
      reason: 'claims to have written report.md, but its program was refused that edit',
    },
  ],
  rows: [
    {
      kind: 'file',
      subject: 'report.md',
      claimed: 'written',
      reported: 'edit refused',
      snapshot: 'unchanged',
      measured: null,
      agrees: false,
    },
    {
      kind: 'file',
      subject: 'notes/a-very-long-folder-name/with-a-file-in-it-that-nobody-claimed.md',
      claimed: null,
      reported: 'no edit',
      snapshot: 'changed',
      measured: null,
      agrees: null,
    },
    {
      kind: 'test-run',
      subject: 'tests',
      claimed: 'All 12 tests pass',
      reported: 'npm test: exit code 1',
      snapshot: null,
      measured: 'gate npm test failed with exit code 1',
      agrees: false,
    },
  ],
}

/** The same run on one time axis, with a gap in which nothing was observed. */
export const A_REPLAY = {
  durationMs: 94_000,
  left: 0,
  entries: [
    { atMs: 400, kind: 'said' as const, text: 'I read the numbers first.' },
    { atMs: 1_900, kind: 'call' as const, text: 'Read numbers/2026-11.csv' },
    { atMs: 61_000, kind: 'file' as const, text: 'reports/draft.md' },
    { atMs: 62_500, kind: 'said' as const, text: 'All 12 tests pass' },
    { atMs: 93_000, kind: 'said' as const, text: '"status": "done"' },
  ],
}
