import type { ToolCall } from './tool-calls.ts'

/*
 * The tools of our own server, as agents name them: `mcp__pulseward__report_task`, `pulseward_report_task`,
 * `pulseward.report_task`, `report_task (pulseward MCP Server)`. They only tell us something: nobody has to be asked.
 */
const NAMED = /^(?:mcp__)?pulseward(?:__|[_./: -]+)(?:report_task|get_contract|get_score)$/
const IN_WORDS = /^(?:report_task|get_contract|get_score) \(pulseward(?: mcp server)?\)/i

/** Whether a call is to a tool of ours and to nothing else: what names a command, a file or an address is not. */
export function isOwnTool({ kind, tool, title, command, paths, address }: ToolCall): boolean {
  const isPlain = kind === 'other' && command === null && paths.size === 0 && address === null
  return isPlain && [tool, title].some((name) => NAMED.test(name.trim()) || IN_WORDS.test(name.trim()))
}
