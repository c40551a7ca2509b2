import type { Ask } from '../../core/fleet/ask.ts'
import type { FleetStatus, Join } from '../../core/fleet/status.ts'
import type { FleetEntry, FleetFilter, FleetHost, FleetRank, FleetWorkspace } from '../../core/fleet/view.ts'
import type { Notice } from '../../core/read-model/notice.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { WorkLease } from './work-lease.ts'

/** What the centre of a fleet shows of its hosts; all of it as far as they were heard of. */
export interface FleetCentre {
  /** Why there is no hub just now; `null`: there is. */
  readonly problem: string | null
  hosts(): readonly FleetHost[]
  workspaces(filter: FleetFilter): readonly FleetWorkspace[]
  /** The one nearest its targets first. */
  leaderboard(filter: FleetFilter): readonly FleetRank[]
  /** Newest first, before a moment in epoch ms. */
  timeline(filter: FleetFilter, beforeMs: number, limit: number): readonly FleetEntry[]
}

/** The fleet that this host is a part of, or the centre of. */
export interface Fleet {
  status(): FleetStatus
  /** Joins, or joins anew. Rejects with a `RequestProblem` where the hub says no or cannot be reached; then nothing has changed. */
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
  answerBy(carryOut: (ask: Ask) => Promise<Workspace>): void
  /** Something of a workspace is new. */
  changed(workspace: string): void
  stop(): Promise<void>
}
