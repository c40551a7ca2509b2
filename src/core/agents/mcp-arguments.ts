import type { AgentProgram } from './types.ts'

/** A server of the Model Context Protocol on standard input and output. */
export interface McpServerEntry {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What a print-mode program gets so that it has a server beside its own, for this run and without touching its settings. */
export interface McpEquipment {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Hands `server` to a program by its arguments or environment; `null` where it takes servers from its settings alone. Pure. */
export function withMcpServer(
  program: AgentProgram,
  command: readonly string[],
  { name, command: path, args, env }: McpServerEntry,
): McpEquipment | null {
  switch (program) {
    case 'claude': {
      const servers = { mcpServers: { [name]: { type: 'stdio', command: path, args, env } } }
      const equipped = allowForClaude(command, `mcp__${name}`)
      return { command: [...equipped, `--mcp-config=${JSON.stringify(servers)}`], env: {} }
    }
    case 'opencode': {
      const servers = { [name]: { type: 'local', command: [path, ...args], environment: env, enabled: true } }
      return { command, env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: servers }) } }
    }
    case 'copilot': {
      const servers = { mcpServers: { [name]: { type: 'local', command: path, args, env, tools: ['*'] } } }
      const config = `--additional-mcp-config=${JSON.stringify(servers)}`
      return { command: [...command, config, `--allow-tool=${name}`], env: {} }
    }
    case 'codex': {
      // JSON's texts and lists are TOML's too; its objects are not. The prompt's `-` stays last.
      const table = Object.entries(env).map(([variable, value]) => `${variable}=${JSON.stringify(value)}`)
      const settings = [
        `command=${JSON.stringify(path)}`,
        `args=${JSON.stringify(args)}`,
        `env={${table.join(',')}}`,
      ].flatMap((setting) => ['-c', `mcp_servers.${name}.${setting}`])
      const last = command.at(-1) === '-' ? ['-'] : []
      return { command: [...command.slice(0, command.length - last.length), ...settings, ...last], env: {} }
    }
    case 'gemini':
      return null
  }
}

const ALLOWED_TOOLS = /^--allowed-?tools(?:=|$)/i

/** Its tools only report: they are allowed beside what is allowed already, in the one option there may be. */
function allowForClaude(command: readonly string[], tools: string): readonly string[] {
  const place = command.findIndex((word) => ALLOWED_TOOLS.test(word))
  const option = command[place]
  if (option === undefined) return [...command, `--allowedTools=${tools}`]
  // Written by hand as words of their own: where they end is Claude's to know.
  if (!option.includes('=')) return command
  return command.map((word, index) => (index === place ? `${word},${tools}` : word))
}
