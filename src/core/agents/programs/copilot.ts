import { type PermissionRule, splitCommandPattern } from '../../activity/permission-rule.ts'
import { refusals, unknownTools } from '../grant-words.ts'
import {
  type AgentProgram,
  type Grants,
  hasOption,
  type McpEquipment,
  type McpServerEntry,
  PER_RUN,
  type Permissions,
} from '../program.ts'
import { createCopilotParser } from './copilot-stream.ts'

export const copilot: AgentProgram = {
  name: 'GitHub Copilot CLI',
  program: 'copilot',
  install: 'Install it: `npm install -g @github/copilot`.',
  loginHint: 'Run `copilot login`, or set COPILOT_GITHUB_TOKEN.',
  login: {
    variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
    files: [],
    status: null,
    conclusive: false,
  },
  folders: {
    places: [
      '$COPILOT_HOME',
      '.copilot',
      '.config/github-copilot',
      '.config/gh',
      '.cache/copilot',
      '.cache/github-copilot',
    ],
    logins: [],
    transcripts: ['.copilot/session-state/*.jsonl', '.copilot/session-state/*/events.jsonl'],
  },
  dangerousOptions: ['--allow-all', '--allow-all-tools', '--allow-all-paths', '--yolo'],
  passEnvironment: [
    'COPILOT_GITHUB_TOKEN',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_BEARER_TOKEN',
  ],
  print: {
    stream: {
      createParser: createCopilotParser,
      isAskedFor: (words) => hasOption(words, ['--output-format'], 'json'),
      resume: (command, sessionId) => [...command, `--resume=${sessionId}`],
      resumedFigures: PER_RUN,
    },
    command: ['copilot', '--output-format', 'json', '--no-ask-user', '--no-color', '--no-auto-update'],
    lastArguments: [],
    modelOption: '--model',
    grants,
    equip,
    capabilities: { events: true, denials: true, resume: true, usage: false, cost: false, mcp: true },
    remarks: [
      'Files written by a shell command are not among its edits, but the command and its exit code are reported. A redirection counts as writing: it needs `edit` as well as `execute`.',
      'Exits with 0 when it is told to stop. Pulseward uses its own record of having stopped it.',
    ],
  },
  acp: {
    command: ['copilot', '--acp', '--stdio'],
    env: {},
    install: null,
    showsWork: false,
    saysFailure:
      /^(?:\s*Info: Request failed[^\n]*?Retrying\.{3})*\s*Error: ([^\n]{1,1000})(?:\n {2}[^\n]*)*\s*$/,
  },
  measuredVersion: '1.0.102',
}

function grants({ allow, deny }: Permissions): Grants {
  const allowed = allow.flatMap(copilotTools)
  const denied = deny.flatMap(refusals).flatMap(copilotTools)
  return {
    arguments: [
      ...allowed.map((tool) => `--allow-tool=${tool}`),
      ...denied.map((tool) => `--deny-tool=${tool}`),
    ],
    env: {},
    notes: unknownTools('copilot', [...allow, ...deny]),
  }
}

function copilotTools({ tool, pattern }: PermissionRule): string[] {
  switch (tool) {
    case 'edit':
      return [pattern === null ? 'write' : `write(${pattern})`]
    case 'execute': {
      if (pattern === null) return ['shell']
      const { command, open } = splitCommandPattern(pattern)
      return [open ? `shell(${command}:*)` : `shell(${command})`]
    }
    case 'fetch':
      return [pattern === null ? 'url' : `url(${pattern})`]
    default:
      return []
  }
}

function equip(command: readonly string[], { name, command: path, args, env }: McpServerEntry): McpEquipment {
  const servers = { mcpServers: { [name]: { type: 'local', command: path, args, env, tools: ['*'] } } }
  const config = `--additional-mcp-config=${JSON.stringify(servers)}`
  return { command: [...command, config, `--allow-tool=${name}`], env: {} }
}
