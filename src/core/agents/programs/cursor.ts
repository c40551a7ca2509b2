import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'

export const cursor: AgentProgram = {
  name: 'Cursor CLI',
  program: 'cursor-agent',
  install: 'Install it according to its documentation: https://cursor.com/cli.',
  loginHint: 'Run `cursor-agent login`, or set CURSOR_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['CURSOR_API_KEY'] },
  folders: {
    places: ['.cursor', '.config/cursor', '.local/share/cursor-agent', '.cache/cursor-compile-cache'],
    logins: [{ file: '.config/cursor/auth.json', renewed: ['accessToken', 'refreshToken'] }],
    transcripts: [],
  },
  dangerousOptions: ['--force', '-f'],
  passEnvironment: ['CURSOR_API_KEY'],
  print: null,
  acp: { command: ['cursor-agent', 'acp'], env: {}, install: null, showsWork: false },
  measuredVersion: null,
}
