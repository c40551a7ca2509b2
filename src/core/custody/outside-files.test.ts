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
    ['elixir', '.erlang'],
    ['jq', '.jq'],
    ['npm', 'node_modules/.bin/node'],
    ['npx', 'node_modules/.bin/sh'],
    ['/usr/bin/pnpm', 'node_modules/.bin/pnpm'],
    ['python3', 'pytest.ini'],
    ['pytest', 'pyproject.toml'],
    ['tox', 'tox.ini'],
    ['/x/.venv/bin/ruff', 'ruff.toml'],
    ['ruff', '.config/ruff/ruff.toml'],
    ['mypy', '.config/mypy/config'],
    ['flake8', '.flake8'],
    ['pylint', '.pylintrc'],
    ['mocha', '.mocharc.json'],
    ['eslint', 'eslint.config.mjs'],
    ['eslint', '.eslintrc.json'],
    ['prettier', '.editorconfig'],
    ['biome', 'biome.json'],
    ['tsc', 'tsconfig.json'],
    ['stylelint', '.stylelintrc'],
    ['rubocop', '.rubocop.yml'],
    ['rake', 'Rakefile'],
    ['golangci-lint', '.golangci.yml'],
    ['shellcheck', '.shellcheckrc'],
    ['clang-tidy', '.clang-tidy'],
    ['cargo', 'rust-toolchain.toml'],
    ['cargo', '.rustup/settings.toml'],
    ['gradle', '.gradle/init.d'],
    ['mvn', '.m2/extensions.xml'],
    ['python3', '.pyenv/version'],
    ['pytest', '.python-version'],
    ['ruby', '.ruby-version'],
    ['npm', '.node-version'],
    ['go', '.tool-versions'],
    ['node', '.config/mise/config.toml'],
  ])('include those of %s: %s', (name, path) => {
    expect(pathsOf(name)).toContain(path)
  })

  it('include those of a shell that starts as a login shell', () => {
    expect(pathsOf('bash', ['bash', '-lc', 'make'])).toContain('.bash_profile')
    expect(pathsOf('bash', ['bash', '-c', 'make -l'])).toEqual([])
  })

  it('include none of a program without settings', () => {
    expect(pathsOf('wc')).toEqual([])
  })

  it('do not include programs above for a tool that does not look there', () => {
    expect(pathsOf('node').filter((path) => path.startsWith('node_modules/'))).toEqual([])
  })
})

describe('the steering part of such a file', () => {
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
    ['pytest', 'pyproject.toml', '[project]\nname = "pytest-like"\n'],
    ['pytest', 'setup.cfg', '[metadata]\nname = a\n'],
    ['cargo', '.rustup/settings.toml', 'version = "12"\nprofile = "minimal"\n'],
  ])('%s: is empty if the file only names people, sources or destinations', (name, path, text) => {
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
    ['npm', '.npmrc', 'workspaces=true'],
    ['npm', '.npmrc', 'workspace = empty'],
    ['go', '.config/go/env', 'GOMODCACHE=/x'],
    ['go', '.config/go/env', 'GOPATH=/x'],
    ['go', '.config/go/env', 'GO111MODULE=off'],
    ['go', '.config/go/env', 'GOCACHE=/x'],
    ['pytest', 'pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-k x"'],
    ['pytest', 'setup.cfg', '[tool:pytest]\naddopts = -k x'],
    ['cargo', 'rust-toolchain.toml', '[toolchain]\npath = "/x"'],
    ['cargo', '.rustup/settings.toml', '[overrides]\n"/w" = "x"'],
    ['npm', 'node_modules/.bin/node', '#!/bin/sh'],
  ])('%s: includes %s with %j', (name, path, text) => {
    expect(counted(name, path, text)).not.toBe('')
  })
})
