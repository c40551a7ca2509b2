import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import type { AgentRequest } from '../ports/agent-runner.ts'
import type { Contain, ContainmentAnswer } from '../ports/containment.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'

/** What one run of an agent is started in, and the command for it there. */
export interface ContainedCommand {
  readonly answer: ContainmentAnswer
  readonly command: readonly string[]
}

/**
 * What one run of an agent is started in: it can reach the servers that it was handed. A program with a sandbox of its own that
 * does not work within ours leaves it off there, where it can be told to; else it keeps its own in place of ours, unless the
 * operator requires ours.
 */
export async function containmentOf(
  contain: Contain | undefined,
  config: Pick<AgentConfig, 'preset' | 'kind' | 'containment'>,
  command: readonly string[],
  { mcpServers = [], onEvent, keepSession }: Pick<AgentRequest, 'mcpServers' | 'onEvent' | 'keepSession'>,
): Promise<ContainedCommand> {
  if (contain === undefined) return { answer: { kind: 'open' }, command }
  const readable = mcpServers.flatMap(({ needs = [] }) => needs)
  // What a session is written down in is there for its next turn.
  const keepsHome = keepSession === true
  const answer = await contain({ kind: 'agent' }, { readable, ...(keepsHome && { keepsHome }) })
  const own = config.preset === null ? undefined : AGENT_PROGRAMS[config.preset].ownSandbox
  if (answer.kind !== 'contained' || own === undefined) return { answer, command }
  const within = config.kind === 'acp' ? null : own.leftOff(command)
  if (within !== null) return { answer, command: within }
  const { name } = AGENT_PROGRAMS[config.preset ?? 'codex']
  if (config.containment.sandbox === 'required')
    return {
      command,
      answer: {
        kind: 'refused',
        reason: `${name} brings a sandbox of its own, in which it can do nothing within Pulseward's.`,
        remedy: `Set sandbox = "auto" under [agent] in pulseward.toml: ${name} then keeps its own. In print mode with edit in allow it works within Pulseward's.`,
      },
    }
  onEvent?.({
    kind: 'warning',
    text: `${name} runs in its own sandbox: it does not work within Pulseward's.`,
  })
  const { apart } = answer
  return { answer: { kind: 'open', ...(apart !== undefined && { apart }) }, command }
}
