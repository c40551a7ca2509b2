import { type PermissionRule, splitCommandPattern } from '../../activity/permission-rule.ts'
import { hasWhole, refusals, unknownTools } from '../grant-words.ts'
import {
  type AgentProgram,
  type Grants,
  hasOption,
  type McpEquipment,
  type McpServerEntry,
  type Permissions,
} from '../program.ts'
import { createClaudeParser } from './claude-stream.ts'

export const claude: AgentProgram = {
  name: 'Claude Code',
  program: 'claude',
  install: 'Install it: `npm install -g @anthropic-ai/claude-code`.',
  loginHint: 'Run `claude` once and log in with /login, or set ANTHROPIC_API_KEY.',
  login: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    files: ['$CLAUDE_CONFIG_DIR/.credentials.json', '.claude/.credentials.json'],
    status: { arguments: ['auth', 'status'], loggedOutExitCode: 1 },
    conclusive: false,
  },
  folders: {
    places: [
      '$CLAUDE_CONFIG_DIR',
      '.claude',
      '.claude.json',
      '.local/state/claude',
      '.cache/claude',
      '.cache/claude-cli-nodejs',
    ],
    logins: [
      { file: '$CLAUDE_CONFIG_DIR/.credentials.json', renewed: ['claudeAiOauth.*'] },
      { file: '.claude/.credentials.json', renewed: ['claudeAiOauth.*'] },
      { file: '.claude.json', renewed: ['oauthAccount.*'], account: 'oauthAccount.accountUuid' },
    ],
    transcripts: ['$CLAUDE_CONFIG_DIR/projects/*/*.jsonl', '.claude/projects/*/*.jsonl'],
  },
  dangerousOptions: ['--dangerously-skip-permissions', '--permission-mode=bypassPermissions'],
  passEnvironment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  print: {
    stream: {
      createParser: createClaudeParser,
      isAskedFor: (words) => hasOption(words, ['--output-format'], 'stream-json'),
      resume: (command, sessionId) => [...command, '--resume', sessionId],
      resumedFigures: { tokens: 'run', cost: 'session' },
    },
    command: ['claude', '-p', '--output-format', 'stream-json', '--verbose'],
    lastArguments: [],
    modelOption: '--model',
    grants,
    equip,
    capabilities: { events: true, denials: true, resume: true, usage: true, cost: true, mcp: true },
    remarks: [
      'A denied tool is visible in its events and in the last one.',
      'May run for half a minute after its last event. Pulseward then stops it and keeps its result.',
    ],
  },
  acp: {
    command: ['claude-agent-acp'],
    // By default it retries ten times, for minutes and without any output.
    env: { CLAUDE_CODE_MAX_RETRIES: '3' },
    // Tokens are per turn; the cost is the session's total.
    figures: { tokens: 'run', cost: 'session' },
    install:
      'Install its adapter: `npm install -g @agentclientprotocol/claude-agent-acp` (Node.js 22 or later).',
    showsWork: true,
  },
  measuredVersion: '2.1.329',
}

function grants({ allow, deny }: Permissions): Grants {
  const mode = hasWhole(allow, 'edit') ? ['--permission-mode', 'acceptEdits'] : []
  const allowed = allow.flatMap(claudeTools)
  const denied = deny.flatMap(refusals).flatMap(claudeTools)
  return {
    arguments: [
      ...mode,
      ...(allowed.length === 0 ? [] : [`--allowedTools=${allowed.join(',')}`]),
      ...(denied.length === 0 ? [] : [`--disallowedTools=${denied.join(',')}`]),
    ],
    env: {},
    notes: unknownTools('claude', [...allow, ...deny]),
  }
}

function claudeTools({ tool, pattern }: PermissionRule): string[] {
  switch (tool) {
    case 'edit':
      // Claude uses Edit's path rules for every tool that writes.
      return pattern === null ? ['Edit', 'Write', 'NotebookEdit'] : [`Edit(${pattern})`]
    case 'execute': {
      if (pattern === null) return ['Bash']
      const { command, open } = splitCommandPattern(pattern)
      return [open ? `Bash(${command}:*)` : `Bash(${command})`]
    }
    case 'fetch':
      return pattern === null ? ['WebFetch', 'WebSearch'] : [`WebFetch(domain:${pattern})`]
    case 'read':
      return pattern === null ? ['Read'] : [`Read(${pattern})`]
    case 'search':
      return ['Glob', 'Grep']
    default:
      return []
  }
}

function equip(command: readonly string[], { name, command: path, args, env }: McpServerEntry): McpEquipment {
  const servers = { mcpServers: { [name]: { type: 'stdio', command: path, args, env } } }
  const equipped = allowForClaude(command, `mcp__${name}`)
  return { command: [...equipped, `--mcp-config=${JSON.stringify(servers)}`], env: {} }
}

const ALLOWED_TOOLS = /^--allowed-?tools(?:=|$)/i

/** Allows the server's tools, which only report. They are added to the existing option, because there may be only one. */
function allowForClaude(command: readonly string[], tools: string): readonly string[] {
  const place = command.findIndex((word) => ALLOWED_TOOLS.test(word))
  const option = command[place]
  if (option === undefined) return [...command, `--allowedTools=${tools}`]
  // If it was written by hand as separate words, only Claude knows where they end.
  if (!option.includes('=')) return command
  return command.map((word, index) => (index === place ? `${word},${tools}` : word))
}
