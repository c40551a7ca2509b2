import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'

/** Returns an agent's name for use in sentences, and how to log in to it: the program's name if it is known, otherwise the agent's id. */
export function knownAgent({ id, preset, stream }: Pick<AgentConfig, 'id' | 'preset' | 'stream'>): {
  readonly name: string
  readonly loginHint: string | undefined
} {
  const known = preset ?? stream
  if (known === null) return { name: id, loginHint: undefined }
  const { name, loginHint } = AGENT_PROGRAMS[known]
  return { name, loginHint }
}
