import { isOwnToolName } from '../../../core/agents/own-tools.ts'
import type { ToolCall } from './tool-calls.ts'

/** Returns whether a call uses a tool of our server and nothing else. A call that names a command, a file or an address does not. */
export function isOwnTool({ kind, tool, title, server, command, paths, address }: ToolCall): boolean {
  if (command !== null || paths.size > 0 || address !== null) return false
  // One program labels a report-only tool "read", and puts its arguments into the title.
  if (kind === 'read') return isOwnToolName(tool)
  if (kind !== 'other') return false
  // One adapter asks about "Approve MCP tool call" and names the server separately; the `pulseward` server has only our tools.
  return server === 'pulseward' || [tool, title].some(isOwnToolName)
}
