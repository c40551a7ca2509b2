import { delimiter } from 'node:path'
import { expect, it } from 'vitest'
import { agentEnvironment } from './agent-environment.ts'

const inherited = {
  PATH: '/bin',
  LANG: 'C',
  DEPLOY_KEY: 'd',
  OPENAI_API_KEY: 'o',
  CLAUDE_CODE_OAUTH_TOKEN: 'c',
}

it('removes secrets, except those that were named', () => {
  const { env, withheld } = agentEnvironment(
    { env: {}, passEnvironment: ['OPENAI_API_KEY'] },
    inherited,
    '/home/o',
  )
  expect(withheld).toEqual(['DEPLOY_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'])
  expect(env).toMatchObject({ DEPLOY_KEY: undefined, OPENAI_API_KEY: 'o' })
  expect(env).not.toHaveProperty('LANG')
})

it("passes on a named variable even if it belongs to an outer agent, and all of the agent's own variables", () => {
  const config = { env: { DEPLOY_KEY: 'mine' }, passEnvironment: ['CLAUDE_CODE_OAUTH_TOKEN'] }
  const { env, withheld } = agentEnvironment(config, inherited, '/home/o')
  expect(env).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: 'c', DEPLOY_KEY: 'mine' })
  expect(withheld).toEqual(['OPENAI_API_KEY'])
})

it('looks for programs in PATH first, then in the usual install folders', () => {
  const { env } = agentEnvironment({ env: {}, passEnvironment: [] }, inherited, '/home/o')
  const folders = env.PATH?.split(delimiter) ?? []
  expect(folders[0]).toBe('/bin')
  expect(folders).toContain('/home/o/.local/bin')
  expect(
    agentEnvironment({ env: { PATH: '/only' }, passEnvironment: [] }, inherited, '/home/o').env.PATH,
  ).toBe('/only')
})

it('hides the operator’s SSH agent, unless it is named', () => {
  const socket = { ...inherited, SSH_AUTH_SOCK: '/run/agent.sock' }
  expect(
    agentEnvironment({ env: {}, passEnvironment: [] }, socket, '/home/o').env.SSH_AUTH_SOCK,
  ).toBeUndefined()
  const asked = agentEnvironment({ env: {}, passEnvironment: ['SSH_AUTH_SOCK'] }, socket, '/home/o')
  expect(asked.env.SSH_AUTH_SOCK).toBe('/run/agent.sock')
})
