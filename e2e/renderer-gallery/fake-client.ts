import { ORPCError } from '@orpc/client'
import type { ApiClient } from '../../src/api/client.ts'
import type { LiveEvent } from '../../src/api/schemas/live-event.ts'
import type { Theme } from '../../src/api/schemas/settings.ts'
import type { AgentFigures, AgentProfile, KnownAgent } from '../../src/core/read-model/agent.ts'
import { type AttemptDetail, attemptDetailSchema } from '../../src/core/read-model/attempt.ts'
import type { BlockedTask } from '../../src/core/read-model/blocked-task.ts'
import type { Intervention } from '../../src/core/read-model/intervention.ts'
import type { PermissionRequest } from '../../src/core/read-model/permission.ts'
import type { WorkspaceDetail } from '../../src/core/read-model/workspace.ts'
import { A_DIFFERENCE, A_PROMPT, A_RECONCILIATION, AN_ACTIVITY } from './attempt-fixtures.ts'
import { agentCalls } from './fake-agents.ts'
import { blockedCalls } from './fake-blocked.ts'
import { contractCalls } from './fake-contract.ts'
import { settingsCalls } from './fake-settings.ts'
import { type FakeTimeline, fakeTimelinePage, type TimelineInput } from './timeline-fixtures.ts'

/** What the page finds: a fixture in the host's place. */
export interface Scenario {
  readonly workspaces: WorkspaceDetail[]
  /** Output of the running attempt, sent bit by bit once the page listens. */
  readonly output?: readonly string[]
  /** `lost`: every call is answered, then the stream ends. `never`: no answer at all. */
  readonly connection?: 'lost' | 'never'
  /** Attempts' logs by attempt id. */
  readonly logs?: Readonly<Record<string, string>>
  /** Of the first workspace. */
  readonly blocked?: BlockedTask[]
  /** Newest first. */
  readonly interventions?: readonly Intervention[]
  readonly profile?: AgentProfile
  /** Left out: the one of `profile`, its breaker closed. */
  readonly agents?: readonly KnownAgent[]
  readonly figures?: AgentFigures
  /** What agents request permission for. */
  readonly permissions?: readonly PermissionRequest[]
  /** Of the settings. */
  readonly theme?: Theme
  /** Of the first workspace. */
  readonly timeline?: FakeTimeline
}

const NO_TIMELINE: FakeTimeline = {
  count: 0,
  entry: () => {
    throw new Error('This scenario has no timeline.')
  },
}

/** An API in memory over `scenario`. What it is told (thumbs, pause, approval) it keeps until the page is loaded again. */
export function fakeClient(scenario: Scenario): ApiClient {
  const { workspaces } = scenario
  let permissions = scenario.permissions ?? []
  const find = (id: string | undefined): WorkspaceDetail => {
    const found = id === undefined ? workspaces[0] : workspaces.find((workspace) => workspace.id === id)
    if (found === undefined) throw new ORPCError('NOT_FOUND', { message: `No workspace ${id}.` })
    return found
  }
  const refuse = () =>
    Promise.reject(new ORPCError('CONFLICT', { message: 'The gallery shows fixtures: there is no host.' }))
  const client = {
    status: async () => {
      if (scenario.connection === 'never') return new Promise(() => {})
      return {
        version: '0.1.0',
        startedAt: workspaces[0]?.score.date ?? '',
        dataDirectory: '~/.pulseward',
        workspaces: structuredClone(workspaces),
        opening: [],
        unopened: [],
      }
    },
    workspaces: {
      get: async ({ id }: { id: string }) => structuredClone(find(id)),
      add: async ({ path }: { path: string }) => {
        throw new ORPCError('UNPROCESSABLE_CONTENT', {
          message: `${path} has no HEARTBEAT.md. Write one, or open the sample.`,
        })
      },
      approve: async ({ id }: { id: string }) => {
        const workspace = find(id)
        workspace.trust = 'approved'
        workspace.trustDetail = { ...workspace.trustDetail, state: 'approved' }
        return workspace.trustDetail
      },
      openSample: refuse,
    },
    score: {
      histories: async () => workspaces.map(({ id, history }) => ({ workspace: id, ...history })),
      feedback: async ({
        workspace: id,
        attemptId,
        feedback,
      }: {
        workspace?: string
        attemptId?: string
        feedback: 'up' | 'down'
      }) => {
        const workspace = find(id)
        const attempt = workspace.attempts.find((each) => each.attemptId === attemptId)
        if (attempt !== undefined) attempt.feedback = feedback
        const delta = feedback === 'up' ? 3 : -10
        workspace.score = { ...workspace.score, score: workspace.score.score + delta }
        return { delta, score: workspace.score.score }
      },
    },
    heartbeat: {
      run: refuse,
      pause: async ({ workspace: id, until }: { workspace?: string; until?: string | null }) => {
        const workspace = find(id)
        workspace.paused = { since: new Date().toISOString(), until: until ?? null }
        workspace.shield = 'paused'
        return workspace
      },
      resume: async ({ workspace: id }: { workspace?: string }) => {
        const workspace = find(id)
        workspace.paused = null
        workspace.shield = 'none'
        return workspace
      },
      liftSuspension: async ({ workspace: id, reason }: { workspace?: string; reason: string }) => {
        if (reason === 'too soon')
          throw new ORPCError('STORAGE_UNAVAILABLE', {
            message: 'The disk is full. Make room, then try again.',
          })
        const workspace = find(id)
        workspace.suspended = null
        workspace.shield = 'none'
        return workspace
      },
    },
    ...blockedCalls(scenario),
    ...interventionCalls(scenario),
    ...agentCalls(scenario),
    contract: contractCalls(find),
    ...settingsCalls(scenario.theme ?? 'system'),
    // What these change is tested over a host.
    notes: { list: async () => [], add: refuse },
    proposals: { list: async () => ({ proposals: [] }), answer: refuse },
    review: { list: async () => ({ held: [] }), answer: refuse, undo: refuse },
    permissions: {
      list: async () => permissions,
      answer: async ({ id, answer }: { id: string; answer: string }) => {
        permissions = permissions.filter((request) => request.id !== id)
        return { id, answer }
      },
    },
    attempts: {
      get: async ({ workspace: id, id: attemptId }: { workspace?: string; id: string }) =>
        attemptDetail(scenario, find(id), attemptId),
      files: async () => ({ prompt: A_PROMPT, difference: A_DIFFERENCE }),
      overrule: refuse,
    },
    timeline: {
      list: async (input: TimelineInput) => fakeTimelinePage(scenario.timeline ?? NO_TIMELINE, input),
      export: async function* () {
        yield '[\n'
        yield ']\n'
      },
    },
    events: async () => events(scenario),
  }
  return client as unknown as ApiClient
}

/** The calls about interventions. */
function interventionCalls(scenario: Scenario) {
  const first = scenario.workspaces[0]
  return {
    interventions: {
      list: async (input: {
        workspace?: string
        last: number
        type?: string
        severity?: string
        cursor?: string
      }) => {
        const isFirst = input.workspace === undefined || input.workspace === first?.id
        const all = isFirst ? (scenario.interventions ?? []) : []
        const from = input.cursor === undefined ? 0 : all.findIndex(({ id }) => id === input.cursor) + 1
        const wanted = all
          .slice(from)
          .filter(({ event_type }) => input.type === undefined || event_type === input.type)
          .filter(({ severity }) => input.severity === undefined || severity === input.severity)
        const interventions = wanted.slice(0, input.last)
        const nextCursor = wanted.length > input.last ? (interventions.at(-1)?.id ?? null) : null
        return { interventions, nextCursor }
      },
      reset: async ({ workspace: id }: { workspace?: string }) => {
        const workspace = scenario.workspaces.find((each) => each.id === id) ?? first
        if (workspace !== undefined) Object.assign(workspace, { suspended: null, shield: 'none' })
        return workspace
      },
    },
  }
}

function attemptDetail(scenario: Scenario, workspace: WorkspaceDetail, attemptId: string): AttemptDetail {
  const attempt = workspace.attempts.find((each) => each.attemptId === attemptId)
  if (attempt === undefined) throw new ORPCError('NOT_FOUND', { message: `No attempt ${attemptId}.` })
  const { overruled } = attempt
  // Through the schema: fields that a scenario has no word on get their defaults.
  return attemptDetailSchema.parse({
    ...attempt,
    description: '',
    agentId: workspace.agentId ?? '',
    exitCode: attempt.outcome === 'completed' ? 0 : null,
    signal: attempt.outcome === 'timeout' ? 'SIGTERM' : null,
    skipped: false,
    heldBefore: false,
    claim: {
      status: 'done',
      values: {},
      files: [],
      evidence: ['notes/inbox.md:1-12 summary of 3 new emails'],
      exitSignal: true,
      source: 'report',
      notes: [],
    },
    filesChanged: ['notes/inbox.md', 'notes/2026-11.md'],
    filesChangedCount: 2,
    interventions: (scenario.interventions ?? [])
      .filter(({ attempt_id }) => attempt_id === attemptId)
      .slice(0, 2),
    feedbackShown: attempt.groundTruthContradiction,
    timeoutReason: '120 s × 1.5 for medium',
    verify: 'email_count',
    activity: attempt.groundTruthContradiction ? AN_ACTIVITY : null,
    reconciliation: attempt.groundTruthContradiction ? A_RECONCILIATION : null,
    ...neighboursOf(workspace, attemptId),
    overruled: overruled === null ? null : { ...overruled, to: attempt.verdict ?? 'unclear' },
    output: scenario.logs?.[attemptId] ?? null,
  })
}

function neighboursOf({ attempts }: WorkspaceDetail, attemptId: string) {
  const taskId = attempts.find((each) => each.attemptId === attemptId)?.taskId
  const same = attempts.filter((each) => each.taskId === taskId)
  const at = same.findIndex((each) => each.attemptId === attemptId)
  return {
    entryId: '14',
    previousId: same[at + 1]?.attemptId ?? null,
    nextId: same[at - 1]?.attemptId ?? null,
  }
}

async function* events({ workspaces, output = [], connection }: Scenario): AsyncGenerator<LiveEvent> {
  const running = workspaces.find((workspace) => workspace.running !== null)
  const attemptId = running?.running?.attempt?.attemptId
  for (const text of output) {
    if (running === undefined || attemptId === undefined) break
    yield { type: 'attempt-output', workspace: running.id, attemptId, stream: 'stdout', text }
  }
  if (connection === 'lost') return
  await new Promise(() => {})
}
