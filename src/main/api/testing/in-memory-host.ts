import { createHash } from 'node:crypto'
import { RequestProblem } from '../../../api/request-problem.ts'
import type { UnblockedTask } from '../../../api/schemas/blocked-task.ts'
import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import { type Settings, settingsSchema } from '../../../api/schemas/settings.ts'
import type { Workspace } from '../../../api/schemas/workspace.ts'
import type { HostService } from '../../ports/host-service.ts'
import type { UnblockOptions } from '../../ports/tasks-service.ts'
import {
  sampleAgent,
  sampleAttempt,
  sampleAttemptDetail,
  sampleBlockedTask,
  sampleConfiguration,
  sampleDiscoveredAgent,
  sampleFigures,
  sampleHintTrial,
  sampleHistory,
  sampleInspection,
  sampleIntervention,
  sampleMetrics,
  samplePermission,
  sampleProfile,
  sampleScore,
  sampleTask,
  sampleTemplate,
  sampleTimelineEntry,
  sampleTrust,
  sampleWorkspace,
} from './samples.ts'

/** A host without folders, agents or clock that keeps the rules of the port; and what tests need beside it. */
export interface InMemoryHost extends HostService {
  emit(event: LiveEvent): void
  listenerCount(): number
  /** Lets every waiting `runNow` end. */
  finishRuns(): void
  runningCount(): number
}

interface Entry {
  score: number
  text: string
  trustHash: string
  trusted: boolean
  paused: Workspace['paused']
  suspended: Workspace['suspended']
  running: boolean
  /** The blocked task has not been unblocked. */
  blocked: boolean
}

/** Of the workspace `held`. */
const SUSPENDED = { since: '2026-03-02T09:00:00+01:00', reason: '3 times no files' }
/** Attempts that every workspace has. */
const ATTEMPT_IDS = ['a-3', 'a-2', 'a-1']
const BASE_POINTS = 10

/** A host with the workspaces named, `held` being suspended; each has three attempts, one open and one blocked task, and 10 points. */
export function createInMemoryHost(ids: readonly string[]): InMemoryHost {
  const entries = new Map<string, Entry>(ids.map((id) => [id, newEntry(id === 'held' ? SUSPENDED : null)]))
  const listeners = new Set<(event: LiveEvent) => void>()
  const finishers = new Set<() => void>()
  /** Ids of the permission requests that wait; `p-0` was answered. */
  const waiting = ['p-1']

  let settings: Settings = settingsSchema.parse({})
  const settingsDocument = () => ({
    settings,
    hash: hashOf(JSON.stringify(settings)),
    path: '/data/settings.json',
    dataDirectory: '/data',
  })

  const resolve = (workspace: string | undefined): [string, Entry] => {
    const known = [...entries.keys()].join(', ')
    const id = workspace ?? (entries.size === 1 ? [...entries.keys()][0] : undefined)
    if (id === undefined) throw new RequestProblem('bad-request', `Name one of the workspaces: ${known}`)
    const entry = entries.get(id)
    if (entry === undefined) throw new RequestProblem('not-found', `No workspace ${id}; there are: ${known}`)
    return [id, entry]
  }
  const emit = (event: LiveEvent) => {
    for (const listener of listeners) listener(event)
  }
  const show = (id: string, entry: Entry): Workspace => ({
    ...sampleWorkspace(id, entry.score),
    paused: entry.paused,
    suspended: entry.suspended,
    shield: entry.suspended === null ? 'none' : 'suspended',
    trust: entry.trusted ? 'approved' : 'unapproved',
  })
  const addPoints = (id: string, entry: Entry, delta: number) => {
    entry.score += delta
    emit({ type: 'score-updated', workspace: id, score: sampleScore(id, entry.score) })
    return { delta, score: entry.score }
  }
  const requireAttempt = (attemptId: string) => {
    if (!ATTEMPT_IDS.includes(attemptId)) throw new RequestProblem('not-found', `No attempt ${attemptId}`)
  }
  const document = (entry: Entry) => ({
    ...report(entry.text),
    path: '/HEARTBEAT.md',
    text: entry.text,
    hash: hashOf(entry.text),
    lossy: false,
    probes: [{ name: 'email_count', source: 'count-mail', parse: 'number' as const }],
    approvedCommands: [],
  })
  const trustOf = (entry: Entry) => sampleTrust(entry.trustHash, entry.trusted ? 'approved' : 'unapproved')

  return {
    emit,
    listenerCount: () => listeners.size,
    runningCount: () => finishers.size,
    finishRuns() {
      for (const finish of finishers) finish()
    },
    status: () => ({
      version: '1.2.3',
      startedAt: '2026-03-02T08:00:00+01:00',
      dataDirectory: '/data',
      workspaces: [...entries].map(([id, entry]) => show(id, entry)),
    }),
    score(workspace) {
      const [id, entry] = resolve(workspace)
      return sampleScore(id, entry.score)
    },
    scoreHistory: (workspace) => sampleHistory(resolve(workspace)[1].score),
    scoreHistories: () =>
      [...entries].map(([workspace, { score }]) => ({ workspace, ...sampleHistory(score) })),
    async giveFeedback(workspace, { feedback, attemptId }) {
      const [id, entry] = resolve(workspace)
      if (attemptId !== undefined) requireAttempt(attemptId)
      return addPoints(id, entry, feedback === 'up' ? 3 : -10)
    },
    listWorkspaces: () => [...entries].map(([id, entry]) => show(id, entry)),
    async workspace(id) {
      const [, entry] = resolve(id)
      return {
        ...show(id, entry),
        tasks: [sampleTask()],
        attempts: [],
        heartbeats: [],
        history: sampleHistory(entry.score),
        diagnostics: [],
        trustDetail: trustOf(entry),
      }
    },
    async addWorkspace(path, trust) {
      const id = path.split('/').at(-1) ?? path
      if (id === 'missing') throw new RequestProblem('unprocessable', `There is no folder ${path}`)
      if (entries.has(id)) throw new RequestProblem('conflict', `${path} has been added already`)
      const entry = { ...newEntry(), trusted: trust }
      entries.set(id, entry)
      emit({ type: 'workspaces-changed' })
      return show(id, entry)
    },
    async removeWorkspace(id) {
      resolve(id)
      entries.delete(id)
      emit({ type: 'workspaces-changed' })
    },
    trust: async (id) => trustOf(resolve(id)[1]),
    async approve(id, hash) {
      const [, entry] = resolve(id)
      if (hash !== entry.trustHash)
        throw new RequestProblem('conflict', 'The configuration has changed since')
      entry.trusted = true
      return trustOf(entry)
    },
    async openSample() {
      const entry = newEntry()
      entries.set('sample', entry)
      return show('sample', entry)
    },
    contract: async (workspace) => document(resolve(workspace)[1]),
    async writeContract(workspace, text, hash) {
      const [, entry] = resolve(workspace)
      if (hash !== hashOf(entry.text)) throw new RequestProblem('conflict', 'HEARTBEAT.md has changed since')
      entry.text = text
      return document(entry)
    },
    async checkContract(workspace, text) {
      resolve(workspace)
      return report(text)
    },
    async previewPrompt(workspace, taskId, text) {
      requireTask(text ?? resolve(workspace)[1].text, taskId)
      return { prompt: `Work on ${taskId}`, taskIds: [taskId], timeoutSeconds: 180 }
    },
    async tryHint(workspace, taskId, text) {
      requireTask(text ?? resolve(workspace)[1].text, taskId)
      return sampleHintTrial(taskId)
    },
    async dryRun(workspace, text) {
      resolve(workspace)
      return { tasks: text === '' ? [] : [sampleHintTrial(sampleTask().id)] }
    },
    async tasks(workspace) {
      resolve(workspace)
      return [sampleTask()]
    },
    blockedTasks(workspace, suggest = true) {
      const [, entry] = resolve(workspace)
      const task = sampleBlockedTask()
      return entry.blocked ? [{ ...task, suggestion: suggest ? task.suggestion : null }] : []
    },
    async unblock(workspace, taskId, how) {
      const [, entry] = resolve(workspace)
      if (taskId === sampleTask().id) throw new RequestProblem('conflict', `${taskId} is not blocked`)
      const { taskId: known } = sampleBlockedTask()
      if (taskId !== known) throw new RequestProblem('not-found', `No task ${taskId}`)
      entry.blocked = false
      return unblocked(how)
    },
    async unblockLevel(workspace, level, how) {
      const [, entry] = resolve(workspace)
      if (!entry.blocked || level !== sampleBlockedTask().level) return { unblocked: [], refused: [] }
      entry.blocked = false
      return { unblocked: [unblocked(how)], refused: [] }
    },
    async unblockMany(workspace, taskIds, how) {
      const [, entry] = resolve(workspace)
      const { taskId: known } = sampleBlockedTask()
      const isReleased = entry.blocked && taskIds.includes(known)
      if (isReleased) entry.blocked = false
      const others = taskIds.filter((taskId) => !isReleased || taskId !== known)
      return {
        unblocked: isReleased ? [unblocked(how)] : [],
        refused: others.map((taskId) => ({ taskId, reason: `${taskId} is not blocked` })),
      }
    },
    async undoUnblock(workspace, taskIds) {
      const [, entry] = resolve(workspace)
      const { taskId: known } = sampleBlockedTask()
      if (entry.blocked || !taskIds.includes(known))
        throw new RequestProblem('conflict', `${taskIds.join(', ')} cannot be blocked again`)
      entry.blocked = true
      const others = taskIds.filter((taskId) => taskId !== known)
      return {
        blocked: [known],
        refused: others.map((taskId) => ({ taskId, reason: 'It has not been unblocked' })),
      }
    },
    async retryBlocked(workspace, maxAttempts) {
      resolve(workspace)
      const { taskId } = sampleBlockedTask()
      return maxAttempts === undefined
        ? { unblocked: [unblocked({})], refused: [] }
        : { unblocked: [], refused: [{ taskId, reason: `Not with ${maxAttempts}` }] }
    },
    async sweepBlocked(workspace) {
      resolve(workspace)
      return [{ taskId: sampleBlockedTask().taskId, holds: true, reason: 'It holds now' }]
    },
    async runNow(workspace, wait) {
      const [id, entry] = resolve(workspace)
      if (entry.running) throw new RequestProblem('conflict', `A cycle of ${id} is running already`)
      if (!wait) return null
      entry.running = true
      await new Promise<void>((finish) => finishers.add(finish))
      finishers.clear()
      entry.running = false
      return { workspace: id, cycle: 1, attempts: [], score: sampleScore(id, entry.score) }
    },
    async pause(workspace, until) {
      const [id, entry] = resolve(workspace)
      entry.paused = { since: '2026-03-02T09:00:00+01:00', until }
      return show(id, entry)
    },
    async resume(workspace) {
      const [id, entry] = resolve(workspace)
      entry.paused = null
      return show(id, entry)
    },
    async attempts(workspace, limit, cursor) {
      resolve(workspace)
      const start = cursor === undefined ? 0 : ATTEMPT_IDS.indexOf(cursor)
      if (start < 0) throw new RequestProblem('bad-request', `No such cursor: ${cursor}`)
      const attempts = ATTEMPT_IDS.slice(start, start + limit).map(sampleAttempt)
      return { attempts, nextCursor: ATTEMPT_IDS[start + limit] ?? null }
    },
    async attempt(workspace, id) {
      resolve(workspace)
      requireAttempt(id)
      return sampleAttemptDetail(id)
    },
    async overrule(workspace, id, verdict) {
      const [workspaceId, entry] = resolve(workspace)
      requireAttempt(id)
      return addPoints(workspaceId, entry, verdict === 'verified' ? 0 : -25)
    },
    interventions(workspace, { last, type, severity, cursor }) {
      resolve(workspace)
      const all = ['3-0', '2-0', '1-0'].map(sampleIntervention)
      const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
      if (cursor !== undefined && start === 0)
        throw new RequestProblem('bad-request', `No such cursor: ${cursor}`)
      const wanted = all
        .slice(start)
        .filter((each) => type === undefined || each.event_type === type)
        .filter((each) => severity === undefined || each.severity === severity)
      const page = wanted.slice(0, last)
      return { interventions: page, nextCursor: wanted.length > last ? (page.at(-1)?.id ?? null) : null }
    },
    async attemptFiles(workspace, id) {
      resolve(workspace)
      requireAttempt(id)
      return { prompt: 'Do it.\n', difference: null }
    },
    async timeline(workspace, { limit, offset = 0 }) {
      resolve(workspace)
      const all = ['3', '2', '1'].map(sampleTimelineEntry)
      const entries = all.slice(offset, offset + limit)
      return { entries, offset, total: all.length, isComplete: true, foundAt: null, head: 3 }
    },
    exportTimeline(workspace, _filter, format) {
      resolve(workspace)
      return pieces(
        format === 'csv' ? ['id\r\n', '3\r\n'] : ['[\n', JSON.stringify(sampleTimelineEntry('3')), '\n]\n'],
      )
    },
    interventionMetrics(workspace) {
      resolve(workspace)
      return sampleMetrics()
    },
    async resetInterventions(workspace) {
      const [id, entry] = resolve(workspace)
      entry.suspended = null
      return show(id, entry)
    },
    permissions(workspace) {
      if (workspace !== undefined) resolve(workspace)
      return waiting.map(samplePermission)
    },
    answerPermission(id) {
      if (id === 'p-0') throw new RequestProblem('conflict', 'It was denied already, in another window.')
      if (!waiting.includes(id)) throw new RequestProblem('not-found', `No permission request ${id}`)
      waiting.splice(waiting.indexOf(id), 1)
    },
    discoverAgents: async () => ({ agents: [sampleDiscoveredAgent] }),
    agentProfile(workspace, agentId) {
      resolve(workspace)
      if (agentId !== 'agent') throw new RequestProblem('not-found', `No agent ${agentId}`)
      return sampleProfile(agentId)
    },
    agents(workspace) {
      resolve(workspace)
      return [sampleAgent('agent')]
    },
    agentFigures(workspace) {
      resolve(workspace)
      return sampleFigures('agent')
    },
    async liftSuspension(workspace) {
      const [id, entry] = resolve(workspace)
      if (entry.suspended === null) throw new RequestProblem('conflict', `${id} is not suspended`)
      entry.suspended = null
      return show(id, entry)
    },
    figures: () =>
      [...entries].map(([workspace, { score }]) => ({
        workspace,
        score,
        target: 50,
        cycles: 4,
        blockedTasks: 1,
        suspended: false,
        attempts: { verified: 1, not_verified: 2, unclear: 0, none: 0 },
        interventions: [{ event_type: 'no_files_detected', severity: 'critical', count: 2 }],
        attemptSeconds: { bounds: [1, 5, 60], counts: [1, 0, 1], total: 3, sum: 101.5 },
        usage: {},
        dailyBudgetUsd: null,
      })),
    configuration: async (workspace) => sampleConfiguration(resolve(workspace)[1].trustHash),
    async checkConfiguration(workspace, text) {
      resolve(workspace)
      return { ...sampleConfiguration('h1'), text }
    },
    async writeConfiguration(workspace, text, hash, approve) {
      const [, entry] = resolve(workspace)
      if (hash !== entry.trustHash) throw new RequestProblem('conflict', 'pulseward.toml has changed since')
      entry.trustHash = hashOf(text)
      entry.trusted = approve
      return { ...sampleConfiguration(entry.trustHash), text }
    },
    templates: async () => [sampleTemplate()],
    folders: async (path) => ({ parent: path, folders: [], isCut: false, problem: null }),
    inspectFolder: async (path) => sampleInspection(path),
    checkNewConfiguration: (text) => ({ ...sampleConfiguration('h1'), text }),
    tryOut: async () => ({ tasks: [] }),
    async createWorkspace({ path, approve }) {
      if (approve !== null && approve !== 'h1')
        throw new RequestProblem('conflict', 'It is not the one that was shown')
      return this.addWorkspace(path, approve !== null)
    },
    settings: async () => settingsDocument(),
    async changeSettings(changes, hash) {
      if (hash !== settingsDocument().hash) throw new RequestProblem('conflict', 'settings.json has changed')
      settings = settingsSchema.parse({
        ...settings,
        ...changes,
        notifications: { ...settings.notifications, ...changes.notifications },
      })
      emit({ type: 'settings-changed', ...settingsDocument() })
      return settingsDocument()
    },
    desktopCapabilities: () => ({ chooseFolder: false, openPath: false, startAtLogin: null, zoom: false }),
    chooseFolder: () => Promise.reject(new RequestProblem('unprocessable', 'Not available here')),
    openTarget: () => Promise.reject(new RequestProblem('unprocessable', 'Not available here')),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function newEntry(suspended: Workspace['suspended'] = null): Entry {
  const text = '## Tasks\n\n- [ ] check_email | Check the mail | required | email_count\n'
  return {
    score: BASE_POINTS,
    text,
    trustHash: 'h1',
    trusted: true,
    paused: null,
    suspended,
    running: false,
    blocked: true,
  }
}

function unblocked({ timeoutSeconds, timeoutMultiplier = 1 }: UnblockOptions): UnblockedTask {
  const { taskId, level, nextTimeoutSeconds, nextTimeoutReason, maxAttempts } = sampleBlockedTask()
  const seconds = timeoutSeconds ?? nextTimeoutSeconds * timeoutMultiplier
  return { taskId, level, timeoutSeconds: seconds, timeoutReason: nextTimeoutReason, maxAttempts }
}

function requireTask(text: string, taskId: string): void {
  if (!text.includes(taskId)) throw new RequestProblem('not-found', `The contract has no task ${taskId}`)
}

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function report(text: string) {
  const noTasks = { severity: 'warning' as const, code: 'no-tasks', message: 'No tasks', line: 1, column: 1 }
  return { tasks: [], context: text, diagnostics: text.includes('- [ ]') ? [] : [noTasks] }
}
