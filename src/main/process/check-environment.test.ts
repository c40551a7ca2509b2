import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { GIT_OF_CHECKS } from '../../core/custody/git-view.ts'
import { checkEnvironment, NODE_OF_CHECKS } from './check-environment.ts'
import { childEnvironment } from './child-environment.ts'

const ALWAYS = { ...GIT_OF_CHECKS, ...NODE_OF_CHECKS }

it('removes what would run something other than the named program, and leaves the rest', () => {
  const steering = {
    NODE_OPTIONS: '--require ./x.js',
    NODE_COMPILE_CACHE: './cache',
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
    SPEC_OPTS: '--example nothing',
    HARNESS_PERL_SWITCHES: '-Mx',
    GTEST_FILTER: '-*',
    MAVEN_ARGS: '-DskipTests',
    DOTNET_STARTUP_HOOKS: './x.dll',
    npm_config_script_shell: './x',
  }
  const kept = {
    ...{ PATH: '/bin', HOME: '/root', LANG: 'C', VIRTUAL_ENV: '/v', GOPATH: '/go', NODE_ENV: 'test' },
    ...{ MAVEN_OPTS: '-Xmx1g', MIX_ENV: 'test', GTEST_ROOT: '/g', BATS_LIB_PATH: '/b', DOTNET_ROOT: '/d' },
  }
  const inherited = { ...steering, ...kept }
  expect(childEnvironment(checkEnvironment({}, inherited), inherited)).toEqual({ ...kept, ...ALWAYS })
})

it('gives a check what its configuration sets', () => {
  const given = { PYTHONPATH: 'src', CI: '1' }
  const inherited = { PYTHONPATH: 'elsewhere' }
  expect(childEnvironment(checkEnvironment({ env: given }, inherited), inherited)).toEqual({
    ...given,
    ...ALWAYS,
  })
})

it('withholds secrets from a check, except those that were named for it', () => {
  const inherited = { PATH: '/bin', DEPLOY_TOKEN: 'd', NPM_TOKEN: 'n', CLAUDE_CODE_OAUTH_TOKEN: 'c' }
  const given = (variables: Parameters<typeof checkEnvironment>[0]) =>
    childEnvironment(checkEnvironment(variables, inherited), inherited)
  expect(given({})).toEqual({ PATH: '/bin', ...ALWAYS })
  expect(given({ envFrom: ['DEPLOY_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'GONE_TOKEN'] })).toEqual({
    PATH: '/bin',
    DEPLOY_TOKEN: 'd',
    CLAUDE_CODE_OAUTH_TOKEN: 'c',
    ...ALWAYS,
  })
  expect(given({ env: { NPM_TOKEN: 'own' } })).toEqual({
    PATH: '/bin',
    NPM_TOKEN: 'own',
    ...ALWAYS,
  })
})

it('makes git return objects unchanged, unless a configuration says otherwise', () => {
  expect(checkEnvironment({}, { GIT_NO_REPLACE_OBJECTS: '0' })).toMatchObject({ GIT_NO_REPLACE_OBJECTS: '1' })
  expect(checkEnvironment({ env: { GIT_GRAFT_FILE: 'x' } }, {})).toMatchObject({ GIT_GRAFT_FILE: 'x' })
})

it('runs no compiled program that an agent left instead of a check', () => {
  const root = mkdtempSync(join(tmpdir(), 'pulseward-compiled-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const check = join(root, 'check.cjs')
  const cache = join(root, 'cache')
  const exitCode = (env: NodeJS.ProcessEnv) => spawnSync(process.execPath, [check], { env }).status
  const inherited = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache }
  const [passing, failing] = ['process.exitCode = 0', 'process.exitCode = 1']
  writeFileSync(check, passing)
  expect(exitCode(inherited)).toBe(0)
  writeFileSync(check, failing)
  expect(exitCode({ PATH: process.env.PATH })).toBe(1)
  poison(cache, { from: passing, to: failing })
  // The attack works without Pulseward: a check that fails passes.
  expect(exitCode(inherited)).toBe(0)
  expect(exitCode(childEnvironment(checkEnvironment({}, inherited), inherited))).toBe(1)
})

/** Makes the compiled code of one text count as that of another text of the same length. */
function poison(cache: string, { from, to }: { readonly from: string; readonly to: string }): void {
  const files = readdirSync(cache, { recursive: true, encoding: 'utf8' }).map((name) => join(cache, name))
  for (const file of files.filter((path) => statSync(path).isFile())) {
    const bytes = readFileSync(file)
    const at = bytes.indexOf(littleEndian(crc32(from)))
    if (at === -1) continue
    littleEndian(crc32(to)).copy(bytes, at)
    writeFileSync(file, bytes)
  }
}

function littleEndian(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
