import type { AgentProgram, PresetId } from './types.ts'

/** What an agent's own report is known to show, where it did it: that something is not in it then means that it was not done. */
export interface StreamReach {
  readonly edits: boolean
  readonly commands: boolean
}

/** Seen to report edits and commands over ACP, each with its result; of any other ACP agent nothing is taken for granted. */
const MEASURED_OVER_ACP: readonly PresetId[] = ['claude', 'codex', 'gemini', 'opencode']

/**
 * What the account of an agent set up like this shows. A program whose stream is not understood, and an ACP agent that was never
 * measured, may do anything without it showing. Pure; never throws.
 */
export function streamReach(agent: {
  readonly kind: 'command' | 'acp'
  readonly preset: PresetId | null
  readonly stream: AgentProgram | null
}): StreamReach {
  const isKnown =
    agent.kind === 'acp'
      ? agent.preset !== null && MEASURED_OVER_ACP.includes(agent.preset)
      : agent.stream !== null
  return { edits: isKnown, commands: isKnown }
}
