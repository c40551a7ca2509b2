import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'

export const auggie: AgentProgram = {
  name: 'Auggie CLI',
  program: 'auggie',
  install: 'Install it: `npm install -g @augmentcode/auggie`.',
  loginHint: 'Run `auggie login`, or set AUGMENT_SESSION_AUTH.',
  login: { ...NO_LOGIN_KNOWN, variables: ['AUGMENT_SESSION_AUTH', 'AUGMENT_API_TOKEN'] },
  folders: {
    places: ['.augment'],
    logins: [],
    transcripts: ['.augment/sessions/*.json'],
  },
  dangerousOptions: [],
  passEnvironment: ['AUGMENT_SESSION_AUTH', 'AUGMENT_API_TOKEN'],
  print: null,
  acp: { command: ['auggie', '--acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
