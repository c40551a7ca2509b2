import type { AgentRequest } from '../ports/agent-runner.ts'
import type { Contain, ContainmentAnswer } from '../ports/containment.ts'

/** What one run of an agent is started in: it can reach the servers that it was handed. */
export async function containmentOf(
  contain: Contain | undefined,
  { mcpServers = [] }: Pick<AgentRequest, 'mcpServers'>,
): Promise<ContainmentAnswer> {
  if (contain === undefined) return { kind: 'open' }
  return contain({ kind: 'agent' }, { readable: mcpServers.flatMap(({ needs = [] }) => needs) })
}
