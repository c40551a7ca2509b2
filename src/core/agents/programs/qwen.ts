import { splitCommandPattern } from '../../activity/permission-rule.ts'
import { hasWhole, inWords, unknownTools } from '../grant-words.ts'
import {
  type AgentProgram,
  type Grants,
  hasOption,
  type McpEquipment,
  type McpServerEntry,
  PER_RUN,
  type Permissions,
} from '../program.ts'
import { createClaudeParser } from './claude-stream.ts'

export const qwen: AgentProgram = {
  name: 'Qwen Code',
  program: 'qwen',
  install: 'Install it: `npm install -g @qwen-code/qwen-code`.',
  loginHint: 'Run `qwen` once and log in, or set OPENAI_API_KEY.',
  login: {
    variables: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
    files: ['.qwen/oauth_creds.json'],
    status: null,
    conclusive: false,
  },
  folders: {
    places: ['.qwen'],
    logins: [
      {
        file: '.qwen/oauth_creds.json',
        renewed: ['access_token', 'refresh_token', 'id_token', 'expiry_date'],
      },
    ],
    transcripts: ['.qwen/projects/*/chats/*.jsonl', '.qwen/tmp/*/chats/*.json'],
  },
  dangerousOptions: ['--yolo', '-y', '--approval-mode=yolo'],
  passEnvironment: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
  print: {
    stream: {
      createParser: () => createClaudeParser(),
      isAskedFor: (words) => hasOption(words, ['-o', '--output-format'], 'stream-json'),
      resume: (command, sessionId) => [...command, '--resume', sessionId],
      resumedFigures: PER_RUN,
    },
    command: ['qwen', '-o', 'stream-json'],
    lastArguments: [],
    modelOption: '--model',
    grants,
    equip,
    capabilities: { events: true, denials: false, resume: true, usage: true, cost: false, mcp: true },
    remarks: [
      'Silently withholds tools that are not granted, so nothing shows it. Over ACP it asks, and a denial is visible.',
      'Retries a failing service until its time is up, and says nothing about it in print mode.',
    ],
  },
  acp: {
    command: ['qwen', '--acp'],
    env: {},
    isPreferred: true,
    install: null,
    showsWork: false,
    askingMode: () => 'default',
  },
  measuredVersion: '0.24.4',
}

/** Like the program it was forked from, treats a command as a prefix and has no limits by path. */
function grants({ allow, deny }: Permissions): Grants {
  const commands = allow.filter(({ tool }) => tool === 'execute' && !hasWhole(deny, 'execute'))
  const tools = commands.map(({ pattern }) =>
    pattern === null ? 'run_shell_command' : `run_shell_command(${splitCommandPattern(pattern).command})`,
  )
  if (hasWhole(allow, 'fetch') && !hasWhole(deny, 'fetch')) tools.push('web_fetch')
  return {
    arguments: [
      '--approval-mode',
      hasWhole(allow, 'edit') && !hasWhole(deny, 'edit') ? 'auto-edit' : 'default',
      ...tools.map((tool) => `--allowed-tools=${tool}`),
    ],
    env: {},
    notes: [
      ...allow
        .filter(({ tool, pattern }) => pattern !== null && tool !== 'execute')
        .map((rule) => `qwen cannot limit itself to ${inWords(rule)} in print mode: not granted.`),
      ...commands
        .filter(({ pattern }) => pattern !== null && !splitCommandPattern(pattern).open)
        .map((rule) => `qwen reads ${inWords(rule)} as a command prefix: more words may follow.`),
      ...deny
        .filter(({ pattern }) => pattern !== null)
        .map((rule) => `qwen cannot deny ${inWords(rule)} in print mode. Leave mode out.`),
      ...unknownTools('qwen', [...allow, ...deny]),
    ],
  }
}

function equip(command: readonly string[], { name, command: path, args, env }: McpServerEntry): McpEquipment {
  const servers = { mcpServers: { [name]: { command: path, args, env, trust: true } } }
  return { command: [...command, `--mcp-config=${JSON.stringify(servers)}`], env: {} }
}
