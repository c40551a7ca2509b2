import { isOwnToolName } from '../../../core/agents/own-tools.ts'
import type { ToolCall } from './tool-calls.ts'

/** Whether a call is to a tool of our own server and to nothing else: what names a command, a file or an address is not. */
export function isOwnTool({ kind, tool, title, server, command, paths, address }: ToolCall): boolean {
  if (command !== null || paths.size > 0 || address !== null) return false
  // One program takes a tool that only tells for one that reads, and puts its arguments into the title.
  if (kind === 'read') return isOwnToolName(tool)
  if (kind !== 'other') return false
  // One adapter asks about "Approve MCP tool call" and names the server beside it: it has no tools but ours.
  return server === 'pulseward' || [tool, title].some(isOwnToolName)
}
