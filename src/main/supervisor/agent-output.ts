import type { AgentRun } from '../ports/agent-runner.ts'

/** What the agent said: agents report on stdout; one that printed nothing there may have said it on stderr. */
export function agentOutput(run: AgentRun): string {
  return run.stdout.text.trim() === '' ? run.stderr.text : run.stdout.text
}
