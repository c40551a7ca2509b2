import { type AgentProgram, NO_LOGIN_KNOWN, PROVIDER_KEYS } from '../program.ts'

export const goose: AgentProgram = {
  name: 'Goose',
  program: 'goose',
  install: 'Install it as its documentation says: https://block.github.io/goose.',
  loginHint: 'Run `goose configure`, or set the key of its provider.',
  login: NO_LOGIN_KNOWN,
  folders: {
    state: ['.config/goose', '.local/share/goose', '.local/state/goose'],
    caches: ['.cache/goose'],
  },
  dangerousOptions: [],
  passEnvironment: PROVIDER_KEYS,
  print: null,
  acp: { command: ['goose', 'acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
