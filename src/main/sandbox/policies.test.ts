import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { policyFor } from './policies.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-policies-')))
  for (const name of ['home', 'bin', 'work']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'bin/npm'), '', { mode: 0o755 })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function planFor(home: string, PATH = join(root, 'bin')): void {
  const settings = { preset: null, hide: [], writable: [], passed: [] }
  const surroundings = { home, environment: { PATH }, ownData: [], installation: '/nowhere', workspaces: [] }
  policyFor({ kind: 'agent' }, join(root, 'work'), settings, surroundings)
}

describe('a cache that a program cannot work without', () => {
  it.each(['home', 'home/'])('is created if the program is installed, in the home "%s"', (home) => {
    planFor(`${root}/${home}`)
    expect(readdirSync(join(root, 'home'))).toEqual(['.npm'])
  })

  it('is not created if the program is not installed, or is only found through the current folder', () => {
    planFor(join(root, 'home'), `${join(root, 'work')}:${relative(process.cwd(), join(root, 'bin'))}:`)
    expect(readdirSync(join(root, 'home'))).toEqual([])
  })

  it('is not created in a missing home', () => {
    planFor(join(root, 'nonexistent'))
    expect(existsSync(join(root, 'nonexistent'))).toBe(false)
  })

  it('is not created in the current folder, or at the root', () => {
    const home = relative(process.cwd(), join(root, 'home'))
    for (const place of [home, '', '/']) planFor(place)
    expect(readdirSync(join(root, 'home'))).toEqual([])
  })
})

describe('a check that runs a program with a login', () => {
  /** The program's paths begin at `root`. */
  const readsLogin = (program: string): boolean => {
    const workspace = join(root, 'work/packages/one')
    for (const folder of [workspace, join(root, 'work/.git'), join(root, 'shared')])
      mkdirSync(folder, { recursive: true })
    for (const file of ['work/gh', 'bin/gh', 'shared/gh', 'work/packages/one/gh'])
      writeFileSync(join(root, file), '', { mode: 0o755 })
    symlinkSync(join(root, 'work/gh'), join(root, 'gh'))
    const home = join(root, 'home')
    const settings = { preset: null, hide: [], writable: [`${join(root, 'shared')}/`], passed: [] }
    const surroundings = { home, environment: {}, ownData: [], installation: '/nowhere', workspaces: [] }
    const role = { kind: 'check', program: program.replace('ROOT', root) } as const
    return policyFor(role, workspace, settings, surroundings).readable.includes(join(home, '.config/gh'))
  }

  it.each(['gh', 'ROOT/bin/gh', '/usr/bin/gh'])('sees it as the system’s %s', (program) => {
    expect(readsLogin(program)).toBe(true)
  })

  it.each([
    ['the workspace', 'ROOT/work/packages/one/gh'],
    ['the workspace, by a relative path', './gh'],
    ['the repository above the workspace', 'ROOT/work/gh'],
    ['another folder that the agent may write to', 'ROOT/shared/gh'],
    ['where a link leads into the repository', 'ROOT/gh'],
  ])('does not see it as a file of the same name in %s', (_where, program) => {
    expect(readsLogin(program)).toBe(false)
  })

  it.each([
    [['ls-remote', '--exit-code', 'origin', 'v1'], true],
    [['status'], false],
    [['-C', 'lib', 'ls-remote'], false],
    [['ls-remote', './lib'], false],
    [['fetch', 'origin'], false],
  ])('sees the login of git where it only asks a remote: git %j', (words, isSeen) => {
    const home = join(root, 'home')
    const settings = { preset: null, hide: [], writable: [], passed: [] }
    const surroundings = { home, environment: {}, ownData: [], installation: '/nowhere', workspaces: [] }
    const { readable } = policyFor(
      { kind: 'check', program: '/usr/bin/git', words },
      join(root, 'work'),
      settings,
      surroundings,
    )
    expect(readable.includes(join(home, '.ssh'))).toBe(isSeen)
  })
})
