import type { Ask } from '../../core/fleet/ask.ts'
import type { ContentAsk, FleetContent } from '../../core/fleet/content.ts'
import type { FleetStatus, Join } from '../../core/fleet/status.ts'
import type {
  FleetArrivals,
  FleetDetail,
  FleetEntry,
  FleetEntryFilter,
  FleetEntryPlace,
  FleetFilter,
  FleetHost,
  FleetRank,
  FleetSummary,
  FleetWorkspace,
} from '../../core/fleet/view.ts'
import type { WorkspaceFigures } from '../../core/read-model/figures.ts'
import type { Notice } from '../../core/read-model/notice.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { WorkLease } from './work-lease.ts'

/** Carries out operators' remote requests, and records them. */
export interface AskedDesk {
  /** Carries out a request. `effect`: the observed result. Rejects with a `RequestProblem` if it can't be done. */
  carryOut(ask: Ask): Promise<{ readonly workspace: Workspace; readonly effect: string }>
  /** Records a request that an earlier run of this host began but did not finish. */
  interrupted(ask: Pick<Ask, 'id' | 'operator' | 'workspace' | 'action'>): Promise<void>
}

/** What happened on all hosts of a fleet, if it has arrived here. */
export interface FleetTimeline {
  /**
   * Newest first, after the entry of a cursor; `null`: from the newest on. Yields to other work while it searches; returns less
   * if `signal` aborts.
   */
  page(
    filter: FleetEntryFilter,
    cursor: string | null,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly FleetEntry[]>
  /** Returns what arrived after that number; `null`: only the current position. */
  arrivals(filter: FleetEntryFilter, after: number | null): FleetArrivals
  /** Returns `null` if there is no such entry. */
  entry(place: FleetEntryPlace): FleetEntry | null
}

/** What the center of a fleet shows about its hosts, as last reported. */
export interface FleetCentre {
  /** Why there is no hub at the moment; `null`: there is one. */
  readonly problem: string | null
  /** Resolves when everything that has arrived so far is shown, yielding to other work. Later arrivals are shown immediately. */
  caughtUp(): Promise<void>
  hosts(): readonly FleetHost[]
  /** Those that need attention come first; `limit` omitted: all after `offset`. */
  workspaces(filter: FleetFilter, offset?: number, limit?: number): readonly FleetWorkspace[]
  /** Returns `null` if there is no record of it. */
  workspace(host: string, workspace: string): FleetDetail | null
  summary(filter: FleetFilter): FleetSummary
  /** Returns figures of all workspaces, labeled with host and workspace; in the order of `workspaces`. */
  figures(): readonly WorkspaceFigures[]
  /** The one nearest its targets comes first; `limit` omitted: all after `offset`. */
  leaderboard(filter: FleetFilter, offset?: number, limit?: number): readonly FleetRank[]
  readonly timeline: FleetTimeline
  /**
   * Returns what was asked, said and changed in an attempt, fetched from the hub. Rejects with a `RequestProblem` if none of this exists.
   */
  content(wanted: ContentAsk): Promise<FleetContent>
}

/** The fleet that this host belongs to, or whose center it is. */
export interface Fleet {
  status(): FleetStatus
  /**
   * Joins the fleet, or joins it again. Rejects with a `RequestProblem` if the hub refuses or can't be reached; then nothing has changed.
   */
  join(join: Join): Promise<FleetStatus>
  /** Leaves the fleet; false if it is in none. What was sent stays at the hub. */
  leave(): Promise<boolean>
  /** Returns notices about parts of a workspace's record that are no longer sent. */
  notices(workspace: string): readonly Notice[]
  /** `null`: this host is not a center. */
  readonly centre: FleetCentre | null
  /** Returns the lease of a workspace's work, which hosts of the fleet may share; one object per workspace. */
  leaseOf(workspace: string): WorkLease
  /** Lets this desk carry out operators' remote requests. Until then they are told that it isn't possible. */
  answerBy(desk: AskedDesk): void
  /** Call when something changed in a workspace. */
  changed(workspace: string): void
  stop(): Promise<void>
}
