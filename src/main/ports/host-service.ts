import type { AgentDiscovery, AgentProfile } from '../../api/schemas/agent.ts'
import type { AttemptDetail, AttemptOverview, RunReport } from '../../api/schemas/attempt.ts'
import type { BlockedTask, SweptTask, UnblockedTask, UnblockReport } from '../../api/schemas/blocked-task.ts'
import type { ContractDocument, ContractReport } from '../../api/schemas/contract-document.ts'
import type { HostStatus } from '../../api/schemas/host.ts'
import type { Intervention, InterventionMetrics } from '../../api/schemas/intervention.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Score, ScoreHistory, WorkspaceHistory } from '../../api/schemas/score.ts'
import type { Task } from '../../api/schemas/task.ts'
import type { Trust } from '../../api/schemas/trust.ts'
import type { Workspace, WorkspaceDetail } from '../../api/schemas/workspace.ts'
import type { UsageTotals } from '../../core/activity/usage.ts'
import type { ComplexityLevel } from '../../core/vocabulary/complexity.ts'
import type { Thumb } from '../../core/vocabulary/task.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import type { AgentsService } from './agents-service.ts'
import type { ConfigurationService } from './configuration-service.ts'
import type { ContractTrialService } from './contract-trial-service.ts'
import type { PermissionsService } from './permissions-service.ts'
import type { SettingsService } from './settings-service.ts'
import type { SetupService } from './setup-service.ts'
import type { TasksService, UnblockOptions } from './tasks-service.ts'
import type { TimelineService } from './timeline-service.ts'

export interface InterventionFilter {
  readonly last: number
  readonly type?: Intervention['event_type']
  readonly severity?: Intervention['severity']
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

export interface InterventionPage {
  readonly interventions: Intervention[]
  readonly nextCursor: string | null
}

/** The numbers of one workspace as a monitoring system takes them; counts only ever grow while the ledger stands. */
export interface WorkspaceFigures {
  readonly workspace: string
  readonly score: number
  readonly target: number
  readonly cycles: number
  readonly blockedTasks: number
  readonly suspended: boolean
  readonly attempts: Readonly<Record<Verdict | 'none', number>>
  readonly interventions: readonly (Pick<Intervention, 'event_type' | 'severity'> & {
    readonly count: number
  })[]
  /** `counts[i]` attempts took at most `bounds[i]` seconds and more than the bound before; `total` has the longer ones too. */
  readonly attemptSeconds: {
    readonly bounds: readonly number[]
    readonly counts: readonly number[]
    readonly total: number
    readonly sum: number
  }
  /** By agent, ever: what its program reports to have used; `null` where it reports nothing of the kind. */
  readonly usage: Readonly<Record<string, UsageTotals>>
  /** US dollars; `null` where none is set. */
  readonly dailyBudgetUsd: number | null
}

/**
 * What the host can be asked; the API router is a thin layer over it. `workspace` is an id, or undefined where the client
 * named none: then the only workspace is meant, and with several the request is refused.
 * Every method rejects with a `RequestProblem` for what the client can remedy, with another error only for our bugs.
 */
export interface HostService
  extends AgentsService,
    ContractTrialService,
    SettingsService,
    TasksService,
    ConfigurationService,
    SetupService,
    TimelineService,
    PermissionsService {
  status(): HostStatus
  score(workspace: string | undefined): Score
  scoreHistory(workspace: string | undefined): ScoreHistory
  /** Of every workspace, in their order. */
  scoreHistories(): WorkspaceHistory[]
  giveFeedback(
    workspace: string | undefined,
    feedback: { readonly feedback: Thumb; readonly attemptId?: string; readonly note?: string },
  ): Promise<{ delta: number; score: number }>
  listWorkspaces(): Workspace[]
  workspace(id: string): Promise<WorkspaceDetail>
  addWorkspace(path: string, trust: boolean): Promise<Workspace>
  removeWorkspace(id: string): Promise<void>
  trust(id: string): Promise<Trust>
  approve(id: string, hash: string): Promise<Trust>
  openSample(): Promise<Workspace>
  contract(workspace: string | undefined): Promise<ContractDocument>
  writeContract(workspace: string | undefined, text: string, hash: string): Promise<ContractDocument>
  checkContract(workspace: string | undefined, text: string): Promise<ContractReport>
  tasks(workspace: string | undefined): Promise<Task[]>
  /** `suggest` left out: as the configuration says. */
  blockedTasks(workspace: string | undefined, suggest: boolean | undefined): BlockedTask[]
  unblock(workspace: string | undefined, taskId: string, how: UnblockOptions): Promise<UnblockedTask>
  unblockLevel(
    workspace: string | undefined,
    level: ComplexityLevel,
    how: UnblockOptions,
  ): Promise<UnblockReport>
  /** `maxAttempts` left out: those of the contract. */
  retryBlocked(workspace: string | undefined, maxAttempts: number | undefined): Promise<UnblockReport>
  sweepBlocked(workspace: string | undefined): Promise<SweptTask[]>
  /** Runs one cycle now; resolves with its report when it has ended, or with null at once where `wait` is false. */
  runNow(workspace: string | undefined, wait: boolean): Promise<RunReport | null>
  pause(workspace: string | undefined, until: string | null): Promise<Workspace>
  resume(workspace: string | undefined): Promise<Workspace>
  attempts(
    workspace: string | undefined,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ attempts: AttemptOverview[]; nextCursor: string | null }>
  attempt(workspace: string | undefined, id: string): Promise<AttemptDetail>
  overrule(
    workspace: string | undefined,
    id: string,
    verdict: Verdict,
    reason: string,
  ): Promise<{ delta: number; score: number }>
  /** Newest first, at most `last`; those kept are the newest 1,000. */
  interventions(workspace: string | undefined, filter: InterventionFilter): InterventionPage
  interventionMetrics(workspace: string | undefined): InterventionMetrics
  resetInterventions(workspace: string | undefined): Promise<Workspace>
  /** Of an agent that ran here, or that is configured to. */
  agentProfile(workspace: string | undefined, agentId: string): AgentProfile
  /** Agents on this machine: takes up to some seconds. */
  discoverAgents(): Promise<AgentDiscovery>
  liftSuspension(workspace: string | undefined, reason: string): Promise<Workspace>
  /** What is counted and measured of every workspace, for monitoring. */
  figures(): WorkspaceFigures[]
  /** Live events; the listener must not throw. Answers with the function that ends the subscription. */
  subscribe(listener: (event: LiveEvent) => void): () => void
}
