import type { AgentRun } from '../../ports/agent-runner.ts'

/**
 * Returns what the agent said. A program with an event stream marks it; others report on stdout, and one that printed nothing there may
 * have said it on stderr.
 */
export function agentOutput(run: AgentRun): string {
  if (run.said !== undefined) return run.said
  return run.stdout.text.trim() === '' ? run.stderr.text : run.stdout.text
}
