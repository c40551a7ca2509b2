import type { ReportEntry } from '../../core/claims/report.ts'
import type { McpServer } from './agent-runner.ts'

/** What an agent may be told again and report on, over the tools of one attempt. All of it stands in its prompt too. */
export interface ReportSubject {
  readonly taskIds: readonly string[]
  /** Of all configured probes: what is claimed of them is read before all else. */
  readonly probeNames: readonly string[]
  /** Context and tasks as the prompt has them: nothing of how they are checked. */
  readonly contract: string
  readonly score: string
}

/** The way of an agent's reports by tool back to its supervisor, for one attempt. */
export interface ReportChannel {
  readonly server: McpServer
  /** What was reported since it was last asked, in order. */
  take(): readonly ReportEntry[]
  /** Nothing is taken any more. Never rejects. */
  close(): Promise<void>
}
