import type { ReportEntry } from '../../../core/claims/report.ts'
import type { AgentRequest, AgentRun } from '../../ports/agent-runner.ts'
import type { ReportSubject } from '../../ports/report-channel.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { JudgedRun } from '../judging/judge-run.ts'
import { traceAgent } from '../trace.ts'
import { followUpOnce } from './follow-up.ts'

/**
 * Runs the agent and judges it by its answer and its tool reports, with one more prompt if that may help. Each turn is judged by its own
 * reports; afterwards, nothing of the run is still running or listening.
 */
export async function runAndJudge(
  context: CycleContext,
  request: AgentRequest,
  subject: ReportSubject,
  judge: (run: AgentRun, toolReports: readonly ReportEntry[]) => Promise<JudgedRun>,
): Promise<JudgedRun> {
  const { agent, ports } = context
  const channel = agent.takesMcpServers === true ? await ports.openReportChannel(subject) : null
  const equipped = channel === null ? request : { ...request, mcpServers: [channel.server] }
  const judgeTurn = (run: AgentRun): Promise<JudgedRun> => judge(run, channel?.take() ?? [])
  try {
    const run = await traceAgent(context, request.timeoutMs / 1000, () => agent.run(equipped))
    return await followUpOnce(context, equipped, await judgeTurn(run), judgeTurn)
  } finally {
    await Promise.all([agent.release?.(request.attemptId), channel?.close()])
  }
}
