/*
 * The tools of Pulseward's MCP server, as agents name them: `mcp__pulseward__report_task`, `pulseward_report_task`,
 * `pulseward/report_task`, `pulseward.report_task`, `report_task (pulseward MCP Server)`. They only send us information, so no permission
 * is needed, and a program that denies them prevents nothing.
 */
const NAMED = /^(?:mcp__)?pulseward(?:__|[_./: -]+)(?:report_task|get_contract|get_score)$/
const IN_WORDS = /^(?:report_task|get_contract|get_score) \(pulseward(?: mcp server)?\)/i

/** Returns whether a tool with this name is one of ours. Pure; never throws. */
export function isOwnToolName(name: string): boolean {
  const bare = name.slice(0, 200).trim()
  return NAMED.test(bare) || IN_WORDS.test(bare)
}
