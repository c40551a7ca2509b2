import { shellQuote } from '../../core/reports/script-text.ts'

/** Programs that can use `pulseward mcp`. */
export const ASSISTANT_CLIENTS = ['claude', 'codex', 'copilot', 'gemini', 'vscode'] as const
export type AssistantClient = (typeof ASSISTANT_CLIENTS)[number]

/** Returns the one line, or piece of a file, by which a program starts the server. */
export function clientConfig(client: AssistantClient, args: readonly string[]): string {
  const server = { command: 'pulseward', args }
  switch (client) {
    case 'claude':
      return `claude mcp add --scope user pulseward -- pulseward ${args.map(shellQuote).join(' ')}`
    case 'codex':
      return `codex mcp add pulseward -- pulseward ${args.map(shellQuote).join(' ')}`
    case 'gemini':
      return `gemini mcp add --scope user pulseward pulseward ${args.map(shellQuote).join(' ')}`
    case 'copilot':
      return JSON.stringify({ mcpServers: { pulseward: { type: 'local', ...server, tools: ['*'] } } })
    case 'vscode':
      return `code --add-mcp ${shellQuote(JSON.stringify({ name: 'pulseward', ...server }))}`
  }
}

/** Where the printed configuration belongs. */
export const CONFIG_PLACES: Readonly<Record<AssistantClient, string>> = {
  claude: 'Run this once:',
  codex: 'Run this once:',
  gemini: 'Run this once:',
  copilot: 'Add this to ~/.copilot/mcp-config.json:',
  vscode: 'Run this once:',
}
