import { expect, it } from 'vitest'
import { accountOf } from './account.ts'

const claude = { preset: 'claude', command: ['claude', '-p'], env: {} } as const
const script = { preset: null, command: ['./agent'], env: {} } as const

it.each([
  ['one login in two folders', claude, { ...claude, command: ['/opt/claude', '--verbose'] }, true],
  ['another key in its environment', claude, { ...claude, env: { ANTHROPIC_API_KEY: 'x' } }, false],
  ['another program', claude, { ...claude, preset: 'codex' as const }, false],
  ['an unknown command, in two folders', script, script, false],
  ['agents to which the operator gave the same account name', { ...script, account: 'work' }, { ...claude, account: 'work' }, true],
])('%s', (_case, one, other, isShared) => {
  expect(accountOf(one, '/a') === accountOf(other, '/b')).toBe(isShared)
})
