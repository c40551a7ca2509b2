import { ORPCError } from '@orpc/client'
import type { ApiClient } from '../../src/api/client.ts'
import { PROBLEMS, RequestProblem } from '../../src/api/request-problem.ts'
import type { LiveEvent } from '../../src/api/schemas/live-event.ts'
import type { Theme } from '../../src/api/schemas/settings.ts'
import { agentFigures, agentViews } from '../../src/core/read-model/agent.ts'
import { attemptDetailView } from '../../src/core/read-model/attempt.ts'
import { interventionView } from '../../src/core/read-model/intervention.ts'
import type { PermissionRequest } from '../../src/core/read-model/permission.ts'
import { historyView } from '../../src/core/read-model/score.ts'
import type { EventBody } from '../../src/core/record/events.ts'
import { HOOKED_AGENTS, type HookedAgent } from '../../src/core/vocabulary/session.ts'
import { countOthers } from '../../src/core/vocabulary/unreviewed.ts'
import {
  blockedTasks,
  retryBlocked,
  unblock,
  unblockLevel,
  unblockMany,
} from '../../src/main/host/unblock.ts'
import { undoUnblock } from '../../src/main/host/undo-unblock.ts'
import { A_DIFFERENCE, A_PROMPT, A_REPLAY } from './attempt-texts.ts'
import { type FleetSize, fleetCalls } from './fleet.ts'
import { fleetChanges } from './fleet-feed.ts'
import { Folder, type Seed } from './folder.ts'
import { settingsCalls } from './settings.ts'
import { pageOf, type Timeline } from './timeline.ts'

/** What the page shows: workspaces with their histories, as a host would have them, and the state of the moment. */
export interface Scenario {
  readonly workspaces: readonly Seed[]
  /** Output of the running attempt, sent piece by piece once the page listens. */
  readonly output?: readonly string[]
  /** `lost`: every call is answered, then the stream ends. `never`: no call is answered. */
  readonly connection?: 'lost' | 'never'
  /** Logs, by attempt id. */
  readonly logs?: Readonly<Record<string, string>>
  /** Permissions that agents of the first workspace have asked for. */
  readonly permissions?: readonly PermissionRequest[]
  /** The first workspace's timeline, if its history is too long to be folded here. */
  readonly timeline?: Timeline
  /** Makes this host the center of a fleet of this size. */
  readonly fleet?: FleetSize
}

/** The first two hooks are installed; the second is switched off by its program. */
function hookOf(agent: HookedAgent, index: number) {
  const isSilenced = index === 1
  return {
    agent,
    installed: index < 2,
    mode: index === 0 ? ('gate' as const) : ('shadow' as const),
    state: index === 0 ? ('guarded' as const) : isSilenced ? ('silenced' as const) : ('absent' as const),
    lastCallAt: index === 0 ? new Date(Date.now() - 60_000).toISOString() : null,
    because: isSilenced ? 'its entry waits for a review in Codex' : null,
    path: `/home/me/.${agent}/settings.json`,
  }
}

/** The procedures that the page calls, typed by the contract. */
type Calls = { readonly [Domain in keyof ApiClient]?: Partial<ApiClient[Domain]> }

type Of = { readonly workspace?: string | undefined }

/** Returns an in-memory API over `scenario`. Requests are recorded and kept until the page is loaded again. */
export function galleryClient(scenario: Scenario, theme: Theme, nowMs: number): ApiClient {
  const folders = scenario.workspaces.map((seed) => new Folder(seed, nowMs))
  const [first] = folders
  if (first !== undefined) first.permissions = scenario.permissions ?? []
  const find = (id: string | undefined): Folder => {
    const found = id === undefined ? first : folders.find((folder) => folder.id === id)
    if (found === undefined) throw new ORPCError('NOT_FOUND', { message: `No workspace ${id}.` })
    return found
  }
  const refuse = () =>
    Promise.reject(new ORPCError('CONFLICT', { message: 'There is no host behind the gallery.' }))
  const recording = async ({ workspace }: Of, ...bodies: readonly EventBody[]) => {
    await find(workspace).ledger.append(...bodies)
    return find(workspace).view()
  }
  let looks = 0
  const calls: Calls = {
    // biome-ignore lint/suspicious/noExplicitAny: a procedure at the top has no domain
    ...({ status: () => statusOf(scenario, folders), events: async () => events(scenario, folders) } as any),
    workspaces: {
      watch: async ({ id }) => (id === null ? null : { number: ++looks, detail: find(id).view() }),
      add: async ({ path }) => {
        throw new ORPCError('UNPROCESSABLE_CONTENT', {
          message: `${path} has no HEARTBEAT.md. Write one, or open the sample.`,
        })
      },
      approve: async ({ id }) => {
        find(id).approve()
        return find(id).trust
      },
      openSample: refuse,
    },
    score: {
      histories: async () =>
        folders.map(({ id, ledger }) => ({ workspace: id, ...historyView(ledger.state) })),
      feedback: async ({ workspace, attemptId = null, feedback }) => {
        const points = feedback === 'up' ? 3 : -10
        const { score } = await recording(
          { workspace },
          { type: 'feedback-given', attemptId, feedback, note: null, points },
        )
        return { delta: points, score: score.score }
      },
    },
    heartbeat: {
      run: refuse,
      pause: ({ until = null, ...of }) => recording(of, { type: 'paused', until }),
      resume: (of) => recording(of, { type: 'resumed' }),
      liftSuspension: ({ reason, ...of }) => {
        if (reason === 'too soon')
          throw new ORPCError('STORAGE_UNAVAILABLE', {
            message: 'The disk is full. Make room, then try again.',
          })
        return recording(of, { type: 'suspension-lifted', reason })
      },
    },
    tasks: taskCalls(find),
    interventions: {
      list: async ({ workspace, last, type, severity }) => {
        const wanted = find(workspace)
          .ledger.state.interventions.map(interventionView)
          .filter(
            (each) =>
              (type ?? each.event_type) === each.event_type && (severity ?? each.severity) === each.severity,
          )
        return { interventions: wanted.slice(0, Number(last ?? 50)), nextCursor: null }
      },
      reset: (of) => recording(of, { type: 'interventions-reset' }),
    },
    sessions: { list: async () => ({ sessions: [] }) },
    landing: { list: async () => ({ landing: [] }) },
    hooks: { status: async () => ({ agents: HOOKED_AGENTS.map(hookOf) }) },
    agents: {
      discover: async () => ({ agents: [] }),
      list: async ({ workspace }) => agentViews(find(workspace).ledger.state, find(workspace).loop.config),
      figures: async ({ workspace }) => agentFigures(find(workspace).ledger.state),
    },
    contract: {
      get: async ({ workspace }) => find(workspace).contract(),
      put: async ({ workspace, text, hash }) => {
        const folder = find(workspace)
        if (folder.contractText !== hash) throw new ORPCError('CONFLICT', { message: 'It has changed.' })
        folder.contractText = text
        return folder.contract()
      },
    },
    // Tests over a real host cover what these change.
    notes: { add: refuse },
    proposals: { list: async () => ({ proposals: [] }), answer: refuse },
    review: { list: async () => ({ held: [] }), answer: refuse, undo: refuse },
    seen: {
      all: async ({ workspace }) => {
        const { waiting } = find(workspace).ledger.state.unreviewed
        const [ids, others] = [waiting.map(({ id }) => id), countOthers(waiting)]
        await recording({ workspace }, { type: 'contradictions-seen', ids, others, how: 'marked' })
        return { seen: ids, others, unreviewed: 0 }
      },
      undo: async ({ workspace, ids }) => {
        const { unreviewed } = await recording(
          { workspace },
          { type: 'contradictions-unseen', ids: [...ids] },
        )
        return { unreviewed }
      },
    },
    permissions: {
      list: async () => [...(first?.permissions ?? [])],
      answer: async ({ id, answer }) => {
        if (first !== undefined) first.permissions = first.permissions.filter((request) => request.id !== id)
        return { id, answer }
      },
    },
    attempts: {
      get: async ({ workspace, id }) => attemptOf(scenario, find(workspace), id),
      files: async () => ({ prompt: A_PROMPT, difference: A_DIFFERENCE, replay: A_REPLAY }),
      overrule: refuse,
    },
    timeline: {
      list: async ({ workspace, ...query }) =>
        pageOf(scenario.timeline ?? asTimeline(find(workspace)), query),
    },
    ...settingsCalls(theme),
    ...(scenario.fleet !== undefined && { fleet: fleetCalls(scenario.fleet, folders, nowMs) }),
  }
  return calls as ApiClient
}

function asTimeline(folder: Folder): Timeline {
  const entries = folder.timeline()
  return { count: entries.length, entry: (place) => entries[place] }
}

async function statusOf({ connection, fleet }: Scenario, folders: readonly Folder[]) {
  if (connection === 'never') await new Promise(() => {})
  const workspaces = folders.map((folder) => folder.view())
  return {
    version: '0.1.0',
    startedAt: '',
    dataDirectory: '~/.pulseward',
    isCentre: fleet !== undefined,
    workspaces,
    opening: [],
    unopened: [],
  }
}

/** Handled by the host's own code; its problems become the wire's errors. */
function taskCalls(find: (id: string | undefined) => Folder): Calls['tasks'] {
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof RequestProblem)
        throw new ORPCError(PROBLEMS[error.kind].code, { message: error.message })
      throw error
    }
  }
  return {
    found: async () => [],
    blocked: async ({ workspace, suggest }) =>
      blockedTasks(find(workspace), suggest === undefined ? undefined : suggest === true),
    unblock: ({ workspace, id, ...how }) => answered(unblock(find(workspace), id, how)),
    unblockMany: ({ workspace, ids, ...how }) => answered(unblockMany(find(workspace), ids, how)),
    unblockLevel: ({ workspace, filter, ...how }) => answered(unblockLevel(find(workspace), filter, how)),
    undoUnblock: ({ workspace, ids }) => answered(undoUnblock(find(workspace), ids, Date.now())),
    retryBlocked: ({ workspace, maxAttempts }) => answered(retryBlocked(find(workspace), maxAttempts)),
    sweep: async ({ workspace }) => {
      const results = blockedTasks(find(workspace), false).map(({ taskId, swept }, index) => ({
        taskId,
        holds: swept?.holds ?? (index === 0 ? null : false),
        reason: swept?.reason ?? 'it fails',
      }))
      await find(workspace).ledger.append({ type: 'blocked-swept', results })
      return results
    },
  }
}

function attemptOf({ logs }: Scenario, folder: Folder, id: string) {
  const result = folder.attempt(id)
  if (result === null) throw new ORPCError('NOT_FOUND', { message: `No attempt ${id}.` })
  const { attempts } = folder.ledger.state
  const same = attempts.filter(({ taskId }) => taskId === result.taskId)
  const place = same.findIndex(({ attemptId }) => attemptId === id)
  return attemptDetailView(result, same[place], {
    isUnreviewed: folder.ledger.state.unreviewed.waiting.some((one) => one.id === id),
    undo: null,
    output: logs?.[id] ?? null,
    entryId: String(same[place]?.seq ?? ''),
    previousId: same[place + 1]?.attemptId ?? null,
    nextId: same[place - 1]?.attemptId ?? null,
  })
}

async function* events(
  { output = [], connection, fleet }: Scenario,
  folders: readonly Folder[],
): AsyncGenerator<LiveEvent> {
  const running = folders.find(({ ledger }) => ledger.state.running?.attempt != null)
  const attemptId = running?.ledger.state.running?.attempt?.attemptId ?? ''
  for (const text of output)
    if (running !== undefined)
      yield { type: 'attempt-output', workspace: running.id, attemptId, stream: 'stdout', text }
  if (connection === 'lost') return
  if (fleet !== undefined) yield* fleetChanges()
  await new Promise(() => {})
}
