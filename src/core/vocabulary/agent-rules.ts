/** The names of the rule files that agent programs read, without the extension `.md`. */
export const AGENT_RULES = ['AGENTS', 'CLAUDE', 'GEMINI'] as const
