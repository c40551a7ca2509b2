import type { AgentActivity, AgentEvent } from '../../core/activity/types.ts'
import type { RunEnding } from '../../core/vocabulary/outcome.ts'
import type { PermissionDecision } from '../../core/vocabulary/permission.ts'
import type { ContainmentMeans } from './containment.ts'

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
  /** Servers of the Model Context Protocol that the agent is to have beside its own. */
  readonly mcpServers?: readonly McpServer[]
  /** A follow-up may come: what is needed for it is kept after the turn, until `release`. */
  readonly keepSession?: boolean
  /** Each event of a program that reports them, as it comes. */
  readonly onEvent?: (event: AgentEvent) => void
  /**
   * Puts a permission request that no policy answers to the operator; resolves with `expired` after `timeoutMs`, and with
   * `unattended` where nobody looks. Left out where nobody can be asked: either way it is denied then.
   */
  readonly askOperator?: (
    question: PermissionQuestion,
    timeoutMs: number,
    signal: AbortSignal,
  ) => Promise<PermissionDecision | 'unattended'>
}

/** A server of the Model Context Protocol on standard input and output. */
export interface McpServer {
  readonly name: string
  /** Absolute path of the program. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Paths that it must be able to read where the agent is contained. */
  readonly needs?: readonly string[]
}

/** What an agent requests permission for. */
export interface PermissionQuestion {
  /** Kind of tool in one word: `edit`, `execute`, `fetch` … */
  readonly tool: string
  /** The file, command line or address, as the agent gives it; untrusted text. */
  readonly target: string
  readonly title: string
  /** The entry of `[agent] allow` that would allow it from now on; `null` where none can (a path outside the workspace). */
  readonly grant: string | null
}

/** How a run of the agent ended: one flat record, the first reason wins. Never a rejection. */
export interface AgentRun {
  /**
   * `cancelled`: ended by us at shutdown. `budget`: ended by us at what one attempt may use. `unavailable`: never started, or it cannot
   * work as it is set up.
   */
  readonly outcome: RunEnding
  /** The limit of the day that it was ended at, in words; left out: it was not. */
  readonly dayLimit?: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
  /** One sentence in words. */
  readonly reason: string
  /** For the operator, where the environment is at fault. */
  readonly remedy: string | null
  /** When its service takes requests again, where its program tells that apart from its words; epoch ms, wall clock. */
  readonly resetsAtMs?: number | null
  /** What the operator asked for and this program cannot do, one sentence each; left out where there is nothing to say. */
  readonly notes?: readonly string[]
  /** Names of variables that look like secrets and were kept from the agent; left out where there were none. */
  readonly withheld?: readonly string[]
  /** What the agent ran in; left out: it ran as any program does. */
  readonly containedBy?: ContainmentMeans
  readonly stdout: BoundedText
  readonly stderr: BoundedText
  /** What the agent said, where its program tells that apart from everything else it prints: claims are read from it alone. */
  readonly said?: string
  /** What the program reports of its work; left out by programs that report nothing. */
  readonly activity?: AgentActivity
}

/** Runs one agent program. */
export interface AgentRunner {
  /** Whether it hands `mcpServers` on to its agent. */
  readonly takesMcpServers?: boolean
  run(request: AgentRequest): Promise<AgentRun>
  /**
   * One more prompt into the session of the run of `request.attemptId`, which has ended its turn; resolves like `run`. Left out
   * by agents without sessions: what there is to say then waits for the next iteration (`mid_stream`).
   */
  followUp?(request: AgentRequest): Promise<AgentRun>
  /** Lets go of a session kept for `followUp`; nothing of that run is running when it resolves. Never rejects. */
  release?(attemptId: string): Promise<void>
}
