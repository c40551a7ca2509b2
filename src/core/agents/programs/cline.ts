import { type AgentProgram, NO_LOGIN_KNOWN, PROVIDER_KEYS } from '../program.ts'

export const cline: AgentProgram = {
  name: 'Cline',
  program: 'cline',
  install: 'Install it: `npm install -g cline`.',
  loginHint: 'Run `cline auth`, or set the key of its provider.',
  login: NO_LOGIN_KNOWN,
  folders: {
    places: ['.cline'],
    logins: [{ file: '.cline/data/secrets.json', renewed: ['cline:clineAccountId'] }],
    transcripts: ['.cline/data/tasks/*/*.json'],
  },
  dangerousOptions: ['--yolo', '-y'],
  passEnvironment: PROVIDER_KEYS,
  print: null,
  acp: { command: ['cline', '--acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
