import type { PermissionRule, ToolKind } from '../../activity/permission-rule.ts'
import { refusals, unknownTools } from '../grant-words.ts'
import {
  type AgentProgram,
  type Grants,
  hasOption,
  type McpEquipment,
  type McpServerEntry,
  PER_RUN,
  type Permissions,
  PROVIDER_KEYS,
} from '../program.ts'
import { createOpencodeParser, LOGS, readOpencodeLog } from './opencode-stream.ts'

export const opencode: AgentProgram = {
  name: 'OpenCode',
  program: 'opencode',
  install: 'Install it: `npm install -g opencode-ai`.',
  loginHint: 'Run `opencode auth login`, or set the key of its provider.',
  login: {
    variables: ['OPENCODE_API_KEY', ...PROVIDER_KEYS],
    files: ['$XDG_DATA_HOME/opencode/auth.json', '.local/share/opencode/auth.json'],
    status: null,
    conclusive: false,
  },
  folders: {
    places: [
      '.config/opencode',
      '.local/share/opencode',
      '.local/state/opencode',
      '.cache/opencode',
      '$XDG_CONFIG_HOME/opencode',
      '$XDG_DATA_HOME/opencode',
      '$XDG_STATE_HOME/opencode',
      '$XDG_CACHE_HOME/opencode',
    ],
    logins: [
      { file: '$XDG_DATA_HOME/opencode/auth.json', renewed: ['*.access', '*.refresh', '*.expires'] },
      { file: '.local/share/opencode/auth.json', renewed: ['*.access', '*.refresh', '*.expires'] },
    ],
    transcripts: [
      '.local/share/opencode/storage/session/*/*.json',
      '.local/share/opencode/storage/message/*/*.json',
      '.local/share/opencode/storage/part/*/*.json',
    ],
  },
  dangerousOptions: ['--dangerously-skip-permissions'],
  passEnvironment: ['OPENCODE_API_KEY', ...PROVIDER_KEYS],
  print: {
    stream: {
      createParser: createOpencodeParser,
      isAskedFor: (words) => words.includes('run') && hasOption(words, ['--format'], 'json'),
      resume: (command, sessionId) => [...command, '-s', sessionId],
      resumedFigures: PER_RUN,
    },
    command: ['opencode', 'run', '--format', 'json', ...LOGS],
    lastArguments: [],
    modelOption: '-m',
    grants,
    equip,
    capabilities: { events: true, denials: true, resume: true, usage: true, cost: true, mcp: true },
    remarks: [
      'Reads its permissions from OPENCODE_PERMISSION, which Pulseward sets from `allow` and `deny`. Commands and addresses that are not granted are never offered; a denied edit is visible, and ends its turn.',
      'May never exit after its last event. Pulseward then stops it and keeps its result.',
      'Retries a failing service without saying so in its events: only its log, on stderr, does.',
      'Over ACP it reports only the tokens of the last request of each turn; its cost is that of the session.',
    ],
  },
  acp: {
    command: ['opencode', 'acp', ...LOGS],
    readErrorLine: readOpencodeLog,
    // By default it asks about nothing.
    env: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask","external_directory":"ask"}' },
    // It reports the tokens of a turn's last request only, so the sum over turns is less than what was used.
    figures: { tokens: 'run', cost: 'session' },
    install: null,
    showsWork: true,
  },
  measuredVersion: '1.18.33',
}

/** Its patterns match whole texts, so a folder also needs one for what is in it. */
function patternsOf({ tool, pattern }: PermissionRule): readonly string[] {
  if (pattern === null) return ['*']
  return tool === 'edit' && !pattern.includes('*') ? [pattern, `${pattern.replace(/\/+$/, '')}/*`] : [pattern]
}

/**
 * OpenCode allows everything unless told otherwise; its last matching rule wins, so denials come last. A tool that is denied altogether is
 * never offered, so nothing shows the denial. A tool that it would have to ask for is denied visibly, but that ends the turn. So it asks
 * for edits, which all work needs, and is not offered commands.
 */
function grants({ allow, deny }: Permissions): Grants {
  const rulesOf = (tool: ToolKind, others: 'ask' | 'deny'): Record<string, 'allow' | 'ask' | 'deny'> => ({
    '*': others,
    ...Object.fromEntries(
      allow
        .filter((rule) => rule.tool === tool)
        .flatMap(patternsOf)
        .map((pattern) => [pattern, 'allow']),
    ),
    ...Object.fromEntries(
      deny
        .filter((rule) => rule.tool === tool)
        .flatMap(refusals)
        .flatMap(patternsOf)
        .map((pattern) => [pattern, 'deny']),
    ),
  })
  const permission = {
    edit: rulesOf('edit', 'ask'),
    bash: rulesOf('execute', 'deny'),
    webfetch: rulesOf('fetch', 'deny'),
    external_directory: 'deny',
  }
  return {
    arguments: [],
    env: { OPENCODE_PERMISSION: JSON.stringify(permission) },
    notes: unknownTools('opencode', [...allow, ...deny]),
  }
}

function equip(command: readonly string[], { name, command: path, args, env }: McpServerEntry): McpEquipment {
  const servers = { [name]: { type: 'local', command: [path, ...args], environment: env, enabled: true } }
  return { command, env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: servers }) } }
}
