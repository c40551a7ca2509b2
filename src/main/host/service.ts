import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { DiscoveredAgent } from '../../api/schemas/agent.ts'
import type { RunReport } from '../../api/schemas/attempt.ts'
import type { HostStatus } from '../../api/schemas/host.ts'
import type { Workspace } from '../../api/schemas/workspace.ts'
import { parseContract } from '../../core/contract/parse.ts'
import { endOfPauseUntilTomorrow } from '../../core/pacing/quiet-hours.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import { readContractFile, sha256, writeContractFile } from '../config/contract-file.ts'
import { writeSample } from '../config/sample.ts'
import type { Clock } from '../ports/clock.ts'
import type { HostService } from '../ports/host-service.ts'
import type { PermissionsService } from '../ports/permissions-service.ts'
import type { SettingsService } from '../ports/settings-service.ts'
import type { SetupService } from '../ports/setup-service.ts'
import { agentFigures, agentsOf, profileOf } from './agents.ts'
import { attemptDetail, attemptFiles, attemptPage, giveFeedback, overrule } from './attempts.ts'
import { blockedTasks, retryBlocked, unblock, unblockLevel, unblockMany } from './blocked.ts'
import { approveConfiguration, createConfigurationService } from './configuration.ts'
import type { EventHub } from './event-hub.ts'
import {
  figuresOf,
  interventionPage,
  liftSuspension,
  metricsOf,
  resetInterventions,
} from './interventions.ts'
import { timelineDocument } from './timeline.ts'
import { undoUnblock } from './undo-unblock.ts'
import { contractView, historyView } from './views.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'
import {
  contractDocument,
  currentTrust,
  scoreOf,
  taskViews,
  workspaceDetail,
  workspaceView,
} from './workspace-views.ts'
import type { Workspaces } from './workspaces.ts'

export interface ServiceOptions {
  readonly version: string
  readonly dataDirectory: string
  /** Where the embedded sample lies. */
  readonly sampleDirectory: string
  /** Where an opened sample is written. */
  readonly sampleTarget: string
  readonly clock: Clock
  readonly workspaces: Workspaces
  readonly hub: EventHub
  readonly settings: SettingsService
  readonly setup: SetupService
  readonly permissions: PermissionsService
  readonly discoverAgents: () => Promise<DiscoveredAgent[]>
}

/** The host's answers: finds the workspace, asks its parts, and turns state into the shapes of the API. */
export function createService(options: ServiceOptions): HostService {
  const { workspaces, hub, clock } = options
  const startedAt = timestamp(clock.nowMs(), 'local')
  const find = (id: string | undefined): WorkspaceRuntime => workspaces.get(id)
  const updated = (runtime: WorkspaceRuntime): void => {
    hub.emit({ type: 'workspace-updated', workspace: runtime.id })
    hub.emit({ type: 'score-updated', workspace: runtime.id, score: scoreOf(runtime) })
  }

  return {
    ...options.settings,
    ...options.setup,
    ...createConfigurationService(find),
    status: (): HostStatus => ({
      version: options.version,
      startedAt,
      dataDirectory: options.dataDirectory,
      workspaces: workspaces.all().map(workspaceView),
    }),
    permissions: (id) => options.permissions.permissions(id === undefined ? undefined : find(id).id),
    answerPermission: options.permissions.answerPermission,
    discoverAgents: async () => ({ agents: await options.discoverAgents() }),
    score: (id) => scoreOf(find(id)),
    scoreHistories: () =>
      workspaces.all().map(({ id, ledger }) => ({ workspace: id, ...historyView(ledger.state) })),
    scoreHistory: (id) => historyView(find(id).ledger.state),
    giveFeedback: async (id, feedback) => {
      const runtime = find(id)
      const answer = await giveFeedback(runtime, feedback)
      updated(runtime)
      return answer
    },
    listWorkspaces: () => workspaces.all().map(workspaceView),
    workspace: (id) => workspaceDetail(find(id)),
    addWorkspace: async (path, trust) => workspaceView(await workspaces.add(path, trust)),
    removeWorkspace: (id) => workspaces.remove(id),
    trust: async (id) => currentTrust(find(id)),
    approve: async (id, hash) => {
      const runtime = find(id)
      await approveConfiguration(runtime, hash)
      return currentTrust(runtime)
    },
    openSample: async () => {
      const target = options.sampleTarget
      if (!existsSync(join(target, 'HEARTBEAT.md'))) await writeSample(target, options.sampleDirectory)
      return workspaceView(await workspaces.add(target, true))
    },
    contract: (id) => contractDocument(find(id)),
    writeContract: async (id, text, hash) => {
      const runtime = find(id)
      const { contractJournal } = runtime
      const before = await readContractFile(runtime.directory)
      if (before.ok && before.hash === hash) await contractJournal.note(before)
      await writeContractFile(runtime.directory, text, hash)
      runtime.operatorWrote(text)
      await contractJournal.note({ text, hash: sha256(text) }, 'operator')
      await runtime.loop.refresh()
      return contractDocument(runtime)
    },
    checkContract: async (id, text) => {
      // A text can be checked before any workspace exists: then no probe is known.
      const config = id === undefined && workspaces.all().length !== 1 ? null : find(id).loop.config
      return contractView(parseContract(text, { probeNames: Object.keys(config?.probes ?? {}) }))
    },
    previewPrompt: async (id, taskId, text) => find(id).contractTrial.preview(taskId, text),
    tryHint: async (id, taskId, text) => find(id).contractTrial.tryHint(taskId, text),
    dryRun: async (id, text) => find(id).contractTrial.dryRun(text),
    tasks: (id) => taskViews(find(id)),
    blockedTasks: (id, suggest) => blockedTasks(find(id), suggest),
    unblock: (id, taskId, how) => changed(id, (runtime) => unblock(runtime, taskId, how)),
    unblockLevel: (id, level, how) => changed(id, (runtime) => unblockLevel(runtime, level, how)),
    unblockMany: (id, taskIds, how) => changed(id, (runtime) => unblockMany(runtime, taskIds, how)),
    undoUnblock: (id, taskIds) => changed(id, (runtime) => undoUnblock(runtime, taskIds, clock.nowMs())),
    retryBlocked: (id, maxAttempts) => changed(id, (runtime) => retryBlocked(runtime, maxAttempts)),
    sweepBlocked: (id) => changed(id, async (runtime) => [...(await runtime.sweep())]),
    runNow: async (id, wait): Promise<RunReport | null> => {
      const runtime = find(id)
      const running = runtime.loop.runNow()
      if (!wait) {
        // A refusal is answered at once; what goes wrong later is told to whoever looks.
        const failed = running.then(
          () => null,
          (error: unknown) => error,
        )
        const refused = await Promise.race([failed, settledSoon()])
        if (refused instanceof RequestProblem) throw refused
        void failed.then((error) => error !== null && reportFailure(runtime, error))
        return null
      }
      const report = await running
      return {
        workspace: runtime.id,
        cycle: report.cycle,
        attempts: report.attempts.map((attempt) => ({ ...attempt })),
        score: scoreOf(runtime),
      }
    },
    pause: async (id, until) => {
      const runtime = find(id)
      await runtime.ledger.append({ type: 'paused', until: endOfPause(runtime, until, clock.nowMs()) })
      return settled(runtime)
    },
    resume: async (id) => {
      const runtime = find(id)
      await runtime.ledger.append({ type: 'resumed' })
      return settled(runtime)
    },
    attempts: async (id, limit, cursor) => attemptPage(find(id), limit, cursor),
    attempt: (id, attemptId) => attemptDetail(find(id), attemptId),
    attemptFiles: (id, attemptId) => attemptFiles(find(id), attemptId),
    overrule: async (id, attemptId, verdict, reason) => {
      const runtime = find(id)
      const answer = await overrule(runtime, attemptId, verdict, reason)
      updated(runtime)
      return answer
    },
    interventions: (id, filter) => interventionPage(find(id), filter),
    interventionMetrics: (id) => metricsOf(find(id)),
    resetInterventions: async (id) => {
      const runtime = find(id)
      await resetInterventions(runtime)
      return settled(runtime)
    },
    timeline: (id, query) => find(id).timeline.page(query),
    exportTimeline: (id, filter, format) => timelineDocument(find(id), filter, format),
    agentProfile: (id, agentId) => profileOf(find(id), agentId),
    agents: (id) => agentsOf(find(id)),
    agentFigures: (id) => agentFigures(find(id).ledger.state),
    liftSuspension: async (id, reason) => {
      const runtime = find(id)
      await liftSuspension(runtime, reason)
      return settled(runtime)
    },
    figures: () => workspaces.all().map(figuresOf),
    subscribe: (listener) => hub.subscribe(listener),
  }

  /** Carries out what changes the tasks of a workspace, and tells its clients. */
  async function changed<T>(
    id: string | undefined,
    change: (runtime: WorkspaceRuntime) => Promise<T>,
  ): Promise<T> {
    const runtime = find(id)
    const answer = await change(runtime)
    hub.emit({ type: 'workspace-updated', workspace: runtime.id })
    return answer
  }

  function reportFailure({ id, name }: WorkspaceRuntime, error: unknown): void {
    hub.emit({
      type: 'notification',
      workspace: id,
      about: 'trouble',
      task: null,
      title: `${name}: the heartbeat could not run`,
      body: error instanceof Error ? error.message : String(error),
    })
  }

  async function settled(runtime: WorkspaceRuntime): Promise<Workspace> {
    await runtime.loop.refresh()
    return workspaceView(runtime)
  }
}

/** ISO 8601, `null` where only the operator ends it. */
function endOfPause({ loop, zone }: WorkspaceRuntime, until: string | null, nowMs: number): string | null {
  if (until === 'tomorrow') {
    const activeHours = loop.config?.heartbeat.activeHours ?? null
    return timestamp(endOfPauseUntilTomorrow(nowMs, activeHours, zone()), zone())
  }
  if (until === null || !Number.isNaN(Date.parse(until))) return until
  throw new RequestProblem(
    'bad-request',
    `until is ${JSON.stringify(until)}; expected an ISO 8601 time, or "tomorrow".`,
  )
}

/** The end of the current turn of the event loop and the work it has queued. */
function settledSoon(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => resolve(null)))
}

/** Where an opened sample goes by default: beside the data, in a folder a person can open. */
export function defaultSampleTarget(dataDirectory: string): string {
  return join(dataDirectory, 'sample')
}
