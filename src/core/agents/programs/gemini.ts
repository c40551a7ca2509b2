import { splitCommandPattern, type ToolKind } from '../../activity/permission-rule.ts'
import { hasWhole, inWords, unknownTools } from '../grant-words.ts'
import { type AgentProgram, type Grants, hasOption, PER_RUN, type Permissions } from '../program.ts'
import { createGeminiParser } from './gemini-stream.ts'

export const gemini: AgentProgram = {
  name: 'Gemini CLI',
  program: 'gemini',
  install: 'Install it: `npm install -g @google/gemini-cli`.',
  loginHint: 'Run `gemini` once and log in, or set GEMINI_API_KEY.',
  login: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    files: ['.gemini/oauth_creds.json'],
    status: null,
    conclusive: false,
  },
  folders: {
    places: ['$GEMINI_CLI_HOME', '.gemini'],
    logins: [
      {
        file: '$GEMINI_CLI_HOME/.gemini/oauth_creds.json',
        renewed: ['access_token', 'refresh_token', 'id_token', 'expiry_date'],
      },
      {
        file: '.gemini/oauth_creds.json',
        renewed: ['access_token', 'refresh_token', 'id_token', 'expiry_date'],
      },
    ],
    transcripts: [
      '$GEMINI_CLI_HOME/.gemini/tmp/*/chats/*.json',
      '.gemini/tmp/*/chats/*.json',
      '.gemini/tmp/*/chats/*.jsonl',
    ],
  },
  dangerousOptions: ['--yolo', '-y', '--approval-mode=yolo'],
  passEnvironment: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
  print: {
    stream: {
      createParser: createGeminiParser,
      isAskedFor: (words) => hasOption(words, ['-o', '--output-format'], 'stream-json'),
      resume: (command, sessionId) => [...command, '--resume', sessionId],
      resumedFigures: PER_RUN,
    },
    command: ['gemini', '-o', 'stream-json', '--skip-trust'],
    lastArguments: [],
    modelOption: '--model',
    grants,
    equip: null,
    capabilities: { events: true, denials: false, resume: true, usage: true, cost: false, mcp: true },
    remarks: [
      'Silently withholds tools that are not granted, so nothing shows it. Over ACP it asks, and a denial is visible.',
      'Asks to confirm each command with a redirection, whatever is granted. That is denied, and visible.',
      'Ignores SIGTERM for many seconds. Pulseward then kills it.',
    ],
  },
  acp: {
    command: ['gemini', '--acp'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    install: null,
    readsByItself: true,
    showsWork: true,
  },
  measuredVersion: '0.61.0',
}

/** Gemini accepts no denials on its command line, and treats a command as a prefix. */
function grants({ allow, deny }: Permissions): Grants {
  const isRefused = (tool: ToolKind): boolean => hasWhole(deny, tool)
  const commands = allow.filter(({ tool }) => tool === 'execute' && !isRefused('execute'))
  const tools = [
    ...commands.map(({ pattern }) =>
      pattern === null ? 'run_shell_command' : `run_shell_command(${splitCommandPattern(pattern).command})`,
    ),
    ...(hasWhole(allow, 'fetch') && !isRefused('fetch') ? ['web_fetch'] : []),
  ]
  return {
    arguments: [
      '--approval-mode',
      hasWhole(allow, 'edit') && !isRefused('edit') ? 'auto_edit' : 'default',
      ...tools.map((tool) => `--allowed-tools=${tool}`),
    ],
    env: {},
    notes: [
      ...allow
        .filter(({ tool, pattern }) => pattern !== null && tool !== 'execute')
        .map((rule) => `gemini cannot limit itself to ${inWords(rule)} in print mode: not granted.`),
      ...commands
        .filter(({ pattern }) => pattern !== null && !splitCommandPattern(pattern).open)
        .map((rule) => `gemini reads ${inWords(rule)} as a command prefix: more words may follow.`),
      ...deny
        .filter(({ pattern }) => pattern !== null)
        .map((rule) => `gemini cannot deny ${inWords(rule)} in print mode. Set mode = "acp".`),
      ...unknownTools('gemini', [...allow, ...deny]),
    ],
  }
}
