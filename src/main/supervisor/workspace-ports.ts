import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { AttemptResult } from '../../core/record/events.ts'
import type { AgentRunner } from '../ports/agent-runner.ts'
import type { AttemptUndo } from '../ports/attempt-undo.ts'
import type { CheckMemory, ReuseCheck } from '../ports/check-memory.ts'
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
import type { Verifier, WatchCheck } from '../ports/verifier.ts'
import type { WorkLease } from '../ports/work-lease.ts'
import type { TrustState, WorkspaceConfig } from '../ports/workspace-config.ts'

/** How checks run. */
export interface CheckOptions {
  /** Where their commands run; left out: in the workspace as it is. */
  readonly room?: CheckRoom | undefined
  /** What the files that they read themselves are taken to hold. */
  readonly earlier?: EarlierFiles | undefined
  /** Notes how long each takes. */
  readonly watch?: WatchCheck | undefined
  /** Uses known answers of checks in the workspace as it is; left out: every check is run. */
  readonly reuse?: ReuseCheck | undefined
}

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
  /** An id that stays the same until the machine restarts; left out if the system has none. */
  readonly boot?: string | null
  /** What the supervisor before this one left running had no way out of its sandbox. Left out: it may have had one. */
  readonly leftContained?: boolean
  /** How often the kernel has ended a process for want of memory since it started; `null`: it does not say. Left out: the same. */
  readonly oomKills?: () => number | null
  /** The contract that counts now: as the operator left it, with what agents have added. */
  readonly readContract: () => Promise<ContractFile>
  readonly contractCustody: Pick<ContractCustody, 'begin' | 'observe' | 'decideBoxes' | 'end'>
  readonly contracts: ContractReader
  /** Reads what is approved and applies it. */
  readonly refreshTrust: () => Promise<TrustState>
  readonly operator: Operator
  /** Opens the way for reports by tool of one attempt; `null` if there is none. */
  readonly openReportChannel: (subject: ReportSubject) => Promise<ReportChannel | null>
  /** Returns where its agent can write, given the sandbox it will run in. */
  readonly reachOfAgent: (config: WorkspaceConfig) => Promise<WriteReach>
  readonly createAgent: (config: WorkspaceConfig) => AgentRunner
  readonly createVerifier: (config: WorkspaceConfig, options?: CheckOptions) => Verifier
  /** What checks said after the last attempt. Left out: every check is run. */
  readonly checkMemory?: CheckMemory | undefined
  readonly custody: Custody
  readonly undo: AttemptUndo
  /** Separate trees for attempts; left out: they work in the folder. */
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

/** A separate tree for one attempt, and everything that supervises the attempt there. */
export interface IsolatedTree {
  /** Bound to the tree: what the agent and checks run in, what is compared, what is guarded. */
  readonly ports: WorkspacePorts
  /** With what the tree adds to the environment of agent and checks. */
  readonly config: WorkspaceConfig
  /** The target's commit that it began with. */
  readonly tip: string
  /** The tree object of what was last looked at; `null`: nothing was. */
  readonly left: () => string | null
  /** Makes the files those of this tree object. */
  readonly checkOut: (tree: string) => Promise<void>
  readonly release: () => Promise<void>
}

/** Attempts in separate trees, and how their work gets to the target. */
export interface Isolation {
  /** Rejects with a `RequestProblem` if the repository cannot be worked on in trees: nothing has run then. */
  begin(config: WorkspaceConfig): Promise<void>
  /** A tree at the target as it is now. Waits for a free one. */
  take(config: WorkspaceConfig, signal: AbortSignal): Promise<IsolatedTree>
  /** Keeps the work of an attempt, and queues it where it is verified. */
  handIn(tree: IsolatedTree, result: AttemptResult): Promise<void>
  /** Lands what can land. Never rejects. */
  land(signal: AbortSignal): Promise<void>
}
