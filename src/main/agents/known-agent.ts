import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'

/** What an agent is called in sentences, and how somebody logs in to it: a program of ours by its name, any other by its id. */
export function knownAgent({ id, preset, stream }: Pick<AgentConfig, 'id' | 'preset' | 'stream'>): {
  readonly name: string
  readonly loginHint: string | undefined
} {
  const known = preset ?? stream
  if (known === null) return { name: id, loginHint: undefined }
  const { name, loginHint } = AGENT_PROGRAMS[known]
  return { name, loginHint }
}
