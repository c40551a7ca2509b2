import { expect, it } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const INHERITED = { PATH: '/bin', CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', ELECTRON_RUN_AS_NODE: '1' }

it('passes on inherited variables, except those of an outer agent', () => {
  expect(childEnvironment({}, { ...INHERITED, CLAUDE_CONFIG_DIR: '/c' })).toEqual({
    PATH: '/bin',
    CLAUDE_CONFIG_DIR: '/c',
  })
})

it('adds the given variables, including such ones', () => {
  expect(childEnvironment({ CLAUDE_CODE_USE_BEDROCK: '1', PATH: '/opt' }, INHERITED)).toEqual({
    PATH: '/opt',
    CLAUDE_CODE_USE_BEDROCK: '1',
  })
})

it('removes variables given as undefined', () => {
  expect(childEnvironment({ PATH: undefined }, INHERITED)).toEqual({})
})
