import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { AgentsAtWork } from '../custody/agents-at-work.ts'
import type { HeartbeatSign } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Parking } from '../ports/parking.ts'
import type { WithSlot } from '../ports/slots.ts'
import type { Tracer } from '../ports/tracer.ts'
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
  /** What of earlier runs of this data folder's is still alive, in words; `null`: nothing. */
  readonly leftBehind: () => Promise<string | null>
  /** The script of the server that agents report through; `null`: none. */
  readonly reportServer: string | null
  /** What programs are run in; `null`: in nothing. */
  readonly sandbox: Sandbox | null
  readonly emit: (event: LiveEvent) => void
  readonly parking: Parking
  /** Told of each heartbeat once it is recorded; left out: nobody. */
  readonly onHeartbeat?: (sign: HeartbeatSign) => void
  /** Told of each day of a workspace that has ended. */
  readonly onDayEnded?: (workspace: string) => void
  readonly withSlot: WithSlot
  /** False: heartbeats run only when asked for (`run --once`). */
  readonly scheduled: boolean
  /** Why the data folder is no longer this process's; null while it is. */
  readonly lost?: () => Promise<string | null>
}
