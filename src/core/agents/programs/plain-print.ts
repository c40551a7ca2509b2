import { inWords } from '../grant-words.ts'
import type { Capabilities, Grants, Permissions } from '../program.ts'

/** For a program that prints only its answer, and nothing about what it does. */
export const PRINTS_ITS_ANSWER: Capabilities = {
  events: false,
  denials: false,
  resume: false,
  usage: false,
  cost: false,
  mcp: false,
}

/**
 * For a program whose permissions come only from its own settings. Returns a note for everything requested beyond editing that
 * it isn't granted.
 */
export function ownSettingsGrant(program: string, { allow, deny }: Permissions): Grants {
  const beyond = allow.filter(({ tool, pattern }) => tool !== 'edit' || pattern !== null)
  return {
    arguments: [],
    env: {},
    notes: [...beyond, ...deny].map(
      (rule) =>
        `${program} takes its permissions from its own settings: ${inWords(rule)} has no effect.`,
    ),
  }
}
