import { parsePermissionRules } from '../../core/activity/permission-rule.ts'
import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import type { AgentRequest } from '../ports/agent-runner.ts'
import type { Contain, ContainmentAnswer } from '../ports/containment.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'

/** The sandbox of one agent run, and the command to run in it. */
export interface ContainedCommand {
  readonly answer: ContainmentAnswer
  readonly command: readonly string[]
  /** The session mode in which the program works in our sandbox, if it has its own sandbox; omitted: none is needed. */
  readonly mode?: string
}

/**
 * Creates the sandbox of one agent run, in which the servers it was given are reachable. A program whose own sandbox does not
 * work inside ours disables its own if possible; otherwise it keeps its own instead of ours, unless the operator requires ours or limits
 * the network.
 */
export async function containmentOf(
  contain: Contain | undefined,
  config: Pick<AgentConfig, 'preset' | 'kind' | 'containment' | 'allow' | 'deny'>,
  command: readonly string[],
  { mcpServers = [], onEvent, keepSession }: Pick<AgentRequest, 'mcpServers' | 'onEvent' | 'keepSession'>,
): Promise<ContainedCommand> {
  if (contain === undefined) return { answer: { kind: 'open' }, command }
  const readable = mcpServers.flatMap(({ needs = [] }) => needs)
  // The stored session must still exist for the next turn.
  const keepsHome = keepSession === true
  const answer = await contain({ kind: 'agent' }, { readable, ...(keepsHome && { keepsHome }) })
  const program = config.preset === null ? undefined : AGENT_PROGRAMS[config.preset]
  const own = program?.ownSandbox
  if (answer.kind !== 'contained' || own === undefined) return { answer, command }
  if (config.kind === 'acp') {
    const [allow, deny] = [parsePermissionRules(config.allow), parsePermissionRules(config.deny)]
    const mode = program?.acp?.modeInOurs?.({ allow, deny }) ?? null
    if (mode !== null) return { answer, command, mode }
  } else {
    const within = own.leftOff(command)
    if (within !== null) return { answer, command: within }
  }
  const { name } = AGENT_PROGRAMS[config.preset ?? 'codex']
  const { sandbox, network } = config.containment
  const asked = [
    ...(sandbox === 'required' ? ['sandbox = "required"'] : []),
    ...(network === 'all' ? [] : ['a network other than "all"']),
  ]
  if (asked.length > 0)
    return {
      command,
      answer: {
        kind: 'refused',
        reason: `${name} has its own sandbox, which blocks everything inside Pulseward's, but pulseward.toml asks for Pulseward's (${asked.join(', ')}).`,
        remedy: `Add edit to allow under [agent] in pulseward.toml: ${name} then works inside Pulseward's. Or set sandbox = "auto" and network = "all": it then keeps its own.`,
      },
    }
  onEvent?.({
    kind: 'warning',
    text: `${name} runs in its own sandbox, because it does not work inside Pulseward's.`,
  })
  const { apart } = answer
  return { answer: { kind: 'open', ...(apart !== undefined && { apart }) }, command }
}
