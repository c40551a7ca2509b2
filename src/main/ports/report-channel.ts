import type { ReportEntry } from '../../core/claims/report.ts'
import type { McpServer } from './agent-runner.ts'

/** What an agent can read again and report on, with the tools of one attempt. All of it is in its prompt too. */
export interface ReportSubject {
  readonly taskIds: readonly string[]
  /** The names of all configured probes: claims about them are read first. */
  readonly probeNames: readonly string[]
  /** Context and tasks as in the prompt: nothing about how they are checked. */
  readonly contract: string
  readonly score: string
}

/** The channel by which an agent's tool reports reach its supervisor, for one attempt. */
export interface ReportChannel {
  readonly server: McpServer
  /** Returns what was reported since the last call, in order. */
  take(): readonly ReportEntry[]
  /** Accepts nothing after this. Never rejects. */
  close(): Promise<void>
}
