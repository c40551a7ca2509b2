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
      'Withholds tools that are not granted without a word: that shows nowhere. Over ACP it asks, and a refusal shows.',
      'Asks a service that fails again until its time is over, and says nothing of it in print mode.',
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

/** Like the program it came from: a command stands for all that begin with it, and there are no limits by path. */
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
        .map((rule) => `qwen cannot keep to ${inWords(rule)} in print mode: not granted.`),
      ...commands
        .filter(({ pattern }) => pattern !== null && !splitCommandPattern(pattern).open)
        .map((rule) => `qwen takes ${inWords(rule)} as the beginning of a command: more words may follow.`),
      ...deny
        .filter(({ pattern }) => pattern !== null)
        .map((rule) => `qwen cannot refuse ${inWords(rule)} in print mode; leave mode out.`),
      ...unknownTools('qwen', [...allow, ...deny]),
    ],
  }
}

function equip(command: readonly string[], { name, command: path, args, env }: McpServerEntry): McpEquipment {
  const servers = { mcpServers: { [name]: { command: path, args, env, trust: true } } }
  return { command: [...command, `--mcp-config=${JSON.stringify(servers)}`], env: {} }
}
