import { inWords } from '../grant-words.ts'
import type { Capabilities, Grants, Permissions } from '../program.ts'

/** Of a program that prints its answer and nothing of what it does. */
export const PRINTS_ITS_ANSWER: Capabilities = {
  events: false,
  denials: false,
  resume: false,
  usage: false,
  cost: false,
  mcp: false,
}

/** Of a program whose permissions stand in its own settings alone: what is asked for beyond editing is said not to be granted. */
export function ownSettingsGrant(program: string, { allow, deny }: Permissions): Grants {
  const beyond = allow.filter(({ tool, pattern }) => tool !== 'edit' || pattern !== null)
  return {
    arguments: [],
    env: {},
    notes: [...beyond, ...deny].map(
      (rule) =>
        `${program} takes its permissions from its own settings: ${inWords(rule)} has no effect on it.`,
    ),
  }
}
