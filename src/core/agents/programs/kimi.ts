import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'

export const kimi: AgentProgram = {
  name: 'Kimi Code',
  program: 'kimi',
  install: 'Install it: `npm install -g @moonshot-ai/kimi-code` (Node.js 22 or later).',
  loginHint: 'Run `kimi login`, or set KIMI_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['KIMI_API_KEY', 'MOONSHOT_API_KEY'] },
  folders: {
    places: [
      '$KIMI_SHARE_DIR',
      '$KIMI_CODE_HOME',
      '.kimi',
      '.config/kimi',
      '.local/share/kimi',
      '.kimi-code',
      '.cache/kimi-code',
    ],
    logins: [
      { file: '.kimi/credentials/*.json', renewed: ['access_token', 'refresh_token', 'expires_at'] },
      { file: '.kimi-code/credentials/*.json', renewed: ['access_token', 'refresh_token', 'expires_at'] },
      {
        file: '$KIMI_CODE_HOME/credentials/*.json',
        renewed: ['access_token', 'refresh_token', 'expires_at'],
      },
      {
        file: '$KIMI_SHARE_DIR/credentials/*.json',
        renewed: ['access_token', 'refresh_token', 'expires_at'],
      },
    ],
    transcripts: ['.kimi/sessions/*/*/*.jsonl', '.kimi-code/sessions/*/*/*.jsonl'],
  },
  dangerousOptions: ['--yolo', '-y', '--auto'],
  passEnvironment: ['KIMI_API_KEY', 'MOONSHOT_API_KEY'],
  print: null,
  acp: { command: ['kimi', 'acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
