import { posix } from 'node:path'
import type { OfferedTool, ToolCall } from './model-request.ts'
import type { Action } from './script.ts'

type Call = Pick<ToolCall, 'name' | 'kind' | 'input'>
type Arguments = Readonly<Record<string, unknown>>

/** A tool known by name, and how to ask it for an action. */
interface KnownTool {
  readonly name: string
  readonly asks: (action: Action) => Arguments | string | null
}

/** Tools of the tested programs: dedicated ones before those that can also do it. */
const KNOWN_TOOLS: readonly KnownTool[] = [
  { name: 'Write', asks: writes((path, content) => ({ file_path: path, content })) },
  { name: 'write', asks: writes((path, content) => ({ filePath: path, content })) },
  { name: 'write_file', asks: writes((path, content) => ({ file_path: path, content })) },
  { name: 'apply_patch', asks: writes(patchOf) },
  { name: 'Bash', asks: runs((command) => ({ command, description: 'Runs it' })) },
  { name: 'bash', asks: runs((command) => ({ command, description: 'Runs it' })) },
  { name: 'run_shell_command', asks: runs((command) => ({ command, description: 'Runs it' })) },
  { name: 'exec_command', asks: runs((command) => ({ cmd: command })) },
  { name: 'shell_command', asks: runs((command) => ({ command })) },
  { name: 'shell', asks: runs((command) => ({ command: ['bash', '-lc', command] })) },
]

/**
 * Returns the call that performs the action with a request's tools, or `null` if none of them can. Writes a file through the shell only if
 * no file tool is offered.
 */
export function chooseTool(action: Action, offered: readonly OfferedTool[]): Call | null {
  for (const known of KNOWN_TOOLS) {
    const tool = offered.find(({ name }) => name === known.name)
    const input = tool === undefined ? null : known.asks(action)
    if (tool === undefined || input === null) continue
    if (tool.kind === 'custom') return { name: tool.name, kind: 'custom', input }
    return { name: tool.name, kind: 'function', input: typeof input === 'string' ? { input } : input }
  }
  return action.kind === 'write' ? chooseTool(throughShell(action), offered) : null
}

function writes(ask: (path: string, content: string) => Arguments | string): KnownTool['asks'] {
  return (action) => (action.kind === 'write' ? ask(action.path, action.content) : null)
}

function runs(ask: (command: string) => Arguments): KnownTool['asks'] {
  return (action) => (action.kind === 'run' ? ask(action.command) : null)
}

/** Returns a new file in Codex's patch language. */
function patchOf(path: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n')
  return [
    '*** Begin Patch',
    `*** Add File: ${path}`,
    ...lines.map((line) => `+${line}`),
    '*** End Patch',
  ].join('\n')
}

function throughShell({ path, content }: Extract<Action, { kind: 'write' }>): Action {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const folder = posix.dirname(path)
  return {
    kind: 'run',
    command: `mkdir -p ${quoted(folder)} && printf %s ${quoted(content)} > ${quoted(path)}`,
  }
}
