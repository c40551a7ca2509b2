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

/** Options for running checks. */
export interface CheckOptions {
  /** Where their commands run; if omitted, in the current workspace. */
  readonly room?: CheckRoom | undefined
  /** Earlier contents to use for the files that checks read themselves. */
  readonly earlier?: EarlierFiles | undefined
  /** Records how long each takes. */
  readonly watch?: WatchCheck | undefined
  /** Uses known answers of checks in the current workspace; if omitted, every check is run. */
  readonly reuse?: ReuseCheck | undefined
}

/** Everything that the supervision of one workspace needs from outside. */
export interface WorkspacePorts {
  readonly id: string
  readonly name: string
  readonly directory: string
  /** The folder for the attempts' output logs. */
  readonly attemptsDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly tracer: Tracer
  readonly ledger: Ledger
  readonly snapshotter: Snapshotter
  readonly notifier: Notifier
  /** The previous supervisor died while it ran something for this workspace, but the machine kept running. If omitted, false. */
  readonly diedAlone?: boolean
  /** An id that stays the same until the machine restarts; omitted if the system has none. */
  readonly boot?: string | null
  /** What the previous supervisor left running could not leave its sandbox. If omitted, it may have. */
  readonly leftContained?: boolean
  /** Returns how many processes the kernel has killed for lack of memory since boot; `null`, or no function: unknown. */
  readonly oomKills?: () => number | null
  /** The contract in effect: as the operator left it, with what agents have added. */
  readonly readContract: () => Promise<ContractFile>
  readonly contractCustody: Pick<ContractCustody, 'begin' | 'observe' | 'decideBoxes' | 'end'>
  readonly contracts: ContractReader
  /** Reads what is approved and applies it. */
  readonly refreshTrust: () => Promise<TrustState>
  readonly operator: Operator
  /** Starts receiving tool reports for one attempt; `null` if that is not available. */
  readonly openReportChannel: (subject: ReportSubject) => Promise<ReportChannel | null>
  /** Returns where the workspace's agent can write, given the sandbox it will run in. */
  readonly reachOfAgent: (config: WorkspaceConfig) => Promise<WriteReach>
  readonly createAgent: (config: WorkspaceConfig) => AgentRunner
  readonly createVerifier: (config: WorkspaceConfig, options?: CheckOptions) => Verifier
  /** The results of checks after the last attempt. If omitted, every check is run. */
  readonly checkMemory?: CheckMemory | undefined
  readonly custody: Custody
  readonly undo: AttemptUndo
  /** Separate trees for attempts; if omitted, they work in the folder. */
  readonly isolation?: Isolation
  readonly parking: Parking
  readonly spending: Spending
  readonly power: Power
  /** If omitted, the work is not shared. */
  readonly lease?: WorkLease
  /** Waits for a free place among the cycles that may run concurrently. */
  readonly withSlot: WithSlot
  readonly emit: (event: LiveEvent) => void
  /** Returns a new suffix for attempt ids: four characters of [a-z0-9]. */
  readonly randomSuffix: () => string
}

/** A separate tree for one attempt, and everything that supervises the attempt there. */
export interface IsolatedTree {
  /** Ports bound to the tree: what the agent and checks run in, what is compared, what is guarded. */
  readonly ports: WorkspacePorts
  /** The configuration, with what the tree adds to the environment of agent and checks. */
  readonly config: WorkspaceConfig
  /** The commit of the target that it began with. */
  readonly tip: string
  /** Returns the tree object of the last state that was read; `null` if none was. */
  readonly left: () => string | null
  /** Makes the files those of this tree object. */
  readonly checkOut: (tree: string) => Promise<void>
  readonly release: () => Promise<void>
}

/** Attempts in separate trees, and how their work gets to the target. */
export interface Isolation {
  /** Rejects with a `RequestProblem` if the repository does not support separate trees: nothing has run then. */
  begin(config: WorkspaceConfig): Promise<void>
  /** Returns a tree at the current target. Waits for a free one. */
  take(config: WorkspaceConfig, signal: AbortSignal): Promise<IsolatedTree>
  /** Keeps the work of an attempt, and queues it for landing if it is verified. */
  handIn(tree: IsolatedTree, result: AttemptResult): Promise<void>
  /** Lands everything that can land. Never rejects. */
  land(signal: AbortSignal): Promise<void>
}
