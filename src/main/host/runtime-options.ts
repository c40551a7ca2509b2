import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Notice } from '../../core/read-model/notice.ts'
import type { AgentsAtWork } from '../custody/agents-at-work.ts'
import type { HeartbeatSign } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Parking } from '../ports/parking.ts'
import type { Power } from '../ports/power.ts'
import type { WithSlot } from '../ports/slots.ts'
import type { Spending } from '../ports/spending.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { WorkLease } from '../ports/work-lease.ts'
import type { Threads } from '../process/threads.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { PermissionDesk } from './permissions.ts'

/** What a supervised workspace needs from its host. */
export interface RuntimeOptions {
  /** Pulseward's version. */
  readonly version: string
  readonly dataDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly tracer: Tracer
  readonly notifier: Notifier
  readonly operator: Pick<PermissionDesk, 'ask' | 'waiting'>
  readonly agentsAtWork: AgentsAtWork
  /** Describes processes of this data folder's earlier runs that are still alive and could change one of the files; `null`: none. */
  readonly leftBehind: (files: readonly string[]) => Promise<string | null>
  /** The script of the server that agents report through; `null` if there is none. */
  readonly reportServer: string | null
  /** The sandbox in which programs run; `null` if there is none. */
  readonly sandbox: Sandbox | null
  /** Threads for slow work; omitted: it is done on the main loop. */
  readonly threads?: Threads
  readonly emit: (event: LiveEvent) => void
  readonly parking: Parking
  readonly spending: Spending
  readonly power: Power
  /** Called for each heartbeat once it is recorded. */
  readonly onHeartbeat?: (sign: HeartbeatSign) => void
  /** Returns why a workspace's record is no longer sent to the fleet; omitted: this host is in no fleet. */
  readonly fleetNotices?: (workspace: string) => readonly Notice[]
  /** Returns who runs work that hosts of a fleet share; omitted: there is no fleet. */
  readonly leaseOf?: (workspace: string) => WorkLease
  readonly withSlot: WithSlot
  /** False: heartbeats run only when asked for (`run --once`). */
  readonly scheduled: boolean
  /** Returns whether to run a check although its result is known, to compare the two. Omitted: one in twenty, at random. */
  readonly drawn?: () => boolean
  /** Returns why the data folder no longer belongs to this process; null while it does. */
  readonly lost?: () => Promise<string | null>
}
