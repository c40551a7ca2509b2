import { type AgentProgram, NO_LOGIN_KNOWN } from '../program.ts'
import { ownSettingsGrant, PRINTS_ITS_ANSWER } from './plain-print.ts'

export const continueCli: AgentProgram = {
  name: 'Continue CLI',
  program: 'cn',
  install: 'Install it: `npm install -g @continuedev/cli`.',
  loginHint: 'Run `cn login`, or set CONTINUE_API_KEY.',
  login: { ...NO_LOGIN_KNOWN, variables: ['CONTINUE_API_KEY'] },
  folders: {
    places: ['.continue'],
    logins: [
      {
        file: '.continue/auth.json',
        renewed: ['accessToken', 'refreshToken', 'expiresAt'],
        account: 'userId',
      },
    ],
    transcripts: ['.continue/sessions/*.json'],
  },
  dangerousOptions: ['--auto'],
  passEnvironment: ['CONTINUE_API_KEY'],
  print: {
    stream: null,
    command: ['cn', '-p'],
    lastArguments: [],
    modelOption: '--model',
    grants: (permissions) => ownSettingsGrant('cn', permissions),
    equip: null,
    capabilities: PRINTS_ITS_ANSWER,
    remarks: [
      'Prints only its answer: what it does is visible only in the snapshot.',
      'Writes only what its own settings allow.',
    ],
  },
  acp: null,
  measuredVersion: '1.5.47',
}
