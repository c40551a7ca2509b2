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

/** What a workspace under supervision needs of its host. */
export interface RuntimeOptions {
  /** Of Pulseward. */
  readonly version: string
  readonly dataDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly tracer: Tracer
  readonly notifier: Notifier
  readonly operator: Pick<PermissionDesk, 'ask' | 'waiting'>
  readonly agentsAtWork: AgentsAtWork
  /** What of this data folder's earlier runs is still alive and can change one of the files, in words; `null`: nothing. */
  readonly leftBehind: (files: readonly string[]) => Promise<string | null>
  /** The script of the server that agents report through; `null`: none. */
  readonly reportServer: string | null
  /** What programs are run in; `null`: in nothing. */
  readonly sandbox: Sandbox | null
  /** For what takes long; left out: it is done on the loop. */
  readonly threads?: Threads
  readonly emit: (event: LiveEvent) => void
  readonly parking: Parking
  readonly spending: Spending
  readonly power: Power
  /** Called for each heartbeat once it is recorded. */
  readonly onHeartbeat?: (sign: HeartbeatSign) => void
  /** Why the record of a workspace is not sent to the fleet any more; left out: it is in none. */
  readonly fleetNotices?: (workspace: string) => readonly Notice[]
  /** Who runs work that hosts of a fleet share; left out: there is no fleet. */
  readonly leaseOf?: (workspace: string) => WorkLease
  readonly withSlot: WithSlot
  /** False: heartbeats run only when asked for (`run --once`). */
  readonly scheduled: boolean
  /** Returns whether a check runs though its answer is known, to compare the two. Left out: one in twenty, at random. */
  readonly drawn?: () => boolean
  /** Why the data folder is no longer this process's; null while it is. */
  readonly lost?: () => Promise<string | null>
}
