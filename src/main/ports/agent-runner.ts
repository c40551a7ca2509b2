import type { AgentActivity, AgentEvent } from '../../core/activity/types.ts'
import type { EndedRun } from '../../core/verification/environment-fault.ts'
import type { PermissionDecision } from '../../core/vocabulary/permission.ts'
import type { ContainmentMeans } from './containment.ts'

/** Text of which only the head and the tail were kept. */
export interface BoundedText {
  readonly text: string
  /** Bytes left out in the middle; 0 if `text` is complete. */
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
  /** Absolute path of the file for the truncated output. */
  readonly logFile: string
  /** Aborted when the supervisor stops: the whole process tree is killed and the run is `cancelled`. */
  readonly signal: AbortSignal
  readonly onOutput: (chunk: OutputChunk) => void
  /** MCP servers for the agent in addition to its own. */
  readonly mcpServers?: readonly McpServer[]
  /** True if a follow-up may come: what it needs is kept after the turn, until `release`. */
  readonly keepSession?: boolean
  /** Called for each event of a program that reports them, as it arrives. */
  readonly onEvent?: (event: AgentEvent) => void
  /**
   * Asks the operator about a permission request that no policy answers. Resolves with `expired` after `timeoutMs`, and with
   * `unattended` if no one is watching. Left out if no one can be asked. In all these cases the request is denied.
   */
  readonly askOperator?: (
    question: PermissionQuestion,
    timeoutMs: number,
    signal: AbortSignal,
  ) => Promise<PermissionDecision | 'unattended'>
}

/** An MCP server on standard input and output. */
export interface McpServer {
  readonly name: string
  /** Absolute path of the program. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Paths that it must be able to read if the agent is sandboxed. */
  readonly needs?: readonly string[]
}

/** What an agent requests permission for. */
export interface PermissionQuestion {
  /** Kind of tool in one word: `edit`, `execute`, `fetch` … */
  readonly tool: string
  /** The file, command line or address, as the agent gives it; untrusted text. */
  readonly target: string
  readonly title: string
  /** The entry of `[agent] allow` that would allow it permanently; `null` if none can (a path outside the workspace). */
  readonly grant: string | null
}

/** How a run of the agent ended: one flat record in which the first reason wins, never a rejection. */
export interface AgentRun extends EndedRun {
  /** The daily limit at which it was stopped, in words; omitted: it wasn't. */
  readonly dayLimit?: string
  readonly signal: string | null
  readonly durationMs: number
  /** What the operator requested but this program can't do, one sentence each; omitted if there is nothing to say. */
  readonly notes?: readonly string[]
  /** The sandbox that the agent ran in; omitted if none. */
  readonly containedBy?: ContainmentMeans
  readonly stdout: BoundedText
  readonly stderr: BoundedText
  /** What the program reports about its work; left out by programs that report nothing. */
  readonly activity?: AgentActivity
}

/** Runs one agent program. */
export interface AgentRunner {
  /** Whether it passes `mcpServers` to its agent. */
  readonly takesMcpServers?: boolean
  run(request: AgentRequest): Promise<AgentRun>
  /**
   * Sends one more prompt into the session of `request.attemptId`'s run, which has ended its turn; resolves like `run`. Left
   * out by agents without sessions; a correction then waits for the next iteration (`mid_stream`).
   */
  followUp?(request: AgentRequest): Promise<AgentRun>
  /** Ends a session kept for `followUp`. When it resolves, nothing of that run is running. Never rejects. */
  release?(attemptId: string): Promise<void>
}
