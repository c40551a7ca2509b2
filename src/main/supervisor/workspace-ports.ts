import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { AgentRunner } from '../ports/agent-runner.ts'
import type { AttemptUndo } from '../ports/attempt-undo.ts'
import type { Clock } from '../ports/clock.ts'
import type { ContractCustody, ContractFile, WriteReach } from '../ports/contract-custody.ts'
import type { ContractReader } from '../ports/contract-reader.ts'
import type { CheckRoom, Custody, EarlierFiles } from '../ports/custody.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Operator } from '../ports/operator.ts'
import type { Parking } from '../ports/parking.ts'
import type { Power } from '../ports/power.ts'
import type { ReportChannel, ReportSubject } from '../ports/report-channel.ts'
import type { WithSlot } from '../ports/slots.ts'
import type { Snapshotter } from '../ports/snapshotter.ts'
import type { Spending } from '../ports/spending.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { Verifier } from '../ports/verifier.ts'
import type { WorkLease } from '../ports/work-lease.ts'
import type { TrustState, WorkspaceConfig } from '../ports/workspace-config.ts'

import type { Isolation } from './isolation.ts'

/** Everything the supervision of one workspace needs of the world. */
export interface WorkspacePorts {
  readonly id: string
  readonly name: string
  readonly directory: string
  /** Where the output logs of attempts go. */
  readonly attemptsDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly tracer: Tracer
  readonly ledger: Ledger
  readonly snapshotter: Snapshotter
  readonly notifier: Notifier
  /** The supervisor before this one ended while it ran something of this workspace's, and the machine did not. Left out: it did not. */
  readonly diedAlone?: boolean
  /** What is the same until the machine starts anew; left out where the system cannot tell. */
  readonly boot?: string | null
  /** What the supervisor before this one left running had no way out of its sandbox. Left out: it may have had one. */
  readonly leftContained?: boolean
  /** How often the kernel has ended a process for want of memory since it started; `null`: it does not say. Left out: the same. */
  readonly oomKills?: () => number | null
  /** The contract that counts now: as the operator left it, with what agents have added. */
  readonly readContract: () => Promise<ContractFile>
  readonly contractCustody: Pick<ContractCustody, 'begin' | 'observe' | 'decideBoxes' | 'end'>
  readonly contracts: ContractReader
  /** Reads what is approved; it counts from here on. */
  readonly refreshTrust: () => Promise<TrustState>
  readonly operator: Operator
  /** Opens the way for reports by tool of one attempt; `null` where there is none. */
  readonly openReportChannel: (subject: ReportSubject) => Promise<ReportChannel | null>
  /** Where its agent can write, by what it will be run in. */
  readonly reachOfAgent: (config: WorkspaceConfig) => Promise<WriteReach>
  readonly createAgent: (config: WorkspaceConfig) => AgentRunner
  /** `room`: where its commands run; left out: in the workspace as it is. `earlier`: what the files that it reads itself are taken to hold. */
  readonly createVerifier: (config: WorkspaceConfig, room?: CheckRoom, earlier?: EarlierFiles) => Verifier
  readonly custody: Custody
  readonly undo: AttemptUndo
  /** Trees of their own for attempts; left out: they work in the folder. */
  readonly isolation?: Isolation
  readonly parking: Parking
  readonly spending: Spending
  readonly power: Power
  /** Left out: the work is not shared. */
  readonly lease?: WorkLease
  /** Waits for a place among the cycles that may run at once. */
  readonly withSlot: WithSlot
  readonly emit: (event: LiveEvent) => void
  /** A fresh suffix for attempt ids: four characters of [a-z0-9]. */
  readonly randomSuffix: () => string
}
