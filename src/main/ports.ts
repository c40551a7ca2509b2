import type {
  AgentProfile,
  AttemptDetail,
  AttemptOverview,
  BlockedTask,
  Complexity,
  ContractDocument,
  ContractReport,
  HostStatus,
  Intervention,
  InterventionMetrics,
  LiveEvent,
  RunReport,
  Score,
  ScoreHistory,
  SweptTask,
  Task,
  Trust,
  UnblockedTask,
  UnblockReport,
  Workspace,
  WorkspaceDetail,
} from '../api/schemas.ts'
import type { Claim, JsonValue } from '../core/claims/types.ts'
import type { Hint } from '../core/contract/hint.ts'
import type { AttemptResult, EventBody, RecordedEvent } from '../core/record/events.ts'
import type { WorkspaceState } from '../core/record/state.ts'
import type { ScoringRules } from '../core/scoring/types.ts'
import type {
  ExpressionResult,
  FileDifference,
  GateResult,
  JudgeResult,
  ProbeReading,
} from '../core/verification/types.ts'

/*
 * The interfaces between the parts of main. A part implements one of them and knows no other part; host.ts joins them.
 */

/** Time. Wall-clock time is for people and days, monotonic time for durations and deadlines. */
export interface Clock {
  /** Epoch milliseconds, wall clock. */
  nowMs(): number
  /** Milliseconds from an arbitrary start, never going back. */
  monotonicMs(): number
  /** Resolves after `ms` (wall clock may jump meanwhile); resolves early when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Structured log. Fields must hold no secrets. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** What a span says besides its name and times; `null` says nothing. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>

/** Tells a collector, where one is configured, what was done within what, and how long it took. */
export interface Tracer {
  /**
   * Does `work` within a span, and answers or rejects as it does. Spans begun within, across its awaits, are its children; a
   * rejection marks it as failed. Attributes hold no prompt, no output and no secret.
   */
  span<T>(
    name: 'cycle' | 'attempt' | 'agent' | 'snapshot' | 'verify' | 'detect',
    attributes: SpanAttributes,
    work: (span: { set(attributes: SpanAttributes): void }) => Promise<T>,
  ): Promise<T>
}

/** Text of which only the head and the tail were kept. */
export interface BoundedText {
  readonly text: string
  /** Bytes left out in the middle; 0 where `text` is whole. */
  readonly omittedBytes: number
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

export interface AgentRequest {
  readonly attemptId: string
  readonly prompt: string
  /** Absolute path of the workspace: the agent's working directory. */
  readonly directory: string
  readonly timeoutMs: number
  /** Absolute path the bounded output is written to. */
  readonly logFile: string
  /** Aborted when the supervisor stops: the whole process tree is ended and the run is `cancelled`. */
  readonly signal: AbortSignal
  readonly onOutput: (chunk: OutputChunk) => void
}

/** How a run of the agent ended: one flat record, the first reason wins. Never a rejection. */
export interface AgentRun {
  /** `cancelled`: ended by us at shutdown. `unavailable`: never started, or it cannot work as it is set up. */
  readonly outcome: 'completed' | 'timeout' | 'error' | 'denied' | 'unavailable' | 'cancelled'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
  /** One sentence in words. */
  readonly reason: string
  /** For the operator, where the environment is at fault. */
  readonly mend: string | null
  readonly stdout: BoundedText
  readonly stderr: BoundedText
}

/** Runs one agent program. */
export interface AgentRunner {
  run(request: AgentRequest): Promise<AgentRun>
  /**
   * One more prompt into the session of the run of `request.attemptId`, which has ended its turn; resolves like `run`. Left out
   * by agents without sessions: what there is to say then waits for the next iteration (`mid_stream`).
   */
  followUp?(request: AgentRequest): Promise<AgentRun>
}

/** The state of a folder's files at one moment, by content. Opaque to everyone but the snapshotter. */
export interface Snapshot {
  readonly kind: 'git' | 'walk'
}

export interface Snapshotter {
  /** Reads the folder's state. Never rejects for odd files: what cannot be read is said in the difference. */
  take(directory: string): Promise<Snapshot>
  /** What changed between two snapshots of the same folder. */
  difference(before: Snapshot, after: Snapshot): Promise<FileDifference>
  /** Whether the repository had uncommitted changes; false where the folder is in none. */
  isDirty(snapshot: Snapshot): boolean
  /**
   * Whether a claimed path can be measured: inside the folder and not ignored by git; else why not, in words. What `difference`
   * shows has been measured, so nobody is asked about it: most claims cost nothing.
   */
  measurable(
    directory: string,
    paths: readonly string[],
    difference: FileDifference,
  ): Promise<readonly (true | string)[]>
}

export interface ProbeConfig {
  readonly source:
    | { readonly kind: 'command'; readonly command: readonly string[] }
    | { readonly kind: 'file'; readonly file: string }
    | { readonly kind: 'url'; readonly url: string }
  readonly parse: 'number' | 'text' | 'json' | 'exit'
  /** Dotted path into a JSON value. */
  readonly path: string | null
  readonly timeoutMs: number
}

/** Reads the real state outside the agent. Nothing here rejects; what fails is said in the result. */
export interface Verifier {
  readProbes(names: readonly string[], signal: AbortSignal): Promise<readonly ProbeReading[]>
  /** `changedPaths`: this attempt's difference, for `changed(glob)`; empty before the attempt. */
  evaluate(
    hint: Extract<Hint, { kind: 'expression' }>,
    readings: readonly ProbeReading[],
    changedPaths: readonly string[],
    signal: AbortSignal,
  ): Promise<ExpressionResult>
  runGates(signal: AbortSignal): Promise<readonly GateResult[]>
  /** `null` where no judge is configured. */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeResult | null>
}

export interface JudgeQuestion {
  readonly taskId: string
  readonly description: string
  readonly criteria: readonly string[]
  readonly claim: Claim
  readonly difference: FileDifference
  readonly output: string
}

/** The append-only ledger of one workspace with its state, the fold of all its events. */
export interface Ledger {
  readonly state: WorkspaceState
  /** Appends and fsyncs before it resolves; then `state` has the events. Calls are carried out in order. */
  append(...events: readonly EventBody[]): Promise<readonly RecordedEvent[]>
  /** Events from `fromSeq` on (inclusive), at most `limit`, oldest first. */
  read(fromSeq: number, limit: number): Promise<readonly RecordedEvent[]>
  /** The whole result of an attempt, as recorded; `null` where the ledger has none. */
  attempt(attemptId: string): Promise<AttemptResult | null>
  close(): Promise<void>
}

export interface Notification {
  /** The same key is shown once until it is cleared. */
  readonly key: string
  readonly title: string
  readonly body: string
  readonly workspaceId: string
}

export interface Notifier {
  notify(notification: Notification): void
}

/** Values an expression may see, by probe name. */
export type ProbeValues = Readonly<Record<string, JsonValue>>

/** `[agent]` of `pulseward.toml`. */
export interface AgentConfig {
  readonly id: string
  readonly kind: 'command'
  /** Program and arguments; never passed to a shell. */
  readonly command: readonly string[]
  readonly prompt: 'stdin' | 'argument'
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A whole `pulseward.toml` after its schema, with every default filled in. Names are the file's in camel case. */
export interface WorkspaceConfig {
  readonly agent: AgentConfig
  readonly heartbeat: {
    readonly intervalMinutes: number
    /** Minutes of the local day, `end` exclusive; `start > end` spans midnight. `null`: always. */
    readonly activeHours: { readonly startMinute: number; readonly endMinute: number } | null
    readonly session: 'task' | 'cycle'
    /** IANA name; `null`: the system's. */
    readonly timezone: string | null
  }
  readonly probes: Readonly<Record<string, ProbeConfig>>
  readonly gates: { readonly commands: readonly (readonly string[])[]; readonly timeoutMs: number }
  readonly judge: { readonly command: readonly string[]; readonly timeoutMs: number } | null
  /** Commands that hints may run through `succeeds("…")`: `[verification] commands = ["npm test"]`. */
  readonly approvedCommands: readonly string[]
  readonly scoring: ScoringRules
  readonly interventions: {
    readonly enabled: boolean
    readonly thresholdNoFiles: number
    readonly thresholdFalseCompletion: number
    readonly feedbackRotationDays: number
    readonly aggressiveMode: boolean
    readonly expectFiles: 'always' | 'never' | 'auto'
    readonly midStream: 'off' | 'same-session'
    readonly requireCleanRepo: boolean
    readonly protected: readonly string[]
    readonly stallMinutes: number
  }
  readonly adaptiveTimeout: {
    readonly enabled: boolean
    readonly complexityScaling: boolean
    readonly failureScaling: boolean
    readonly modeTimeoutSeconds: number
    readonly maxTimeoutSeconds: number
    readonly minTimeoutSeconds: number
    readonly timeoutMultiplierPerFailure: number
    readonly learned: boolean
    readonly complexity: Readonly<
      Record<
        'simple' | 'medium' | 'complex' | 'ui_heavy',
        { readonly baseSeconds: number; readonly multiplier: number; readonly keywords: readonly string[] }
      >
    >
  }
  readonly unblock: { readonly autoSuggest: boolean; readonly maxAutoUnblockAttempts: number }
}

/** A mistake of the operator's in `pulseward.toml`, with its place in the file (from 1). */
export interface ConfigProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** How the workspace's configuration stands with respect to the operator's approval. */
export type TrustState =
  /** The file is the approved one. */
  | { readonly kind: 'approved'; readonly config: WorkspaceConfig }
  /** The file differs from the approved copy, which stays in force. */
  | {
      readonly kind: 'changed'
      readonly config: WorkspaceConfig
      readonly approvedText: string
      readonly currentText: string
      /** Of the current text; `null` where it is unreadable or wrong, with `problems`. */
      readonly currentHash: string
      readonly problems: readonly ConfigProblem[]
    }
  /** Never approved. */
  | {
      readonly kind: 'unapproved'
      readonly currentText: string
      readonly currentHash: string
      readonly problems: readonly ConfigProblem[]
    }
  /** No `pulseward.toml`, or it cannot be read: `reason` with the mend. */
  | { readonly kind: 'missing'; readonly reason: string }

/** What stands in the way of a request; the API turns `kind` into its error code. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem'
  readonly kind: 'not-found' | 'bad-request' | 'conflict' | 'unprocessable'
  constructor(kind: RequestProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

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
  readonly attempts: Readonly<Record<'verified' | 'not_verified' | 'unclear' | 'none', number>>
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
}

/** How tasks are released; the timeout is the next attempt's alone, and as planned where neither is given. */
export interface UnblockOptions {
  readonly reason?: string
  readonly timeoutSeconds?: number
  /** Of the planned timeout; ignored beside `timeoutSeconds`. */
  readonly timeoutMultiplier?: number
}

/**
 * What the host can be asked; the API router is a thin layer over it. `workspace` is an id, or undefined where the client
 * named none: then the only workspace is meant, and with several the request is refused.
 * Every method rejects with a `RequestProblem` for what the client can mend, with another error only for our bugs.
 */
export interface HostService {
  status(): HostStatus
  score(workspace: string | undefined): Score
  scoreHistory(workspace: string | undefined): ScoreHistory
  giveFeedback(
    workspace: string | undefined,
    feedback: { readonly feedback: 'up' | 'down'; readonly attemptId?: string; readonly note?: string },
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
  unblockLevel(workspace: string | undefined, level: Complexity, how: UnblockOptions): Promise<UnblockReport>
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
    verdict: 'verified' | 'not_verified' | 'unclear',
    reason: string,
  ): Promise<{ delta: number; score: number }>
  /** Newest first, at most `last`; those kept are the newest 1,000. */
  interventions(workspace: string | undefined, filter: InterventionFilter): InterventionPage
  interventionMetrics(workspace: string | undefined): InterventionMetrics
  resetInterventions(workspace: string | undefined): Promise<Workspace>
  /** Of an agent that ran here, or that is configured to. */
  agentProfile(workspace: string | undefined, agentId: string): AgentProfile
  liftSuspension(workspace: string | undefined, reason: string): Promise<Workspace>
  /** What is counted and measured of every workspace, for monitoring. */
  figures(): WorkspaceFigures[]
  /** Live events; the listener must not throw. Answers with the function that ends the subscription. */
  subscribe(listener: (event: LiveEvent) => void): () => void
}
