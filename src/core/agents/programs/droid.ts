import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'

export const droid: AgentProgram = {
  name: 'Factory Droid',
  program: 'droid',
  install: 'Install it according to its documentation: https://docs.factory.ai.',
  loginHint: 'Run `droid` once and log in, or set FACTORY_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['FACTORY_API_KEY'] },
  folders: {
    places: ['.factory'],
    logins: [{ file: '.factory/auth.json', renewed: ['access_token', 'refresh_token'] }],
    transcripts: ['.factory/sessions/*.jsonl', '.factory/sessions/*/*.jsonl'],
  },
  dangerousOptions: ['--skip-permissions-unsafe'],
  passEnvironment: ['FACTORY_API_KEY'],
  print: null,
  acp: { command: ['droid', 'exec', '--output-format', 'acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
