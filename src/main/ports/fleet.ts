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

/** Does what operators ask for from afar, and records it. */
export interface AskedDesk {
  /** `effect`: what was seen to have come about. Rejects with a `RequestProblem` where it cannot be done. */
  carryOut(ask: Ask): Promise<{ readonly workspace: Workspace; readonly effect: string }>
  /** One that an earlier run of this host began and did not end. */
  interrupted(ask: Pick<Ask, 'id' | 'operator' | 'workspace' | 'action'>): Promise<void>
}

/** What happened on all hosts of a fleet, as far as it came. */
export interface FleetTimeline {
  /**
   * Newest first, behind the entry of a cursor; `null`: from the newest on. Others have a turn while it looks; less
   * where `signal` aborts.
   */
  page(
    filter: FleetEntryFilter,
    cursor: string | null,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly FleetEntry[]>
  /** What came behind that number; `null`: nothing, but where it stands. */
  arrivals(filter: FleetEntryFilter, after: number | null): FleetArrivals
  /** `null`: there is none. */
  entry(place: FleetEntryPlace): FleetEntry | null
}

/** What the centre of a fleet shows of its hosts; all of it as far as they were heard of. */
export interface FleetCentre {
  /** Why there is no hub just now; `null`: there is. */
  readonly problem: string | null
  /**
   * Resolves when what had come until now is shown, with turns for others: what follows is answered at once from there.
   */
  caughtUp(): Promise<void>
  hosts(): readonly FleetHost[]
  /** Who needs the operator first; `limit` left out: all behind `offset`. */
  workspaces(filter: FleetFilter, offset?: number, limit?: number): readonly FleetWorkspace[]
  /** `null`: there is no record of it. */
  workspace(host: string, workspace: string): FleetDetail | null
  summary(filter: FleetFilter): FleetSummary
  /** Of all workspaces, labelled with host and workspace; in the order of `workspaces`. */
  figures(): readonly WorkspaceFigures[]
  /** The one nearest its targets first; `limit` left out: all behind `offset`. */
  leaderboard(filter: FleetFilter, offset?: number, limit?: number): readonly FleetRank[]
  readonly timeline: FleetTimeline
  /**
   * What was asked, said and changed in an attempt, fetched from the hub. Rejects with a `RequestProblem` where nothing
   * of it is there.
   */
  content(wanted: ContentAsk): Promise<FleetContent>
}

/** The fleet that this host is a part of, or the centre of. */
export interface Fleet {
  status(): FleetStatus
  /**
   * Joins, or joins anew. Rejects with a `RequestProblem` where the hub says no or cannot be reached; then nothing has
   * changed.
   */
  join(join: Join): Promise<FleetStatus>
  /** False: it is in no fleet. What was sent stays at the hub. */
  leave(): Promise<boolean>
  /** What of a workspace's record is not sent any more. */
  notices(workspace: string): readonly Notice[]
  /** `null`: this host is no centre. */
  readonly centre: FleetCentre | null
  /** The lease of a workspace's work, which hosts of the fleet may share; one object a workspace. */
  leaseOf(workspace: string): WorkLease
  /** From here on what operators ask for from afar is done by this; before, they are told that it cannot be. */
  answerBy(desk: AskedDesk): void
  /** Something of a workspace is new. */
  changed(workspace: string): void
  stop(): Promise<void>
}
