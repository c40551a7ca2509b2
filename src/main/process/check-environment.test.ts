import { expect, it } from 'vitest'
import { GIT_OF_CHECKS } from '../../core/custody/git-view.ts'
import { checkEnvironment } from './check-environment.ts'
import { childEnvironment } from './child-environment.ts'

it('removes what would run something other than the named program, and leaves the rest', () => {
  const steering = {
    NODE_OPTIONS: '--require ./x.js',
    LD_PRELOAD: './x.so',
    LD_LIBRARY_PATH: '.',
    PYTHONPATH: '.',
    PYTHONSTARTUP: 'x',
    BASH_ENV: 'x',
    ENV: 'x',
    GIT_DIR: 'x',
    PERL5LIB: 'x',
    RUBYOPT: '-rx',
    PYTEST_ADDOPTS: '-k nothing',
    GOFLAGS: '-run=^$',
    npm_config_script_shell: './x',
  }
  const kept = { PATH: '/bin', HOME: '/root', LANG: 'C', VIRTUAL_ENV: '/v', GOPATH: '/go', NODE_ENV: 'test' }
  const inherited = { ...steering, ...kept }
  expect(childEnvironment(checkEnvironment({}, inherited), inherited)).toEqual({ ...kept, ...GIT_OF_CHECKS })
})

it('gives a check what its configuration sets', () => {
  const given = { PYTHONPATH: 'src', CI: '1' }
  const inherited = { PYTHONPATH: 'elsewhere' }
  expect(childEnvironment(checkEnvironment({ env: given }, inherited), inherited)).toEqual({
    ...given,
    ...GIT_OF_CHECKS,
  })
})

it('withholds secrets from a check, except those that were named for it', () => {
  const inherited = { PATH: '/bin', DEPLOY_TOKEN: 'd', NPM_TOKEN: 'n', CLAUDE_CODE_OAUTH_TOKEN: 'c' }
  const given = (variables: Parameters<typeof checkEnvironment>[0]) =>
    childEnvironment(checkEnvironment(variables, inherited), inherited)
  expect(given({})).toEqual({ PATH: '/bin', ...GIT_OF_CHECKS })
  expect(given({ envFrom: ['DEPLOY_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'GONE_TOKEN'] })).toEqual({
    PATH: '/bin',
    DEPLOY_TOKEN: 'd',
    CLAUDE_CODE_OAUTH_TOKEN: 'c',
    ...GIT_OF_CHECKS,
  })
  expect(given({ env: { NPM_TOKEN: 'own' } })).toEqual({
    PATH: '/bin',
    NPM_TOKEN: 'own',
    ...GIT_OF_CHECKS,
  })
})

it('makes git return objects unchanged, unless a configuration says otherwise', () => {
  expect(checkEnvironment({}, { GIT_NO_REPLACE_OBJECTS: '0' })).toMatchObject({ GIT_NO_REPLACE_OBJECTS: '1' })
  expect(checkEnvironment({ env: { GIT_GRAFT_FILE: 'x' } }, {})).toMatchObject({ GIT_GRAFT_FILE: 'x' })
})
