import { expect, it, vi } from 'vitest'
import { childEnvironment } from '../process/child-environment.ts'
import { gitVariables } from './git-environment.ts'

it('gives git no secrets from our environment, and nothing that affects its behavior', () => {
  vi.stubEnv('GITHUB_TOKEN', 'a-secret')
  vi.stubEnv('GIT_SSH_COMMAND', 'x')
  vi.stubEnv('LC_MESSAGES', 'C')
  const environment = childEnvironment(gitVariables())
  expect(environment).not.toHaveProperty('GITHUB_TOKEN')
  expect(environment).not.toHaveProperty('GIT_SSH_COMMAND')
  expect(environment).toMatchObject({ LC_MESSAGES: 'C' })
})
