import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'

export const kimi: AgentProgram = {
  name: 'Kimi CLI',
  program: 'kimi',
  install: 'Install it as its documentation says: https://github.com/MoonshotAI/kimi-cli.',
  loginHint: 'Run `kimi` once and log in, or set KIMI_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['KIMI_API_KEY', 'MOONSHOT_API_KEY'] },
  folders: { state: ['.kimi', '.kimi-code'], caches: [] },
  dangerousOptions: ['--yolo', '-y'],
  passEnvironment: ['KIMI_API_KEY', 'MOONSHOT_API_KEY'],
  print: null,
  acp: { command: ['kimi', 'acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
