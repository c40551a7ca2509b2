import { type AgentProgram, NO_LOGIN_KNOWN, PROVIDER_KEYS } from '../program.ts'
import { ownSettingsGrant, PRINTS_ITS_ANSWER } from './plain-print.ts'

export const crush: AgentProgram = {
  name: 'Crush',
  program: 'crush',
  install: 'Install it: `npm install -g @charmland/crush`.',
  loginHint: 'Run `crush` once and choose a provider, or set its key.',
  login: NO_LOGIN_KNOWN,
  folders: {
    places: ['.config/crush', '.local/share/crush', '.cache/crush'],
    logins: [{ file: '.local/share/crush/crush.json', renewed: ['providers.*.oauth.*'] }],
    transcripts: [],
  },
  dangerousOptions: ['--yolo', '-y'],
  passEnvironment: PROVIDER_KEYS,
  print: {
    stream: null,
    command: ['crush', 'run', '--quiet'],
    lastArguments: [],
    modelOption: '--model',
    grants: (permissions) => ownSettingsGrant('crush', permissions),
    equip: null,
    capabilities: PRINTS_ITS_ANSWER,
    remarks: ['Prints only its answer: what it does is visible only in the snapshot.'],
  },
  acp: null,
  measuredVersion: null,
}
