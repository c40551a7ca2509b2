import type { AgentFigures, AgentProfile, DiscoveredAgent, KnownAgent } from '../../../api/schemas/agent.ts'
import type { AttemptDetail, AttemptOverview } from '../../../api/schemas/attempt.ts'
import type { BlockedTask } from '../../../api/schemas/blocked-task.ts'
import type { Configuration } from '../../../api/schemas/configuration.ts'
import type { HintTrial } from '../../../api/schemas/contract-trial.ts'
import type { Intervention, InterventionMetrics } from '../../../api/schemas/intervention.ts'
import type { PermissionRequest } from '../../../api/schemas/permissions.ts'
import type { Score, ScoreHistory } from '../../../api/schemas/score.ts'
import type { FolderInspection, Template } from '../../../api/schemas/setup.ts'
import type { Task } from '../../../api/schemas/task.ts'
import type { Trust } from '../../../api/schemas/trust.ts'
import type { Workspace } from '../../../api/schemas/workspace.ts'
import type { TimelineEntry } from '../../../core/record/timeline-entry.ts'

/*
 * Valid answers of a host, one for each shape, for tests that care about the way and not about the content.
 */

const AT = '2026-03-02T09:00:00+01:00'

export function sampleScore(workspace: string, score: number): Score {
  return {
    workspace,
    date: '2026-03-02',
    score,
    target: 50,
    pointsToTarget: Math.max(0, 50 - score),
    percent: score * 2,
    verified: 1,
    failed: 0,
    unclear: 0,
    contradictions: 0,
    thumbsUp: 0,
    thumbsDown: 0,
    streakDays: 0,
    penalty: 'none',
    reward: 'none',
    intervalMinutes: 15,
    nextHeartbeatAt: null,
    lifetime: {
      targetFloor: 50,
      totalScore: score,
      daysTracked: 1,
      bestScore: score,
      verified: 1,
      failed: 0,
      contradictions: 0,
      longestStreak: 0,
    },
  }
}

export function sampleHintTrial(taskId: string): HintTrial {
  return {
    taskId,
    line: 3,
    hint: { kind: 'expression', source: 'email_count > 0' },
    probes: [{ name: 'email_count', value: '0', reason: null }],
    holds: false,
    finding: '`email_count > 0` does not hold now.',
    needs: 'It has to hold after the attempt, whatever the agent says.',
    problem: null,
    durationMs: 12,
  }
}

export function sampleHistory(score: number): ScoreHistory {
  const today = {
    date: '2026-03-02',
    score,
    peakScore: score,
    lowestScore: 0,
    verifiedCount: 1,
    failedCount: 0,
    targetReached: false,
    target: 50,
    unclearCount: 0,
    contradictionCount: 0,
    thumbsUp: 0,
    thumbsDown: 0,
    judgedCount: 1,
    overruledCount: 0,
  }
  return { today, history: [], targetFloor: 50 }
}

export function sampleTask(): Task {
  return {
    id: 'check_email',
    description: 'Check the mail',
    required: true,
    verify: 'email_count',
    maxAttempts: 3,
    checked: false,
    criteria: [],
    line: 3,
    status: 'pending',
    attempts: 0,
    blocked: false,
    timeoutSeconds: 180,
    timeoutReason: '120 s × 1.5 for medium',
    complexity: 'medium',
    lastAttemptAt: null,
    lastResult: null,
    lastAttemptId: null,
  }
}

/** A task whose only attempt timed out. */
export function sampleBlockedTask(): BlockedTask {
  return {
    taskId: 'draw_chart',
    description: 'Draw the Chart',
    verify: 'exists("chart.svg")',
    level: 'ui_heavy',
    reason: '1 of 1 attempts failed: 1 timeout (360 s)',
    attempts: 1,
    maxAttempts: 1,
    lastAttemptAt: AT,
    history: [
      {
        kind: 'attempt',
        attemptId: 'a-1',
        at: AT,
        outcome: 'timeout',
        verdict: 'not_verified',
        fault: 'agent',
        durationMs: 360_000,
        timeoutSeconds: 360,
        reason: 'the agent ran into its timeout without a report',
        gateUnavailable: false,
        criteria: { met: 0, total: 0 },
      },
      { kind: 'unblock', at: AT, by: 'operator', reason: 'Try again', timeoutSeconds: null },
    ],
    suggestion: { kind: 'increase_timeout', timeoutSeconds: 540, reason: '1 of 1 attempts timed out.' },
    swept: null,
    nextTimeoutSeconds: 540,
    nextTimeoutReason: '120 s × 3 for ui_heavy × 1.5 after 1 timeout',
    autoUnblocks: 0,
  }
}

export function sampleAttempt(attemptId: string): AttemptOverview {
  return {
    attemptId,
    cycle: 1,
    taskId: 'check_email',
    startedAt: AT,
    durationMs: 1200,
    timeoutSeconds: 120,
    outcome: 'completed',
    required: true,
    verdict: 'verified',
    groundTruthContradiction: false,
    fault: null,
    points: 10,
    feedback: null,
    overruled: null,
    reasons: ['claimed email_count = 3, measured 3'],
    comparisons: [],
    remedy: null,
  }
}

export function sampleAttemptDetail(attemptId: string): AttemptDetail {
  return {
    ...sampleAttempt(attemptId),
    overruled: null,
    description: 'Check the mail',
    agentId: 'agent',
    exitCode: 0,
    signal: null,
    skipped: false,
    heldBefore: false,
    complexity: 'medium',
    timeoutReason: '',
    feedbackShown: false,
    evidenceCount: 0,
    criteria: { met: 0, total: 0 },
    gateUnavailable: false,
    tasksInRun: 1,
    activity: null,
    reconciliation: null,
    claim: {
      status: 'done',
      values: { email_count: 3 },
      files: [],
      evidence: [],
      exitSignal: true,
      source: 'report',
      notes: [],
    },
    filesChanged: [],
    filesChangedCount: 0,
    interventions: [],
    verify: 'email_count',
    feedbackNote: null,
    entryId: null,
    previousId: null,
    nextId: null,
    output: 'three mails\n',
  }
}

export function sampleIntervention(id: string): Intervention {
  return {
    id,
    timestamp: AT,
    iteration: 1,
    task_id: 'check_email',
    attempt_id: 'a-1',
    event_type: 'no_files_detected',
    severity: 'critical',
    details: { task_id: 'check_email', files_written: 0 },
    remediation: 'pending',
  }
}

export function sampleTimelineEntry(id: string): TimelineEntry {
  return {
    id,
    seq: Number(id),
    at: AT,
    day: '2026-03-02',
    kind: 'feedback',
    type: 'thumbs-up',
    severity: 'info',
    cycle: null,
    taskId: 'check_email',
    attemptId: 'a-1',
    title: 'Thumbs up',
    text: [],
    note: 'good',
    points: 3,
    comparisons: [],
    files: [],
    filesCount: 0,
    patch: null,
    details: {},
  }
}

export function sampleMetrics(): InterventionMetrics {
  return {
    total_interventions: 2,
    interventions_by_type: { no_files_detected: 1, agent_reinforced: 1 },
    interventions_by_severity: { critical: 1, info: 1 },
    intervention_rate_per_100_iterations: 200,
    avg_remediation_success_rate: 0.5,
  }
}

export function sampleProfile(id: string): AgentProfile {
  return {
    agent_id: id,
    total_iterations: 1,
    no_files_count: 1,
    false_completion_count: 0,
    avg_files_per_iteration: 0,
    avg_evidence_count: 0,
    last_reinforcement: null,
    intervention_threshold_exceeded: false,
  }
}

export function sampleAgent(id: string): KnownAgent {
  return {
    profile: sampleProfile(id),
    breaker: {
      state: 'closed',
      since: null,
      reason: '',
      noFiles: 1,
      falseCompletions: 0,
      windowIterations: 5,
      thresholds: { noFiles: 3, falseCompletions: 2, aggressiveMode: false },
      next: { state: 'open', noFiles: 2, falseCompletions: 2 },
    },
    configured: true,
  }
}

export function sampleFigures(agentId: string): AgentFigures {
  const usage = { attempts: 1, inputTokens: 1200, outputTokens: 300, cachedInputTokens: null, costUsd: 0.02 }
  const day = {
    agentId,
    attempts: { verified: 1, not_verified: 2, unclear: 0, none: 0 },
    contradictions: 0,
    interventions: { no_files_detected: 1 },
    evidencePerAttempt: 0.33,
    medianSeconds: 41.5,
    usage,
  }
  return {
    today: '2026-03-02',
    days: [{ day: '2026-03-02', agents: [day], otherInterventions: {} }],
    tasks: [{ taskId: 'check_email', usage }],
  }
}

export const sampleDiscoveredAgent: DiscoveredAgent = {
  preset: 'claude',
  name: 'Claude Code',
  found: true,
  path: '/usr/local/bin/claude',
  version: '2.1.329',
  measuredVersion: '2.1.329',
  login: 'logged-out',
  hint: 'Run `claude` once and log in with /login, or set ANTHROPIC_API_KEY.',
  modes: ['print', 'acp'],
  acpFound: false,
  acpHint: 'Install its adapter.',
  capabilities: { events: true, denials: true, resume: true, usage: true, cost: true, mcp: true },
  remarks: ['A refused tool shows in its events.'],
}

export function sampleTrust(hash: string, state: Trust['state']): Trust {
  return {
    state,
    commands: [
      {
        purpose: 'the agent',
        command: ['agent', '--run'],
        kind: 'command',
        when: 'attempt',
        warnings: [],
        isNew: false,
      },
    ],
    hash,
    text: '[agent]\n',
    approvedText: null,
    problems: [],
    reason: null,
  }
}

export function sampleConfiguration(hash: string): Configuration {
  return {
    text: '[agent]\ncommand = ["agent", "--run"]\n',
    textHash: hash,
    problems: [],
    values: { 'agent.command': ['agent', '--run'] },
    defaults: { 'heartbeat.interval_minutes': 15 },
    trust: sampleTrust(hash, 'approved'),
    refusal: null,
    path: '/pulseward.toml',
    hash,
    unreadable: null,
  }
}

export function sampleTemplate(): Template {
  return {
    id: 'code',
    title: 'Code',
    description: 'Works on code',
    contract: '## Tasks\n',
    configuration: '[agent]\ncommand = ["agent"]\n',
  }
}

export function sampleInspection(path: string): FolderInspection {
  const name = path.split('/').at(-1) ?? path
  const found = { contract: null, configuration: null, isGit: false, testCommand: null }
  return { path, name, problem: null, workspace: null, ...found }
}

export function sampleWorkspace(id: string, score: number): Workspace {
  return {
    id,
    name: id,
    path: `/folders/${id}`,
    agentId: 'agent',
    trust: 'approved',
    paused: null,
    suspended: null,
    running: null,
    score: sampleScore(id, score),
    shield: 'none',
    standingMessage: 'On the way.',
    counts: { open: 1, verified: 0, failed: 0, skipped: 0, blocked: 0 },
    next: { at: null, state: 'none', reason: 'Nothing is planned.' },
    notices: [],
    lastIntervention: null,
  }
}

export function samplePermission(id: string): PermissionRequest {
  return {
    id,
    workspace: 'one',
    workspaceName: 'one',
    attemptId: 'a-4',
    taskId: 'check_email',
    agentId: 'agent',
    tool: 'execute',
    target: 'npm test',
    title: 'Run the tests',
    grant: 'execute:npm test',
    allowLine: 'allow = ["edit", "execute:npm test"]',
    askedAt: '2026-03-02T09:00:00+01:00',
    expiresAt: '2026-03-02T09:01:00+01:00',
  }
}
