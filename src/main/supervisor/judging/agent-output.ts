import type { AgentRun } from '../../ports/agent-runner.ts'

/**
 * What the agent said. A program with an event stream tells it apart; others report on stdout, and one that printed nothing there
 * may have said it on stderr.
 */
export function agentOutput(run: AgentRun): string {
  if (run.said !== undefined) return run.said
  return run.stdout.text.trim() === '' ? run.stderr.text : run.stdout.text
}
