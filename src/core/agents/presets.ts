import { claudeGrants, codexGrants, copilotGrants, geminiGrants, opencodeGrants } from './grants.ts'
import type { AgentPreset, LoginCheck, PresetId } from './types.ts'

/*
 * What is known of each agent program. Measure again when a version moves: capabilities and remarks are those of
 * `measuredVersion`. Every program gets its prompt on stdin, which is then closed: with it left open some of them hang.
 */

const NO_LOGIN_KNOWN: LoginCheck = { variables: [], files: [], status: null, conclusive: false }

/** Keys of the services that a program with any provider may speak to. */
const PROVIDER_KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENROUTER_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'DEEPSEEK_API_KEY',
  'XAI_API_KEY',
]

const claude: AgentPreset = {
  id: 'claude',
  name: 'Claude Code',
  program: 'claude',
  install: 'Install it: npm install -g @anthropic-ai/claude-code.',
  loginHint: 'Run `claude` once and log in with /login, or set ANTHROPIC_API_KEY.',
  login: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    files: ['$CLAUDE_CONFIG_DIR/.credentials.json', '.claude/.credentials.json'],
    status: { arguments: ['auth', 'status'], loggedOutExitCode: 1 },
    conclusive: false,
  },
  passEnvironment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  print: {
    stream: 'claude',
    command: ['claude', '-p', '--output-format', 'stream-json', '--verbose'],
    lastArguments: [],
    modelOption: '--model',
    grants: claudeGrants,
    capabilities: { events: true, denials: true, resume: true, usage: true, cost: true, mcp: true },
    remarks: [
      'A refused tool shows in its events and in its last one.',
      'May go on for half a minute after its last event; it is then ended, and its result kept.',
    ],
  },
  acp: {
    command: ['claude-agent-acp'],
    env: {},
    install:
      'Install its adapter: npm install -g @agentclientprotocol/claude-agent-acp (Node.js 22 or later).',
  },
  measuredVersion: '2.1.329',
}

const codex: AgentPreset = {
  id: 'codex',
  name: 'Codex',
  program: 'codex',
  install: 'Install it: npm install -g @openai/codex.',
  loginHint: 'Run `codex login`, or set CODEX_API_KEY.',
  login: {
    variables: ['CODEX_API_KEY'],
    files: ['$CODEX_HOME/auth.json', '.codex/auth.json'],
    status: { arguments: ['login', 'status'], loggedOutExitCode: 1 },
    conclusive: false,
  },
  passEnvironment: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  print: {
    stream: 'codex',
    command: ['codex', 'exec', '--json', '--skip-git-repo-check'],
    lastArguments: ['-'],
    modelOption: '-m',
    grants: codexGrants,
    capabilities: { events: true, denials: false, resume: true, usage: true, cost: false, mcp: true },
    remarks: [
      'Says nothing of a command or patch that its sandbox blocked: only the snapshot shows that nothing was written. Over ACP it asks, and a refusal shows.',
      'Grants by sandbox: whoever may edit may run any command inside it.',
    ],
  },
  acp: {
    command: ['codex-acp'],
    env: {},
    install: 'Install its adapter: npm install -g @zed-industries/codex-acp.',
  },
  measuredVersion: '0.169.0',
}

const copilot: AgentPreset = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  program: 'copilot',
  install: 'Install it: npm install -g @github/copilot.',
  loginHint: 'Run `copilot login`, or set COPILOT_GITHUB_TOKEN.',
  login: {
    variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
    files: [],
    status: null,
    conclusive: false,
  },
  passEnvironment: [
    'COPILOT_GITHUB_TOKEN',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_BEARER_TOKEN',
  ],
  print: {
    stream: 'copilot',
    command: ['copilot', '--output-format', 'json', '--no-ask-user', '--no-color', '--no-auto-update'],
    lastArguments: [],
    modelOption: '--model',
    grants: copilotGrants,
    capabilities: { events: true, denials: true, resume: true, usage: false, cost: false, mcp: true },
    remarks: [
      'Files written by a shell command are not among its edits; the command and its exit code are. A redirection counts as writing: it needs `edit` beside `execute`.',
      'Exits with 0 when it is told to stop: Pulseward goes by its own record of having stopped it.',
    ],
  },
  acp: { command: ['copilot', '--acp', '--stdio'], env: {}, install: null },
  measuredVersion: '1.0.102',
}

const gemini: AgentPreset = {
  id: 'gemini',
  name: 'Gemini CLI',
  program: 'gemini',
  install: 'Install it: npm install -g @google/gemini-cli.',
  loginHint: 'Run `gemini` once and log in, or set GEMINI_API_KEY.',
  login: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    files: ['.gemini/oauth_creds.json'],
    status: null,
    conclusive: false,
  },
  passEnvironment: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
  print: {
    stream: 'gemini',
    command: ['gemini', '-o', 'stream-json', '--skip-trust'],
    lastArguments: [],
    modelOption: '--model',
    grants: geminiGrants,
    capabilities: { events: true, denials: false, resume: true, usage: true, cost: false, mcp: true },
    remarks: [
      'Withholds tools that are not granted without a word: that shows nowhere. Over ACP it asks, and a refusal shows.',
      'Wants each command with a redirection confirmed, whatever is granted: that is refused, and shows.',
      'Ignores SIGTERM for many seconds: it is then killed.',
    ],
  },
  acp: {
    command: ['gemini', '--acp'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    install: null,
    readsByItself: true,
  },
  measuredVersion: '0.61.0',
}

const opencode: AgentPreset = {
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  install: 'Install it: npm install -g opencode-ai.',
  loginHint: 'Run `opencode auth login`, or set the key of its provider.',
  login: {
    variables: ['OPENCODE_API_KEY', ...PROVIDER_KEYS],
    files: ['$XDG_DATA_HOME/opencode/auth.json', '.local/share/opencode/auth.json'],
    status: null,
    conclusive: false,
  },
  passEnvironment: ['OPENCODE_API_KEY', ...PROVIDER_KEYS],
  print: {
    stream: 'opencode',
    command: ['opencode', 'run', '--format', 'json'],
    lastArguments: [],
    modelOption: '-m',
    grants: opencodeGrants,
    capabilities: { events: true, denials: true, resume: true, usage: true, cost: true, mcp: true },
    remarks: [
      'Takes its permissions from OPENCODE_PERMISSION, which Pulseward sets from `allow` and `deny`. Commands and addresses that are not granted are never offered; a refused edit shows, and ends its turn.',
      'May never exit after its last event; it is then ended, and its result kept.',
    ],
  },
  acp: {
    command: ['opencode', 'acp'],
    // By itself it asks about nothing.
    env: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask","external_directory":"ask"}' },
    install: null,
  },
  measuredVersion: '1.18.33',
}

const goose: AgentPreset = {
  id: 'goose',
  name: 'Goose',
  program: 'goose',
  install: 'Install it as its documentation says: https://block.github.io/goose.',
  loginHint: 'Run `goose configure`, or set the key of its provider.',
  login: NO_LOGIN_KNOWN,
  passEnvironment: PROVIDER_KEYS,
  print: null,
  acp: { command: ['goose', 'acp'], env: {}, install: null },
  measuredVersion: null,
}

const qwen: AgentPreset = {
  id: 'qwen',
  name: 'Qwen Code',
  program: 'qwen',
  install: 'Install it: npm install -g @qwen-code/qwen-code.',
  loginHint: 'Run `qwen` once and log in, or set OPENAI_API_KEY.',
  login: {
    variables: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
    files: ['.qwen/oauth_creds.json'],
    status: null,
    conclusive: false,
  },
  passEnvironment: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
  print: null,
  acp: { command: ['qwen', '--acp'], env: {}, install: null },
  measuredVersion: null,
}

const kimi: AgentPreset = {
  id: 'kimi',
  name: 'Kimi CLI',
  program: 'kimi',
  install: 'Install it as its documentation says: https://github.com/MoonshotAI/kimi-cli.',
  loginHint: 'Run `kimi` once and log in, or set KIMI_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['KIMI_API_KEY', 'MOONSHOT_API_KEY'] },
  passEnvironment: ['KIMI_API_KEY', 'MOONSHOT_API_KEY'],
  print: null,
  acp: { command: ['kimi', 'acp'], env: {}, install: null },
  measuredVersion: null,
}

const cursor: AgentPreset = {
  id: 'cursor',
  name: 'Cursor CLI',
  program: 'cursor-agent',
  install: 'Install it as its documentation says: https://cursor.com/cli.',
  loginHint: 'Run `cursor-agent login`, or set CURSOR_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['CURSOR_API_KEY'] },
  passEnvironment: ['CURSOR_API_KEY'],
  print: null,
  acp: { command: ['cursor-agent', 'acp'], env: {}, install: null },
  measuredVersion: null,
}

export const AGENT_PRESETS: Readonly<Record<PresetId, AgentPreset>> = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  goose,
  qwen,
  kimi,
  cursor,
}
