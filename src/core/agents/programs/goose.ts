import { type AgentProgram, NO_LOGIN_KNOWN, PROVIDER_KEYS } from '../program.ts'

export const goose: AgentProgram = {
  name: 'Goose',
  program: 'goose',
  install: 'Install it according to its documentation: https://block.github.io/goose.',
  loginHint: 'Run `goose configure`, or set the key of its provider.',
  login: NO_LOGIN_KNOWN,
  folders: {
    places: ['.config/goose', '.local/share/goose', '.local/state/goose', '.cache/goose'],
    logins: [],
    transcripts: ['.local/share/goose/sessions/*.jsonl'],
  },
  dangerousOptions: [],
  passEnvironment: PROVIDER_KEYS,
  print: null,
  acp: { command: ['goose', 'acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
