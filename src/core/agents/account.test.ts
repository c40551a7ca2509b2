import { expect, it } from 'vitest'
import { accountOf } from './account.ts'

const claude = { preset: 'claude', command: ['claude', '-p'], env: {} } as const
const script = { preset: null, command: ['./agent'], env: {} } as const

it.each([
  [
    'the same login in two folders is one account',
    claude,
    { ...claude, command: ['/opt/claude', '--verbose'] },
    true,
  ],
  ['another API key is another account', claude, { ...claude, env: { ANTHROPIC_API_KEY: 'x' } }, false],
  ['another program is another account', claude, { ...claude, preset: 'codex' as const }, false],
  ['an unknown command is another account in each folder', script, script, false],
  [
    'agents with the same account name share one account',
    { ...script, account: 'work' },
    { ...claude, account: 'work' },
    true,
  ],
])('%s', (_case, one, other, isShared) => {
  expect(accountOf(one, '/a') === accountOf(other, '/b')).toBe(isShared)
})
