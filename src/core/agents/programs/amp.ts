import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'
import { ownSettingsGrant, PRINTS_ITS_ANSWER } from './plain-print.ts'

export const amp: AgentProgram = {
  name: 'Amp',
  program: 'amp',
  install: 'Install it: `npm install -g @sourcegraph/amp`.',
  loginHint: 'Run `amp login`, or set AMP_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['AMP_API_KEY'] },
  folders: {
    places: ['.config/amp', '.local/share/amp', '.amp', '.cache/amp'],
    logins: [],
    transcripts: ['.local/share/amp/threads/*.json'],
  },
  dangerousOptions: ['--dangerously-allow-all'],
  passEnvironment: ['AMP_API_KEY'],
  print: {
    stream: null,
    command: ['amp', '-x'],
    lastArguments: [],
    modelOption: '--mode',
    grants: (permissions) => ownSettingsGrant('amp', permissions),
    equip: null,
    capabilities: PRINTS_ITS_ANSWER,
    remarks: ['Prints only its answer: what it does is visible only in the snapshot.'],
  },
  acp: null,
  measuredVersion: null,
}
