import { expect, it } from 'vitest'
import { grantAdvice } from './grant-advice.ts'

it.each([
  ['execute:rm', 'npm test', 'Add "execute:npm test" to allow'],
  ['execute:rm', 'sudo rm x', '"execute:rm" is in deny'],
  ['execute', 'npm test', '"execute" is in deny'],
  ['edit', 'npm test', 'Add "execute:npm test" to allow'],
])('with %s in deny, it blames the entry that refused %j', (entry, target, words) => {
  const refusal = { tool: 'Bash', target, grant: `execute:${target}` }
  const settings = { program: 'claude', managesPermissions: true, allow: ['edit'], deny: [entry] } as const
  expect(grantAdvice([refusal], settings)).toContain(words)
})
