/** What agent programs call the file of rules that they read, each by its own name, without the ending `.md`. */
export const AGENT_RULES = ['AGENTS', 'CLAUDE', 'GEMINI'] as const
