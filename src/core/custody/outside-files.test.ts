import { describe, expect, it } from 'vitest'
import { outsideFiles } from './outside-files.ts'

const program = (path: string) => ({ kind: 'program' as const, path })

function pathsOf(path: string, command: readonly string[] = [path]): readonly string[] {
  return outsideFiles([program(path)], [command], () => null).map((file) => file.path)
}

describe('settings outside of the tree that steer a check', () => {
  it.each([
    ['npm', '.npmrc'],
    ['go', '.config/go/env'],
    ['go', 'go.work'],
    ['/usr/bin/cargo', '.cargo/config.toml'],
    ['./gradlew', '.gradle/init.gradle'],
    ['git', '.gitconfig'],
    ['rg', '.config/git/ignore'],
    ['prove', '.proverc'],
    ['zsh', '.zshenv'],
    ['jq', '.jq'],
  ])('of %s: %s', (name, path) => {
    expect(pathsOf(name)).toContain(path)
  })

  it('of a shell that starts up like a login', () => {
    expect(pathsOf('bash', ['bash', '-lc', 'make'])).toContain('.bash_profile')
    expect(pathsOf('bash', ['bash', '-c', 'make -l'])).toEqual([])
  })

  it('of a program that has none', () => {
    expect(pathsOf('wc')).toEqual([])
  })
})

describe('what counts of such a file', () => {
  const counted = (name: string, path: string, text: string): string | undefined =>
    outsideFiles([program(name)], [], () => null)
      .find((file) => file.path === path)
      ?.counts(text)

  it.each([
    ['npm', '.npmrc', 'registry=https://example.invalid/\n//example.invalid/:_authToken=x\n'],
    ['yarn', '.yarnrc', '"@own:registry" "https://example.invalid"\n'],
    ['go', '.config/go/env', 'GOPROXY=direct\nGOPRIVATE=example.invalid\n'],
    ['git', '.gitconfig', '[user]\n\tname = a\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n'],
    ['cargo', '.cargo/config.toml', '\n'],
  ])('%s: nothing of what only says who, where from or whereto', (name, path, text) => {
    expect(counted(name, path, text)).toBe('')
  })

  it.each([
    ['npm', '.npmrc', '"script-shell"=/bin/true'],
    ['npm', '.npmrc', '"script\\u002dshell" = /bin/true'],
    ['npm', '.npmrc', 'script-shell=/bin/true'],
    ['npm', '.npmrc', 'registry=x\nnode-options = --import=/x.mjs'],
    ['go', '.config/go/env', 'GOFLAGS=-exec=true'],
    ['git', '.gitconfig', '[core]\n\texcludesFile = /x'],
    ['git', '.gitconfig', '[user]\n\tname = a\n[include]\n\tpath = /x'],
    ['cargo', '.cargo/config.toml', '[build]\nrustc-wrapper = "x"'],
  ])('%s: %s with %j', (name, path, text) => {
    expect(counted(name, path, text)).not.toBe('')
  })
})
