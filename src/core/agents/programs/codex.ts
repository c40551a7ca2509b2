import { hasWhole, inWords, unknownTools } from '../grant-words.ts'
import {
  type AgentProgram,
  type Grants,
  hasOption,
  type McpEquipment,
  type McpServerEntry,
  type Permissions,
  type ServiceTrouble,
} from '../program.ts'
import { fields, optionalText, shortText } from '../streams/stream-parser.ts'
import { createCodexParser } from './codex-stream.ts'

export const codex: AgentProgram = {
  name: 'Codex',
  program: 'codex',
  install: 'Install it: `npm install -g @openai/codex`.',
  loginHint: 'Run `codex login`, or set CODEX_API_KEY.',
  login: {
    variables: ['CODEX_API_KEY'],
    files: ['$CODEX_HOME/auth.json', '.codex/auth.json'],
    status: { arguments: ['login', 'status'], loggedOutExitCode: 1 },
    conclusive: false,
  },
  folders: {
    places: ['$CODEX_HOME', '.codex'],
    logins: [
      { file: '$CODEX_HOME/auth.json', renewed: ['tokens.*', 'last_refresh'], account: 'tokens.account_id' },
      { file: '.codex/auth.json', renewed: ['tokens.*', 'last_refresh'], account: 'tokens.account_id' },
    ],
    transcripts: ['$CODEX_HOME/sessions/*/*/*/*.jsonl', '.codex/sessions/*/*/*/*.jsonl'],
  },
  dangerousOptions: [
    '--dangerously-bypass-approvals-and-sandbox',
    '--full-auto',
    '--sandbox=danger-full-access',
    '-s=danger-full-access',
    '--ask-for-approval=never',
  ],
  passEnvironment: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  ownSandbox: { leftOff },
  print: {
    stream: {
      createParser: createCodexParser,
      isAskedFor: (words) =>
        words.includes('exec') && (words.includes('--json') || words.includes('--experimental-json')),
      resume: resume,
      resumedFigures: { tokens: 'session', cost: 'session' },
    },
    command: ['codex', 'exec', '--json', '--skip-git-repo-check'],
    lastArguments: ['-'],
    modelOption: '-m',
    grants,
    equip,
    capabilities: { events: true, denials: false, resume: true, usage: true, cost: false, mcp: true },
    remarks: [
      'Often reports nothing about a command or patch that its sandbox blocked, not even over ACP: only the snapshot shows that nothing was written.',
      'Grants permissions by sandbox: if it may edit, it may run any command inside.',
    ],
  },
  acp: {
    command: ['codex-acp'],
    env: {},
    install: 'Install its adapter: `npm install -g @agentclientprotocol/codex-acp`.',
    showsWork: true,
    readTrouble,
    // It starts in a mode in which its own model decides.
    askingMode: (permissions) => (mayEdit(permissions) ? 'workspace-write' : 'read-only'),
    modeInOurs: (permissions) => (mayEdit(permissions) ? 'agent-full-access' : null),
  },
  measuredVersion: '0.169.0',
}

function mayEdit({ allow, deny }: Permissions): boolean {
  return hasWhole(allow, 'edit') && !hasWhole(deny, 'edit')
}

/** Codex grants permissions by sandbox: if it may edit, it may also run any command inside, and rules can't narrow that. */
function grants({ allow, deny }: Permissions): Grants {
  const mayWrite = (hasWhole(allow, 'edit') || hasWhole(allow, 'execute')) && !hasWhole(deny, 'edit')
  const network = hasWhole(allow, 'fetch') && !hasWhole(deny, 'fetch')
  const limited = allow.filter(({ pattern }) => pattern !== null)
  const refused = deny.filter(({ tool, pattern }) => pattern !== null || tool === 'execute')
  return {
    arguments: [
      '-s',
      mayWrite ? 'workspace-write' : 'read-only',
      ...(mayWrite && network ? ['-c', 'sandbox_workspace_write.network_access=true'] : []),
    ],
    env: {},
    notes: [
      ...limited.map(
        (rule) =>
          `codex grants permissions by sandbox and cannot limit itself to ${inWords(rule)}: not granted beyond the sandbox.`,
      ),
      ...refused.map((rule) => `codex cannot deny ${inWords(rule)}: commands run within its sandbox.`),
      ...unknownTools('codex', allow),
    ],
  }
}

const troubleSchema = fields({
  _meta: fields({
    codex: fields({
      threadStatus: fields({ type: optionalText }),
      error: fields({ message: optionalText, additionalDetails: optionalText }),
    }),
  }),
})

/** Reads the adapter's separate field for a failure, whose words it reports as the agent's message. */
function readTrouble(update: Readonly<Record<string, unknown>>): ServiceTrouble | null {
  const { threadStatus, error } = troubleSchema.parse(update)._meta.codex
  if (threadStatus.type === 'systemError') return { kind: 'failed' }
  const words = [error.message, error.additionalDetails].filter((text) => text !== undefined).join(': ')
  return words === '' ? null : { kind: 'retry', words: shortText(words) }
}

function equip(command: readonly string[], { name, command: path, args, env }: McpServerEntry): McpEquipment {
  // JSON's strings and lists are valid TOML; its objects are not. The prompt's `-` must stay last.
  const table = Object.entries(env).map(([variable, value]) => `${variable}=${JSON.stringify(value)}`)
  const settings = [
    `command=${JSON.stringify(path)}`,
    `args=${JSON.stringify(args)}`,
    `env={${table.join(',')}}`,
    // If it can't ask anyone, it denies every tool that changes something, and counts ours among them.
    'default_tools_approval_mode="approve"',
  ].flatMap((setting) => ['-c', `mcp_servers.${name}.${setting}`])
  const last = command.at(-1) === '-' ? ['-'] : []
  return { command: [...command.slice(0, command.length - last.length), ...settings, ...last], env: {} }
}

/**
 * Returns the command without Codex's sandbox, which fails inside ours without any event; `null` if that would allow more than was granted.
 */
function leftOff(command: readonly string[]): readonly string[] | null {
  if (hasOption(command, ['-s', '--sandbox'], 'danger-full-access')) return command
  if (!hasOption(command, ['-s', '--sandbox'], 'workspace-write')) return null
  return command.map((word) => word.replace(/^(--sandbox=|-s=)?workspace-write$/, '$1danger-full-access'))
}

/** `resume` is a subcommand: the options before it apply to it as well, and `-` (read stdin) must come last. */
function resume(command: readonly string[], sessionId: string): readonly string[] {
  const takesStdin = command.at(-1) === '-'
  const options = takesStdin ? command.slice(0, -1) : command
  return [...options, 'resume', sessionId, ...(takesStdin ? ['-'] : [])]
}
