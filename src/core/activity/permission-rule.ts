/*
 * The entries of `[agent] allow` and `deny`: `TOOL` or `TOOL:PATTERN`.
 *
 *   edit                 every change to a file (creating, changing, deleting, moving)
 *   edit:src/**          changes to files whose path in the workspace matches
 *   execute:npm test     exactly this command line
 *   execute:npm run *    this command with any further words
 *   fetch:example.org    addresses on this host
 */

/** What a tool does, by the kinds of the Agent Client Protocol. `edit` covers `delete` and `move` too. */
export const TOOL_KINDS = ['read', 'search', 'edit', 'delete', 'move', 'execute', 'fetch', 'other'] as const

export type ToolKind = (typeof TOOL_KINDS)[number]

export interface PermissionRule {
  readonly tool: ToolKind
  /** What it is limited to; `null` for every use of the tool. */
  readonly pattern: string | null
}

export const MAX_RULE_LENGTH = 500

/** Parses an entry of `allow` or `deny`; `null` if it is invalid. Never throws. */
export function parsePermissionRule(entry: string): PermissionRule | null {
  if (entry.length > MAX_RULE_LENGTH || hasControlCharacter(entry)) return null
  const colon = entry.indexOf(':')
  const tool = TOOL_KINDS.find((kind) => kind === (colon < 0 ? entry : entry.slice(0, colon)))
  const pattern = colon < 0 ? null : entry.slice(colon + 1)
  if (tool === undefined || pattern?.trim() === '') return null
  return { tool, pattern: pattern?.trim() ?? null }
}

/** Returns the rules of all valid entries. */
export function parsePermissionRules(entries: readonly string[]): PermissionRule[] {
  return entries.map(parsePermissionRule).filter((rule) => rule !== null)
}

/** Splits `execute:npm run *` into the leading words and whether others may follow. */
export function splitCommandPattern(pattern: string): { readonly command: string; readonly open: boolean } {
  const open = pattern === '*' || pattern.endsWith(' *')
  return { command: open ? pattern.slice(0, -1).trim() : pattern, open }
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
